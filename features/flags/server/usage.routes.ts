import { getFlagUsage, type FlagUsage } from '#features/flags/contract/usage.ts';
import type { Core } from '#server/core.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { readClientKeys } from './client-keys.store.ts';
import { flagIn, readFlags } from './flags.store.ts';
import { dayStep, hourStep, readFlagUsage } from './usage.store.ts';
import { readVerdicts, sdksOf } from './usage-verdict.ts';

type Counted = { evaluations: number; seen: number };
type Row = { kind: string; count: number; at: number };

/** The route that shows operators whether and how a flag is used (FLAG-16). */
export function usageRoutes(serve: Serve, { database, clock }: Pick<Core, 'database' | 'clock'>): void {
  serve(getFlagUsage, async ({ params }): Promise<FlagUsage> => {
    const read = database.longReads;
    const now = clock.now();
    const flags = await readFlags(database.read);
    const flag = flagIn(flags, params.flagKey);
    const { verdictOf, silent, countedSince, ofKeys } = await readVerdicts(read, flags, now);
    const { days, minutes } = await readFlagUsage(read, flag.key, now);
    const names = new Map((await readClientKeys(database.read)).map(({ key, name }) => [key, name]));
    const nameOf = (key: string) => names.get(key) || key;
    const keys = groupedBy(days, (row) => row.client_key).map(([key, rows]) => ({
      name: nameOf(key),
      ...sumOf(rows),
      lastAt: Math.max(...rows.map(({ last_at: at }) => at)),
      sdks: sdksOf(key, ofKeys),
    }));
    return {
      ...verdictOf(flag),
      countedSince,
      silent: silent.map(nameOf),
      days: course(days, dayStep, 30, now),
      hours: course(minutes, hourStep, 24, now),
      values: groupedBy(days, ({ value }) => value)
        .map(([value, rows]) => ({ value, ...sumOf(rows) }))
        .toSorted((a, b) => b.evaluations + b.seen - a.evaluations - a.seen || (a.value < b.value ? -1 : 1)),
      keys: keys.toSorted((a, b) => b.lastAt - a.lastAt),
    };
  });
}

function groupedBy<T>(rows: readonly T[], by: (row: T) => string): [string, T[]][] {
  return [...Map.groupBy(rows, by)];
}

function sumOf(rows: readonly Row[]): Counted {
  const sum = (of: readonly Row[]) => of.reduce((total, { count }) => total + count, 0);
  return {
    evaluations: sum(rows.filter(({ kind }) => kind !== 'seen')),
    seen: sum(rows.filter(({ kind }) => kind === 'seen')),
  };
}

/** The counts of the last `count` steps up to now. */
function course(rows: readonly Row[], step: number, count: number, now: number) {
  const first = now - (now % step) - (count - 1) * step;
  return Array.from({ length: count }, (_step, index) => {
    const at = first + index * step;
    return { at, ...sumOf(rows.filter((row) => row.at >= at && row.at < at + step)) };
  });
}
