import type { Plugin } from 'vite';

const text = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`;
const serverPart = new RegExp(
  String.raw`\n {2}(?:(?:summary|closed):\s*${text}|bodyLimit: [\w *]+|params: z\.object\(\{ [\w: ,]* \}\)),(?=\n)`,
  'g',
);

/**
 * Leaves out what a route declares for the server and `/openapi.json` alone: its summary, its limit, what it does during maintenance and
 * the schema of its path. No browser reads them.
 */
export function withoutServerParts(): Plugin {
  return {
    name: 'portico:without-server-parts',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/contract\/src\/[\w-]+\.ts$/.test(id)) return undefined;
      return { code: code.replaceAll(serverPart, ''), map: null };
    },
  };
}
