// Bundles the server: for the package, and for `npm start`, which is ready sooner with it (decision 0036).
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'rolldown';

const root = resolve(import.meta.dirname, '../..');

/**
 * `import` from `node:http` reads each of its exports, and three of them load the whole of undici: a tenth of the
 * time of a start. When it is read as a CommonJS module, only the exports in use are read.
 */
const httpWithoutUndici: Plugin = {
  name: 'http-without-undici',
  resolveId: { filter: { id: /^(?:node:)?http$/ }, handler: () => '\0http' },
  load: {
    filter: { id: /^\0http$/ },
    handler: () => ({ code: "module.exports = process.getBuiltinModule('node:http');", moduleType: 'js' }),
  },
};

/** Writes the bundle to `target`. Each thread is a program of its own, next to the code that starts it. */
export async function bundleServer(target: string, { sourcemap = false } = {}): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  await build({
    cwd: root,
    input: {
      main: 'server/src/main.ts',
      cli: 'server/src/cli.ts',
      'backup-thread': 'features/backup/server/backup-thread.ts',
      'sqlite-reading-thread': 'server/src/platform/database/sqlite-reading-thread.ts',
      'trace-thread': 'features/diagnostics/server/source-maps/trace-thread.ts',
    },
    platform: 'node',
    plugins: [httpWithoutUndici],
    // A native driver of PostgreSQL that `pg` takes where someone has installed it.
    external: ['pg-native'],
    logLevel: 'warn',
    // `depd` names functions by `eval`, in code that this bundle leaves as it is.
    checks: { eval: false },
    output: {
      dir: target,
      format: 'esm',
      // V8 stores a source with two bytes a character where one character is beyond Latin-1.
      charset: 'ascii',
      comments: { jsdoc: false },
      sourcemap,
      // The source files are next to the bundle.
      sourcemapExcludeSources: true,
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    },
  });
}

if (import.meta.main) await bundleServer(join(root, 'server/dist'), { sourcemap: true });
