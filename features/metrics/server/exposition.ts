import type { Counter, Gauge } from 'prom-client';
import type { Core } from '#server/core.ts';
import type { Metric, Reading } from '#server/platform/metrics/metrics.ts';
import { singleFlight, within } from '#server/platform/time/clock.ts';

/** Readings of the database are cached for this time, so that many scrapers cost no more than one. */
const readAgainMs = 5_000;
/** Timeout of the database: a scrape ends after ten seconds by default, and must have the process's own metrics. */
const databaseMs = 2_000;

const whose = {
  process: 'Of this process alone.',
  database: 'Read from the database: the same on all replicas.',
} as const;

/** What the database held, and how long it took to answer. */
type FromDatabase = { at: number; seconds: number; readings: Map<string, Reading> };

export type Exposition = {
  contentType: string;
  /** All metrics as text. */
  text(): Promise<string>;
};

/** Writes all metrics in Prometheus' format. Called only where metrics are set up, since it loads a library. */
export async function createExposition(core: Core): Promise<Exposition> {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const { metrics, database, clock, logger } = core;
  const registry = new Registry();
  const registers = [registry];
  const written = new Map<string, Counter | Gauge>();

  /** A counter of requests, which `count` fills at each scrape. */
  function counter(
    name: string,
    help: string,
    labelNames: string[],
    count: (counter: Counter) => void,
  ): void {
    const collect = function (this: Counter): void {
      this.reset();
      count(this);
    };
    registry.registerMetric(
      new Counter({ name, help: `${help} ${whose.process}`, labelNames, registers: [], collect }),
    );
  }
  const routes = () => metrics.requests?.routes() ?? [];
  counter(
    'portico_http_requests_total',
    'Answers by route and first digit of the status.',
    ['method', 'route', 'status'],
    (total) => {
      for (const { method, route, answers } of routes())
        answers.forEach((count, digit) => total.inc({ method, route, status: `${digit}xx` }, count));
    },
  );
  counter(
    'portico_http_request_seconds_total',
    'How long the requests of a route took, without streams and without answers that are sent from memory.',
    ['method', 'route'],
    (total) => {
      for (const { method, route, seconds } of routes()) total.inc({ method, route }, seconds);
    },
  );
  counter('portico_http_responses_total', 'Answers by their status.', ['status'], (total) => {
    for (const [status, count] of Object.entries(metrics.requests?.statuses ?? {}))
      total.inc({ status }, count);
  });
  const durations = new Histogram({
    name: 'portico_http_request_duration_seconds',
    help: `How long requests took, without streams and without answers that are sent from memory. ${whose.process}`,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  metrics.requests?.measureWith((seconds) => durations.observe(seconds));

  function write({ name, help, type, label, of }: Metric, reading: Reading): void {
    const settings = {
      name,
      help: `${help} ${whose[of]}`,
      labelNames: label === undefined ? [] : [label],
      registers,
    };
    const metric = written.get(name) ?? new (type === 'counter' ? Counter : Gauge)(settings);
    written.set(name, metric);
    metric.reset();
    if (reading === null && label === undefined) metric.remove({});
    else if (reading === null) return;
    else if (typeof reading === 'number') metric.inc(reading);
    else for (const [value, count] of Object.entries(reading)) metric.inc({ [label ?? '']: value }, count);
  }

  let last: FromDatabase | null = null;
  const readDatabase = singleFlight(async (): Promise<FromDatabase | null> => {
    const began = performance.now();
    try {
      // Metrics are read in turn, so that on PostgreSQL a scrape takes one connection from the pool, not all.
      const readings = new Map<string, Reading>();
      for (const metric of metrics.all)
        if (metric.of === 'database')
          readings.set(metric.name, await metric.read(database.longReads, clock.now()));
      last = { at: performance.now(), seconds: (performance.now() - began) / 1_000, readings };
      return last;
    } catch (error) {
      logger.warn({ err: error }, 'the database could not be read for the metrics');
      return null;
    }
  });

  const text = singleFlight(async () => {
    const isFresh = last !== null && performance.now() - last.at < readAgainMs;
    const stored = isFresh ? last : await within(databaseMs, readDatabase(), null);
    for (const metric of metrics.all)
      write(metric, metric.of === 'process' ? metric.read() : (stored?.readings.get(metric.name) ?? null));
    write(databaseUp, stored === null ? 0 : 1);
    write(databaseSeconds, stored?.seconds ?? null);
    return registry.metrics();
  });
  return { contentType: registry.contentType, text };
}

/** Metrics that the scrape itself writes. */
const ofScrape = { type: 'gauge', of: 'process', read: () => null } as const;
const databaseUp: Metric = {
  ...ofScrape,
  name: 'portico_database_up',
  help: 'Whether the database answered the scrape within two seconds: 1 or 0.',
};
const databaseSeconds: Metric = {
  ...ofScrape,
  name: 'portico_database_read_seconds',
  help: 'How long the database took for what a scrape reads, with the wait for a connection.',
};
