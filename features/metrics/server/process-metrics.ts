import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Database } from '#server/platform/database/database.ts';
import type { Metrics, Reading } from '#server/platform/metrics/metrics.ts';

const nanoseconds = 1e9;
const resolution = 20;

/** What the process itself is doing, under the names that Prometheus' clients for Node use; answers its end. */
export function addProcessMetrics({ add }: Metrics, database: Database, version: string): () => void {
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

/** In seconds; starts to measure again. */
function readDelay(delay: ReturnType<typeof monitorEventLoopDelay>): Reading {
  const measured = { mean: delay.mean, p99: delay.percentile(99), max: delay.max };
  delay.reset();
  // Nothing was measured yet in the moment after a scrape.
  if (Number.isNaN(measured.mean)) return null;
  // Node measures the time between two ticks, which without any delay is the resolution.
  const late = (between: number): number => Math.max(0, between / nanoseconds - resolution / 1_000);
  return { mean: late(measured.mean), p99: late(measured.p99), max: late(measured.max) };
}
