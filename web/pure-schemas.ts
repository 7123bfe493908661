import type { Plugin } from 'vite';

/** Marks the contract's schemas as what they are: one that nothing uses is left out. */
export function pureSchemas(): Plugin {
  return {
    name: 'portico:pure-schemas',
    transform(code, id) {
      if (!/\/contract\/src\/.*\.ts$/.test(id)) return undefined;
      const pure = code.replaceAll(/(?<![\w.])(z\.\w+|rightCatalogue\.map)\(/g, '/* @__PURE__ */ $1(');
      return { code: pure, map: null };
    },
  };
}
