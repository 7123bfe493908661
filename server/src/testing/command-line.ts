import { runCommandLine } from '../cli/run.ts';
import { readConfig, type Config } from '../config.ts';
import type { Place } from './fresh-database.ts';

/** The environment in which another program finds the data of a place. */
export const environmentOf = ({
  dataDir,
  location,
}: Pick<Place, 'dataDir' | 'location'>): Record<string, string> => ({
  DATA_DIR: dataDir,
  ...(location.engine === 'postgres' ? { DATABASE_URL: location.url } : {}),
});

/** Runs the command line in this process, which is quicker than in one of its own. */
export async function runInside(
  args: readonly string[],
  environment: Record<string, string> | (() => Config),
): Promise<{ code: number; out: string; errors: string }> {
  const [out, errors]: [string[], string[]] = [[], []];
  const read = typeof environment === 'function' ? environment : () => readConfig(environment);
  const code = await runCommandLine(args, read, {
    print: (text) => out.push(text),
    publish: (text) => errors.push(text),
  });
  return { code, out: out.join('\n'), errors: errors.join('\n') };
}
