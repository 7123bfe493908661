import { freePort } from '#server/testing/free-port.ts';
import { newToken, type Installation } from '../interop/portico.ts';
import { must } from '../interop/table.ts';

export type Fault = {
  name: string;
  /** Answers figures for the table; throws what must not have happened, in words. */
  run(world: World): Promise<string>;
};

/** What a fault may use; the clean-ups run after it, the last first, when all programs have ended. */
export type World = {
  /** How often it repeats what it does. */
  rounds: number;
  /** An empty folder, gone afterwards. */
  folder(): string;
  after(cleanUp: () => void | Promise<void>): void;
};

/** The figures of a fault that lost nothing and broke no promise; throws them with its losses otherwise. */
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

/** The longest and the middle of some milliseconds, for the table. */
export function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const [middle = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `median ${Math.round(middle)} ms, longest ${Math.round(longest)} ms`;
}
