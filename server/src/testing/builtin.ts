import { syncBuiltinESMExports } from 'node:module';
import { afterThisTest } from './fresh-database.ts';

/**
 * Replaces a function of one of Node's own modules until this test has finished, also where it has been
 * imported already.
 *
 * @param module its default export
 */
export function replaceBuiltin<M extends object, K extends keyof M>(
  module: M,
  name: K,
  make: (original: M[K]) => M[K],
): void {
  const original = module[name];
  const put = (value: M[K]) => {
    module[name] = value;
    syncBuiltinESMExports();
  };
  put(make(original));
  afterThisTest(() => put(original));
}
