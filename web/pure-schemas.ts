import { basename } from 'node:path';
import type { Plugin } from 'vite';

/** Marks the contract's schemas as pure, so that the build leaves out a schema that nothing uses. */
export function pureSchemas(): Plugin {
  return {
    name: 'portico:pure-schemas',
    // The catalogue of rights and the catalogue of the audit each get their own copy of the capabilities' list,
    // without what only the other catalogue reads: the first page needs the rights alone.
    resolveId: {
      order: 'pre',
      async handler(source, importer = '') {
        const [file = '', catalogue = basename(file)] = importer.split('?');
        if (!inContract.test(file) || !/\/features?\.ts$/.test(source)) return null;
        const found = await this.resolve(source, file);
        return found && `${found.id}?${catalogue}`;
      },
    },
    transform(code, id) {
      if (!inContract.test(id)) return undefined;
      const pure = code.replaceAll(
        /(?<![\w.])(z\.\w+|rights\.flat|rightCatalogue\.map|heldBy)\(/g,
        '/* @__PURE__ */ $1(',
      );
      return { code: pure, map: null };
    },
  };
}

const inContract = /\/(?:contract\/src|features\/[\w-]+\/contract)\/[^?]+\.ts(\?|$)/;
