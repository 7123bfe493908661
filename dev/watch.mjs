import { watch } from 'node:fs';
import { join } from 'node:path';
import { buildWeb, root, print } from './prepare.mjs';

/**
 * Builds the web and starts the server, and does both again at every change of a source. After a failed build, the
 * last good state keeps running.
 *
 * @param {{ start: () => import('node:child_process').ChildProcess, stop: () => Promise<void> }} server
 */
export async function watchSources(server) {
  /** @type {NodeJS.Timeout | undefined} */
  let soon;
  let waiting = false;
  let work = buildWeb('development').then(start);
  for (const folder of ['contract/src', 'features', 'server/src', 'web']) {
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (file?.startsWith('dist')) return;
      // Waits for more changes: an editor saves one file in several steps, and a change of branch touches many.
      clearTimeout(soon);
      soon = setTimeout(() => {
        if (!waiting) work = work.then(refresh);
        waiting = true;
      }, 100);
    });
  }
  await work;

  async function refresh() {
    waiting = false;
    if (!(await buildWeb('development'))) return;
    print('Starting again …');
    await server.stop();
    start();
  }

  function start() {
    server.start().once('exit', (code) => {
      if (code !== null && code !== 0) print('The server ended; it starts again at the next change.');
    });
  }
}
