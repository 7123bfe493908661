import { freePort } from '#server/testing/free-port.ts';
import { newToken, type Installation } from '../interop/portico.ts';
import { must } from '../interop/table.ts';

export type Fault = {
  name: string;
  /** Runs the fault; returns figures for the table. Throws an error that says what must not have happened. */
  run(world: World): Promise<string>;
};

/** What a fault may use; its clean-ups run after it, the last first, once all programs have ended. */
export type World = {
  /** How often the fault repeats what it does. */
  rounds: number;
  /** Makes an empty folder, which is deleted afterwards. */
  folder(): string;
  after(cleanUp: () => void | Promise<void>): void;
};

/** Returns the figures where nothing was lost and no promise broken; otherwise throws them with the losses. */
export function figures(words: string, losses: readonly string[]): string {
  must(losses.length === 0, [words, ...new Set(losses)].slice(0, 20).join('; '));
  return words;
}

export async function newInstallation(
  folder: string,
  settings: Record<string, string> = {},
): Promise<Installation> {
  const operator = { OPERATOR_EMAIL: 'operator@example.org', OPERATOR_PASSWORD: 'walks under the portico' };
  const common = { RATE_LIMIT_SCALE: '1000000', LOG_LEVEL: 'warn', ...operator };
  return { folder, port: await freePort(), settings: { ...common, ...settings } };
}

/** A token for everything that the faults write and read. */
export const tokenOf = (installation: Installation): string =>
  newToken(installation, 'FLAGS_READ,FLAGS_WRITE,REPORTS_READ,PEOPLE_READ,PEOPLE_WRITE');

/** The median and the maximum of some milliseconds, as words for the table. */
export function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const [middle = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `median ${Math.round(middle)} ms, longest ${Math.round(longest)} ms`;
}
