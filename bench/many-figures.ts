import { insert, runIn } from './database-rows.ts';

const flags = 2_000;
const rowsAtOnce = 500;
const stepMs = 300_000;
const dayMs = 24 * 3_600_000;

/** Inserts what the overview reads besides reports: 2,000 old flags, and 30 days of figures of two processes. */
export function addManyFigures(environment: NodeJS.ProcessEnv): Promise<void> {
  return runIn(environment, [...statements()]);
}

function* statements(): Generator<string> {
  const now = Date.now();
  const keys = Array.from({ length: flags }, (_each, index) => `BENCH_${index}`);
  yield* inserts(
    'flag',
    keys.map((key, index) => ({
      key,
      type: 'boolean',
      description: '',
      default_value: 'false',
      enabled: 1,
      rules: index % 2 === 0 ? '[]' : `[{"id":"r","condition":{"plan":"p${index}"},"force":true}]`,
      tags: '[]',
      created_at: now - 90 * dayMs,
      changed_at: now - 60 * dayMs,
      version: 1,
    })),
  );
  const last = Math.floor(now / stepMs) * stepMs;
  const buckets = Array.from({ length: (30 * dayMs) / stepMs }, (_each, index) => last - index * stepMs);
  const figures = { people: 400, sdks: 60, sdk_minutes: 300, minutes: 31, evaluations: 5_000 };
  yield* inserts(
    'activity',
    buckets.flatMap((at) =>
      ['one', 'other'].map((process_id) => ({ at, process_id, ...figures, seen_at: at + stepMs })),
    ),
  );
}

function* inserts(table: string, rows: readonly Record<string, string | number>[]): Generator<string> {
  for (let first = 0; first < rows.length; first += rowsAtOnce)
    yield insert(table, rows.slice(first, first + rowsAtOnce));
}
