// Bundles the server: for the package, and for `npm start`, which is ready sooner with it (decision 0036).
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';

const root = resolve(import.meta.dirname, '../..');

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
    // A native driver of PostgreSQL that `pg` takes where someone has installed it.
    external: ['pg-native'],
    logLevel: 'warn',
    // `depd` names functions by `eval`, in code that this bundle leaves as it is.
    checks: { eval: false },
    output: {
      dir: target,
      format: 'esm',
      sourcemap,
      // They stand next to it.
      sourcemapExcludeSources: true,
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    },
  });
}

if (import.meta.main) await bundleServer(join(root, 'server/dist'), { sourcemap: true });
