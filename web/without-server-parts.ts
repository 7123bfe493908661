import type { Plugin } from 'vite';

const text = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`;
const serverPart = new RegExp(
  String.raw`\n {2}(?:(?:summary|closed):\s*${text}|bodyLimit: [\w *]+|params: z\.object\(\{ [\w: ,]* \}\)),(?=\n)`,
  'g',
);

/**
 * Leaves out the parts of a route that only the server and `/openapi.json` use: its summary, its limit, its
 * behaviour during maintenance and the schema of its path.
 */
export function withoutServerParts(): Plugin {
  return {
    name: 'portico:without-server-parts',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/(?:contract\/src|features\/[\w-]+\/contract)\/(?:[\w-]+\/)*[\w-]+\.ts$/.test(id))
        return undefined;
      return { code: code.replaceAll(serverPart, ''), map: null };
    },
  };
}
