import type { Reader } from '../database/database.ts';
import { createRequestCounts, type RequestCounts } from './request-counts.ts';

/** What a metric is now: one value, or one for each value of its label. Null: there is none now. */
export type Reading = number | null | Readonly<Record<string, number>>;

type Named = {
  /** As Prometheus names it, with its unit: `portico_mails_oldest_waiting_seconds`. */
  name: string;
  /** A sentence. Where it is shown, the text adds whether the value is of this process or the database. */
  help: string;
  /** The name of its label. Its values are a closed list of this program or its configuration, never what was sent. */
  label?: string;
};

/** A metric of this process alone, or one read from the database at the scrape, the same on all replicas. */
export type Metric = Named &
  (
    | { type: 'counter' | 'gauge'; of: 'process'; read(): Reading }
    | { type: 'gauge'; of: 'database'; read(read: Reader, now: number): Promise<Reading> }
  );

/** What the capabilities measure (RUN-6). While no one may read it, nothing is counted or read. */
export type Metrics = {
  /** Null while metrics are off. */
  readonly requests: RequestCounts | null;
  readonly all: readonly Metric[];
  add(metric: Metric): void;
  /** Returns a function that counts one of `values`, which costs an addition, in this process alone. */
  counter<const V extends string>(named: Named & { label: string; values: readonly V[] }): (value: V) => void;
};

/**
 * Adds two metrics of what waits to be sent: how much there is, and for how long the oldest has waited.
 *
 * @param waiting reads how many there are, and since when the oldest waits, or null
 */
export function addWaiting(
  { add }: Pick<Metrics, 'add'>,
  name: string,
  help: string,
  waiting: (read: Reader) => Promise<{ count: number; since: number | null }>,
): void {
  const gauge = { type: 'gauge', of: 'database' } as const;
  add({
    ...gauge,
    name: `portico_${name}_waiting`,
    help: `${help}.`,
    read: async (read) => (await waiting(read)).count,
  });
  add({
    ...gauge,
    name: `portico_${name}_oldest_waiting_seconds`,
    help: `${help}: for how long the oldest has waited.`,
    async read(read, now) {
      const { since } = await waiting(read);
      return since === null ? 0 : Math.max(0, now - since) / 1_000;
    },
  });
}

const nothing = (): void => undefined;

/** @param on whether there is anyone who may read metrics */
export function createMetrics(on: boolean): Metrics {
  if (!on) return { requests: null, all: [], add: nothing, counter: () => nothing };
  const all: Metric[] = [];
  return {
    requests: createRequestCounts(),
    all,
    add: (metric) => void all.push(metric),
    counter({ values, ...named }) {
      const counts = Object.fromEntries(values.map((value) => [value, 0])) as Record<string, number>;
      all.push({ ...named, type: 'counter', of: 'process', read: () => counts });
      return (value) => void ((counts[value] as number) += 1);
    },
  };
}
