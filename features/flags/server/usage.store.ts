import { sql } from 'kysely';
import type { Reader, Writer } from '#server/platform/database/database.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /**
     * Counts per five minutes (kept two days) and per day in UTC (kept 30 days); all processes add to them.
     */
    flag_usage: {
      /** The length, in milliseconds, of the time that the row covers. */
      step: number;
      /** Empty if the count is only about the client key. */
      flag_key: string;
      at: number;
      client_key: string;
      kind: string;
      /** The value as counted text; for the kind `sdk`, the SDK's name and version. */
      value: string;
      count: number;
      last_at: number;
    };
  }
}

// The only SQL that writes the counts of flags.

/**
 * Counts about a flag:
 *
 * - `bulk`: evaluated together with all others.
 * - `asked`: evaluated because a client asked for it by name.
 * - `seen`: an SDK that evaluates itself reported that it used the value, once for several evaluations.
 *
 * Counts about a client key:
 *
 * - `whole`: all flags, or their values, were read.
 * - `own`: all flags were read by Portico's own web, whose code reads no flag of an operator.
 * - `stream`: clients that were connected, each minute.
 * - `single`: one flag was read by its name.
 * - `refused`: a request with the key that was refused.
 * - `unkept`: variations of people that could not be stored.
 * - `events`, `unknown`: reported uses of existing flags, and of flags that do not exist.
 * - `sdk`: reported events of one version of an SDK.
 */
export type UsageKind =
  | 'bulk'
  | 'asked'
  | 'seen'
  | 'whole'
  | 'own'
  | 'stream'
  | 'single'
  | 'refused'
  | 'unkept'
  | 'events'
  | 'unknown'
  | 'sdk';

export type UsageCount = {
  flagKey: string;
  clientKey: string;
  kind: UsageKind;
  value: string;
  at: number;
  count: number;
};

export const minuteStep = 300_000;
export const dayStep = 86_400_000;
export const hourStep = 3_600_000;
const retention = { [minuteStep]: 2 * dayStep, [dayStep]: 30 * dayStep };

/** Adds counts to the rows of their five minutes and of their day. */
export async function addUsage(tx: Writer, counts: readonly UsageCount[]): Promise<void> {
  for (const step of [minuteStep, dayStep]) {
    const rows = new Map<string, ReturnType<typeof rowOf>>();
    for (const each of counts) {
      const row = rowOf(each, step);
      const key = JSON.stringify([row.flag_key, row.at, row.client_key, row.kind, row.value]);
      const known = rows.get(key);
      if (known === undefined) rows.set(key, row);
      else {
        known.count += row.count;
        known.last_at = Math.max(known.last_at, row.last_at);
      }
    }
    // All processes write rows in the same order, so that two of them cannot deadlock on the same rows.
    const inOrder = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    await tx
      .insertInto('flag_usage')
      .values(inOrder)
      .onConflict((conflict) =>
        conflict.columns(['step', 'flag_key', 'at', 'client_key', 'kind', 'value']).doUpdateSet({
          count: sql`flag_usage.count + excluded.count`,
          last_at: sql`case when excluded.last_at > flag_usage.last_at then excluded.last_at else flag_usage.last_at end`,
        }),
      )
      .execute();
  }
}

function rowOf({ flagKey, clientKey, kind, value, at, count }: UsageCount, step: number) {
  return {
    step,
    flag_key: flagKey,
    at: at - (at % step),
    client_key: clientKey,
    kind: kind as string,
    value,
    count,
    last_at: at,
  };
}

/** Removes up to `most` rows that are too old; answers how many were removed. */
export async function removeUsage(tx: Writer, now: number, most: number): Promise<number> {
  let removed = 0;
  for (const step of [minuteStep, dayStep] as const) {
    const { numDeletedRows } = await tx
      .deleteFrom('flag_usage')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('flag_key', 'at', 'client_key', 'kind', 'value'),
          'in',
          selectFrom('flag_usage')
            .select(['flag_key', 'at', 'client_key', 'kind', 'value'])
            .where('step', '=', step)
            .where('at', '<', now - (retention[step] ?? 0))
            .limit(most - removed)
            .$asTuple('flag_key', 'at', 'client_key', 'kind', 'value'),
        ),
      )
      .where('step', '=', step)
      .executeTakeFirstOrThrow();
    removed += Number(numDeletedRows);
  }
  return removed;
}

/** The counts of one flag: by day, and per five minutes for the last 24 hours. */
export async function readFlagUsage(read: Reader, flagKey: string, now: number) {
  const ofFlag = (step: number, from: number) =>
    read
      .selectFrom('flag_usage')
      .where('step', '=', step)
      .where('flag_key', '=', flagKey)
      .where('at', '>=', from);
  const days = await ofFlag(dayStep, now - retention[dayStep])
    .select(['at', 'client_key', 'kind', 'value', 'count', 'last_at'])
    .execute();
  const minutes = await ofFlag(minuteStep, now - (now % hourStep) - 23 * hourStep)
    .select(({ fn }) => ['at', 'kind', fn.sum<number | string>('count').as('count')])
    .groupBy(['at', 'kind'])
    .execute();
  return { days, minutes: minutes.map((row) => ({ ...row, count: Number(row.count) })) };
}

/** When each flag was last asked for by name, or reported as used. */
export function readLastUses(read: Reader) {
  return read
    .selectFrom('flag_usage')
    .select(({ fn }) => ['flag_key', fn.max('last_at').as('last_at')])
    .where('step', '=', dayStep)
    .where('kind', 'in', ['asked', 'seen'])
    .groupBy('flag_key')
    .execute();
}

/** The counts of client keys since a time, for each kind and value. */
export async function readKeyUsage(read: Reader, from: number) {
  const rows = await read
    .selectFrom('flag_usage')
    .select(({ fn }) => [
      'client_key',
      'kind',
      'value',
      fn.sum<number | string>('count').as('count'),
      fn.min('at').as('first_at'),
      fn.max('last_at').as('last_at'),
    ])
    .where('step', '=', dayStep)
    .where('flag_key', '=', '')
    .where('at', '>=', from - (from % dayStep))
    .groupBy(['client_key', 'kind', 'value'])
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}
