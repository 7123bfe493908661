import { type Server, createServer } from 'node:http';
import { hash, timingSafeEqual } from 'node:crypto';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { feature } from '#server/feature.ts';
import type { Core, Feature } from '#server/core.ts';
import { readMetrics } from '#features/metrics/contract/metrics.ts';
import type { MetricsSettings } from '#server/config.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Database } from '#server/platform/database/database.ts';
import type { Metrics, Reading } from '#server/platform/metrics/metrics.ts';
import { createExposition, type Exposition } from './exposition.ts';

export const metricsFeature = feature({ create: createMetricsFeature });

/** Shows what the capabilities measure (`core.metrics`) to Prometheus (RUN-6). */
async function createMetricsFeature(core: Core): Promise<Feature> {
  const { config, metrics, logger } = core;
  const settings = config.metrics;
  if (settings === null) return { routes: (serve) => metricsRoutes(serve, null, null) };

  const exposition = await createExposition(core);
  const endMeasuring = addProcessMetrics(metrics, core.database, core.version);
  let server: Server | null = null;
  return {
    routes: (serve) => metricsRoutes(serve, settings.token, exposition),
    async start() {
      const { port } = settings;
      if (port === null) return;
      server = await listenForMetrics({ ...settings, port }, exposition, (error) =>
        logger.error({ err: error }, 'the metrics could not be read'),
      );
      logger.info({ address: server.address() }, 'metrics');
    },
    close() {
      endMeasuring();
      server?.close();
      server?.closeAllConnections();
    },
  };
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Whether a request has the token. It compares hashes of equal length, so that the time reveals nothing. */
function showsToken(authorization: string | undefined, token: string): boolean {
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));
}

/** `/metrics` on the main port, for requests with the token. Without a configured token it answers 404. */
function metricsRoutes(
  serve: Serve,
  token: string | null,
  exposition: Pick<Exposition, 'contentType' | 'text'> | null,
): void {
  serve(readMetrics, async ({ request, reply }) => {
    if (token === null || exposition === null) throw new HttpProblem('NOT_FOUND');
    if (!showsToken(request.headers.authorization, token))
      throw new HttpProblem('UNAUTHENTICATED', {
        detail: 'Send METRICS_TOKEN as a bearer.',
        headers: { 'www-authenticate': 'Bearer' },
      });
    const text = await exposition.text();
    void reply.header('content-type', exposition.contentType).header('cache-control', 'no-store').send(text);
  });
}

/** `/metrics` on a port of its own, with nothing else; resolves once it listens. */
async function listenForMetrics(
  { host, port, token }: MetricsSettings & { port: number },
  { contentType, text }: Pick<Exposition, 'contentType' | 'text'>,
  onError: (error: unknown) => void,
): Promise<Server> {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    request.resume();
    const answer = (status: number, body: string, type = 'text/plain; charset=utf-8'): void =>
      void response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.url?.split('?', 1)[0] !== readMetrics.path)
      answer(404, `Only GET ${readMetrics.path} is answered here.\n`);
    else if (token !== null && !showsToken(request.headers.authorization, token)) {
      response.setHeader('www-authenticate', 'Bearer');
      answer(401, 'Send METRICS_TOKEN as a bearer.\n');
    } else
      text().then(
        (metrics) => answer(200, metrics, contentType),
        (error: unknown) => {
          onError(error);
          answer(500, 'The log has the reason.\n');
        },
      );
  });
  server.maxConnections = 20;
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, host, listening);
  }).catch((error: unknown) => {
    throw new Error(`The port of METRICS_PORT, ${port} at ${host}, cannot be listened on: ${String(error)}`, {
      cause: error,
    });
  });
  return server;
}

const nanoseconds = 1e9;
const resolution = 20;

/** Adds metrics of the process, named as in Prometheus' clients for Node; returns a function that ends them. */
function addProcessMetrics({ add }: Metrics, database: Database, version: string): () => void {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  const startedAt = Math.round(performance.timeOrigin) / 1_000;
  const metric =
    (type: 'counter' | 'gauge') =>
    (name: string, help: string, read: () => Reading, label?: string): void =>
      add({ type, of: 'process', name, help, read, ...(label !== undefined && { label }) });
  const counter = metric('counter');
  const gauge = metric('gauge');

  gauge(
    'portico_event_loop_delay_seconds',
    'How late the event loop was since the scrape before: mean, 99th percentile and maximum.',
    () => readDelay(delay),
    'statistic',
  );
  counter(
    'portico_event_loop_active_seconds_total',
    'How long the event loop was at work. Its rate is the share of one core that is in use.',
    () => performance.eventLoopUtilization().active / 1_000,
  );
  counter('process_cpu_seconds_total', 'Time on all cores, that of the threads included.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  gauge('process_resident_memory_bytes', 'Memory in use.', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed);
  gauge('nodejs_heap_size_total_bytes', 'Heap reserved.', () => process.memoryUsage().heapTotal);
  gauge('nodejs_external_memory_bytes', 'Memory outside the heap.', () => process.memoryUsage().external);
  gauge('process_start_time_seconds', 'When it started, as a Unix time.', () => startedAt);
  gauge(
    'portico_build_info',
    'Always 1; the label is the version of Portico.',
    () => ({ [version]: 1 }),
    'version',
  );
  gauge(
    'portico_database_connections',
    'Connections of the pool to PostgreSQL; on SQLite there are none.',
    () => database.load().connections,
    'state',
  );
  gauge(
    'portico_database_waiting',
    'Statements that wait for a connection, and changes that wait for those before them.',
    () => database.load().waiting,
  );
  return () => delay.disable();
}

/** The delay since the last reading, in seconds; starts a new measurement. */
function readDelay(delay: ReturnType<typeof monitorEventLoopDelay>): Reading {
  const measured = { mean: delay.mean, p99: delay.percentile(99), max: delay.max };
  delay.reset();
  // Right after a scrape, nothing has been measured yet.
  if (Number.isNaN(measured.mean)) return null;
  // Node measures the time between two ticks, which without any delay is the resolution.
  const late = (between: number): number => Math.max(0, between / nanoseconds - resolution / 1_000);
  return { mean: late(measured.mean), p99: late(measured.p99), max: late(measured.max) };
}
