import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compare, spread, type Effort } from './paired.ts';
import { call } from '../dev/call.ts';
import { freshEnvironment, startPortico, temporaryFolder, type Portico } from './portico.ts';
import { freePort } from '#server/testing/free-port.ts';
import { serving, startScript, type ServerProcess } from './processes.ts';
import { limitRow, shareRow, type Row } from './report.ts';
import { signIn } from './signed-in.ts';

/** Envelopes as SDKs send them: how many are stored, and what a flood of them does to everything else. */
export async function* intakeRows(_bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  yield await throughputRow(effort);
  yield* floodRows(effort);
}

/** The number of different errors in the envelopes. */
const kinds = 50;

async function throughputRow(effort: Effort): Promise<Row> {
  const portico = await startPortico();
  const port = await freePort();
  const file = join(temporaryFolder(), 'rows.db');
  const script = [join(import.meta.dirname, 'bare-intake.ts'), String(port), file];
  const bare = await serving(startScript(script), port, '/');
  try {
    const key = await keyOfProject(portico);
    const ask = (path: string) => {
      const ready = Array.from({ length: kinds }, (_each, kind) => envelopeRequest(path, kind));
      let turn = 0;
      return () => {
        const { bytes, ids } = ready[(turn += 1) % kinds] as ReturnType<typeof envelopeRequest>;
        const id = randomBytes(16).toString('hex');
        for (const at of ids) bytes.write(id, at, 'latin1');
        return Buffer.from(bytes);
      };
    };
    const comparison = await compare(
      {
        bare: { server: bare, next: ask('/') },
        portico: { server: portico, next: ask(`/api/1/envelope/?sentry_key=${key}`) },
      },
      effort,
    );
    return shareRow(
      'Envelope with an error of 3 kB, grouped and on disk (bare: stores the same rows by node:sqlite)',
      comparison,
      0.3,
    );
  } finally {
    await bare.stop();
    await portico.stop();
  }
}

/** The key of Portico's own project, from the DSN in the start page. */
export async function keyOfProject({ url, environment }: Portico): Promise<string> {
  const page = await (
    await fetch(`${url}/`, { headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' } })
  ).text();
  const key = /[/@]?([0-9a-f]{32})@/.exec(page)?.[1];
  if (key === undefined) throw new Error(`No DSN in the page of ${environment['PUBLIC_URL']}.`);
  return key;
}

/** A request with one error, and the positions of its event id in the bytes. */
export function envelopeRequest(path: string, kind: number): { bytes: Buffer; ids: number[] } {
  const blank = '0'.repeat(32);
  const frames = Array.from({ length: 12 }, (_each, at) => ({
    filename: `https://shop.example.org/assets/part${at}-1a2b3c4d.js`,
    function: `load${at === 11 ? `Kind${kind}` : at}`,
    lineno: 1,
    colno: 1_000 + at,
    in_app: true,
  }));
  const event = {
    event_id: blank,
    timestamp: 1_764_000_000.5,
    platform: 'javascript',
    level: 'error',
    release: `shop@1.${kind % 7}.0`,
    environment: 'production',
    user: { id: `person-${kind}` },
    request: {
      url: 'https://shop.example.org/cart',
      headers: {
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36',
      },
    },
    breadcrumbs: Array.from({ length: 10 }, (_each, at) => ({
      timestamp: 1_764_000_000 + at,
      category: 'ui.click',
      message: `body > main > button.item-${at}`,
    })),
    exception: { values: [{ type: 'TypeError', value: `Item ${kind} is gone`, stacktrace: { frames } }] },
  };
  const body = `{"event_id":"${blank}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`;
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/plain;charset=UTF-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  const text = head + body;
  const first = text.indexOf(blank);
  return { bytes: Buffer.from(text), ids: [first, text.indexOf(blank, first + 1)] };
}

const offered = 10_000;
const floodMs = 8_000;
const settleMs = 3_000;

/** Uses the default rate limits: most of the flood is answered with 429. */
async function* floodRows(effort: Effort): AsyncGenerator<Row> {
  const environment = { ...(await freshEnvironment()), RATE_LIMIT_SCALE: '1' };
  const portico = await startPortico([], environment, { watched: true });
  try {
    const key = await keyOfProject(portico);
    const before = await latencies(portico, 2_000);
    const { bytes } = envelopeRequest(`/api/1/envelope/?sentry_key=${key}`, 0);
    const flood = startScript(
      [
        join(import.meta.dirname, 'flood-client.ts'),
        String(portico.port),
        String(offered),
        bytes.toString('base64'),
      ],
      { core: 'client', ipc: true },
    );
    await pause(settleMs);
    const memory = portico.memory();
    await portico.longestBlock();
    const during = await latencies(portico, floodMs * (effort.rounds > 5 ? 2 : 1));
    const block = await portico.longestBlock();
    const grown = portico.memory() - memory;
    flood.send('end');
    const [{ answers, seconds, offered: tried, sent }] = (await once(flood, 'message')) as [FloodResult];
    const rate = Object.values(answers).reduce((sum, count) => sum + count, 0) / seconds;
    const figures = `${Math.round(tried / seconds)} offered, ${Math.round(sent / seconds)} sent and ${Math.round(rate)} answered a second (${Object.entries(
      answers,
    )
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ')})`;
    for (const what of ['feedback', 'sign-in'] as const) {
      const { median, high } = spread(during[what]);
      yield limitRow(
        `${what} during a flood of ${offered.toLocaleString('en')} errors a second`,
        median,
        'ms',
        250,
        ` (upper quartile ${high.toFixed(0)}, longest ${Math.max(...during[what]).toFixed(0)} of ${during[what].length}; without it ${spread(before[what]).median.toFixed(0)})`,
      );
    }
    yield limitRow('Event loop held up by the flood, the longest', block, 'ms', 20, `; ${figures}`);
    yield limitRow('Memory that the flood adds', grown / 2 ** 20, 'MiB', 48, ' after its first seconds');
  } finally {
    await portico.stop();
  }
}

export type FloodResult = { answers: Record<string, number>; seconds: number; offered: number; sent: number };

/** Sends feedback and signs in, one request after the other, for a time; returns the milliseconds of each. */
async function latencies(portico: Portico, milliseconds: number) {
  const taken = { feedback: [] as number[], 'sign-in': [] as number[] };
  const end = performance.now() + milliseconds;
  for (let turn = 0; performance.now() < end; turn += 1) {
    const begun = performance.now();
    // The rate limits of senders are not measured here: a few requests a second stay below them.
    if (turn % 8 === 0) await signIn(portico);
    else
      await call(portico.url, portico.token, 'POST', '/v1/feedback', {
        message: `It stutters ${turn}.`,
      }).catch(refused);
    taken[turn % 8 === 0 ? 'sign-in' : 'feedback'].push(performance.now() - begun);
    await pause(100);
  }
  return taken;
}

function refused(error: unknown): void {
  if (!String(error).includes('429')) throw error;
}
