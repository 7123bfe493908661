import { join } from 'node:path';

export const repository = join(import.meta.dirname, '../../..');

/**
 * The path of a script of `server/src`, to be run by Node. `npm test` bundles the server and its command line first,
 * which then start in two thirds of the time; a test runner that is called alone takes the sources.
 *
 * @param of the folder of a repository
 */
export function programOf(script: string, of = repository): string {
  const bundle = script.replace(/^(main|cli)\.ts$/, '$1.js');
  const isBundled = process.env['BUNDLED_SERVER'] === 'yes' && of === repository && bundle !== script;
  return isBundled ? join(of, 'server/dist', bundle) : join(of, 'server/src', script);
}
