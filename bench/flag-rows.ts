import type { FastifyReply, FastifyRequest } from 'fastify';
import { Histogram } from 'prom-client';
import { createRequestCounts } from '#server/platform/metrics/request-counts.ts';
import { freePort } from '#server/testing/free-port.ts';
import { evaluations, flagSet } from './flag-set.ts';
import { request } from './load-client.ts';
import { compare, type Comparison, type Effort } from './paired.ts';
import { freshEnvironment, startPortico, type Portico } from './portico.ts';
import type { ServerProcess } from './processes.ts';
import { limitRow, shareRow, type Row } from './report.ts';

/** GET /api/features through `serve`. */
export async function* featureRows(bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  const portico = await startPortico();
  try {
    let there = 0;
    for (const count of [20, 200]) {
      await portico.addFlags(flagSet(200, 20).slice(there, count));
      there = count;
      const path = `/api/features/${portico.keyOf('plain')}`;
      const { bytes, comparison } = await against(bare, portico, effort, 'GET', path, () =>
        request('GET', path),
      );
      yield shareRow(`GET /api/features, ${count} flags, ${bytes} bytes`, comparison, 0.75);
    }
  } finally {
    await portico.stop();
  }
  yield* belowABasePath(bare, effort);
}

/** The server removes the base path before it looks up the answer; the cost of that must not be visible. */
async function* belowABasePath(bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  const basePath = '/portico/deep';
  const environment = { ...(await freshEnvironment()), BASE_PATH: basePath };
  const portico = await startPortico(flagSet(200, 20).slice(0, 20), environment);
  try {
    const path = `${basePath}/api/features/${portico.keyOf('plain')}`;
    const { comparison } = await against(bare, portico, effort, 'GET', path, () => request('GET', path));
    yield shareRow('GET /api/features, 20 flags, below a base path', comparison, 0.75);
  } finally {
    await portico.stop();
  }
}

const few = 100;
/** More companies than requests, so that each person has a company of their own. */
const ownEach = Number.MAX_SAFE_INTEGER;

/** POST /api/eval: the attributes are shared by many people, or different for each. */
export async function* evaluationRows(bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  for (const { withRules, cases } of [
    {
      withRules: 20,
      cases: [
        {
          who: `people of ${few} companies share what the rules see`,
          companies: few,
          atLeast: 0.5,
          note: '',
        },
        { who: 'all different', companies: ownEach, atLeast: 0.25, note: '' },
      ],
    },
    {
      withRules: 200,
      cases: [
        {
          who: 'all different',
          companies: ownEach,
          atLeast: 0.18,
          note: " (2 × GrowthBook's proxy, 0.09)",
        },
      ],
    },
  ]) {
    const portico = await startPortico(flagSet(200, withRules));
    try {
      for (const { who, companies, atLeast, note } of cases) {
        const path = `/api/eval/${portico.keyOf('remote-eval')}`;
        const { bytes, comparison } = await against(bare, portico, effort, 'POST', path, () =>
          evaluations(path, companies),
        );
        const name = `POST /api/eval, 200 flags, ${withRules} with rules, ${who}, ${bytes} bytes`;
        yield shareRow(name, comparison, atLeast, note);
      }
    } finally {
      await portico.stop();
    }
  }
}

/**
 * What counting and timing add to POST /api/eval, and how long a scrape blocks the event loop. Two processes of one
 * build differ by up to 6 % in requests a second, which hides the promised 2 %: the added work is timed alone.
 */
export async function* metricsRows(bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  const environment = { ...(await freshEnvironment()), METRICS_PORT: String(await freePort()) };
  const measured = await startPortico(flagSet(200, 20), environment, { watched: true });
  try {
    const path = `/api/eval/${measured.keyOf('remote-eval')}`;
    const { comparison } = await against(bare, measured, effort, 'POST', path, () => evaluations(path, few));
    const [added, whole] = [microsecondsOfCounting(), comparison.cpu.portico];
    const words = ` (${added.toFixed(2)} of ${whole.toFixed(0)} µs of processor)`;
    yield limitRow('POST /api/eval, what metrics add', (added / whole) * 100, '%', 2, words);
    const text = () =>
      fetch(`http://127.0.0.1:${environment['METRICS_PORT']}/metrics`).then((answer) => answer.text());
    await text();
    await measured.longestBlock();
    const series = (await text()).split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
    const held = await measured.longestBlock();
    yield limitRow('A scrape holds up the event loop', held, 'ms', 20, `; ${series} series`);
  } finally {
    await measured.stop();
  }
}

/** For one answer: a count by route and status, and a histogram of eleven buckets as in `/metrics`. */
function microsecondsOfCounting(): number {
  const durations = new Histogram({ name: 'durations', help: 'As in /metrics.', registers: [] });
  const counts = createRequestCounts();
  counts.measureWith((seconds) => durations.observe(seconds));
  const route: Partial<FastifyRequest['routeOptions']> = {
    config: { url: '/api/eval/:key', method: 'POST' },
    url: '/api/eval/:key',
    method: 'POST',
  };
  const [answers, reply] = [1_000_000, { raw: { statusCode: 200 }, elapsedTime: 1 }];
  const begun = performance.now();
  for (let answer = 0; answer < answers; answer += 1)
    counts.answered(route as FastifyRequest['routeOptions'], reply as FastifyReply);
  return ((performance.now() - begun) * 1_000) / answers;
}

/** Both sides get the same requests and answer with as many bytes. */
async function against(
  bare: ServerProcess,
  portico: Portico,
  effort: Effort,
  method: 'GET' | 'POST',
  path: string,
  requests: () => Buffer | (() => Buffer),
): Promise<{ bytes: number; comparison: Comparison }> {
  const sequence = () => {
    const made = requests();
    return typeof made === 'function' ? made : () => made;
  };
  const answer = await oneAnswer(portico, method, path, sequence()());
  await fetch(`http://127.0.0.1:${bare.port}${path}`, { method: 'PUT', body: answer });
  const comparison = await compare(
    { bare: { server: bare, next: sequence() }, portico: { server: portico, next: sequence() } },
    effort,
  );
  return { bytes: answer.length, comparison };
}

async function oneAnswer(portico: Portico, method: string, path: string, whole: Buffer): Promise<string> {
  const body = whole.toString().split('\r\n\r\n')[1] ?? '';
  const response = await fetch(portico.url + path, {
    method,
    headers: { 'accept-encoding': 'identity', 'content-type': 'application/json' },
    ...(body === '' ? {} : { body }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}.`);
  return response.text();
}
