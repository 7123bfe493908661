import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { forShadow } from './src/embed/shadow-css.ts';

const marker = '\0shadow:';

/**
 * Makes each style sheet that a module imports a constructable one in the shadow root, which comes with the part of the script
 * that imports it: a `link` would be in the application's page, and would change that.
 *
 * @param sheets the module with `addSheet`
 */
export function shadowStyles(sheets: string): Plugin {
  return {
    name: 'portico:shadow-styles',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.endsWith('.css')) return undefined;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found === null ? undefined : `${marker}${found.id}.js`;
    },
    load(id) {
      if (!id.startsWith(marker)) return undefined;
      const file = id.slice(marker.length, -'.js'.length);
      this.addWatchFile(file);
      const css = smaller(forShadow(withImports(file)));
      return `import { addSheet } from ${JSON.stringify(sheets)};addSheet(${JSON.stringify(css)});`;
    },
  };
}

/** A constructable style sheet imports no others. */
function withImports(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/@import '([^']+)';/g, (_, other: string) =>
    withImports(join(dirname(file), other)),
  );
}

/** Without comments and spaces that mean nothing. */
function smaller(css: string): string {
  return css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: (?=[^{}]*[;}])/g, ':')
    .replaceAll(';}', '}')
    .trim();
}
