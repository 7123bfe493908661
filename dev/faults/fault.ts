import { freePort } from '#server/testing/free-port.ts';
import { newToken, type Installation } from '../interop/portico.ts';
import { temporaryFolder } from '../interop/programs.ts';
import { must } from '../interop/table.ts';

export type Fault = {
  name: string;
  /**
   * Runs the fault, and repeats it as often as `rounds` says; returns figures for the table. Throws an error that
   * says what must not have happened.
   */
  run(rounds: number): Promise<string>;
};

/** Returns the figures where nothing was lost and no promise broken; otherwise throws them with the losses. */
export function figures(words: string, losses: readonly string[]): string {
  must(losses.length === 0, [words, ...new Set(losses)].slice(0, 20).join('; '));
  return words;
}

export async function newInstallation(
  settings: Record<string, string> = {},
  folder = temporaryFolder(),
): Promise<Installation> {
  const operator = { OPERATOR_EMAIL: 'operator@example.org', OPERATOR_PASSWORD: 'walks under the portico' };
  const common = { RATE_LIMIT_SCALE: '1000000', LOG_LEVEL: 'warn', ...operator };
  return { folder, port: await freePort(), settings: { ...common, ...settings } };
}

/** A token for everything that the faults write and read. */
export const tokenOf = (installation: Installation): string =>
  newToken(installation, 'FLAGS_READ,FLAGS_WRITE,REPORTS_READ,PEOPLE_READ,PEOPLE_WRITE');
