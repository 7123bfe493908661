import { statSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readCommandLine } from '../dev/command-line.ts';
import { buildServer } from '../dev/prepare.mjs';
import { createChanges } from './event-rows.ts';
import { flagSet } from './flag-set.ts';
import { envelopeRequest, keyOfProject } from './intake-rows.ts';
import { accessTokenOf, accessTokensOf, manySessions } from './many-people.ts';
import { quantile } from './paired.ts';
import { call } from '../dev/call.ts';
import { freshEnvironment, startPortico, type Portico } from './portico.ts';
import { freePort } from '#server/testing/free-port.ts';
import { pinClient, serving, startBare, startScript } from './processes.ts';
import { limitRow, printHead, printRow, type Row } from './report.ts';
import { signIn } from './signed-in.ts';
import { changeOnce, openStreams, startReaders, whyTooMany } from './stream-readers.ts';

/** How often a person does each action in an hour; a `bare read` goes to the bare server, at times of its own. */
const perHour = {
  read: 60,
  'bare read': 60,
  poll: 60,
  'page through the gateway': 60,
  renewal: 12,
  envelope: 6,
  report: 2,
  'sign-in': 0.25,
};
type Action = keyof typeof perHour;

const tickMs = 10;
const changeEveryMs = 10_000;
/** In shorter runs, the garbage collector moves the memory by more than the growth that is judged. */
const judgedMinutes = 10;
const addresses = 8;

const { values } = readCommandLine(
  { options: { people: { type: 'string', default: '200' }, minutes: { type: 'string', default: '1' } } },
  `Usage: npm run soak -- [--people 200] [--minutes 1]

People work with a Portico of its own, from several loopback addresses: each has an event stream open, polls flags, reads rights,
renews the access token, opens pages through the gateway, and sends errors and reports; some sign in, and every 10 seconds a change
reaches all of them. Ends with 1 where an acknowledged write is not found, a request fails, reads are more than 50 ms slower than
those of a bare server in the same run (99th percentile), or, from ${judgedMinutes} minutes on, the memory of the last third grows by over 2 %.`,
);
const [people, minutes] = [Number(values.people), Number(values.minutes)];
if (!Number.isInteger(people) || people < 1 || !(minutes > 0)) {
  console.error('--people takes a whole number from 1, --minutes a number above 0.');
  process.exit(2);
}
if (!(await buildServer())) process.exit(1);

printHead();
pinClient();
const agents = Array.from(
  { length: addresses },
  (_each, at) =>
    new Agent({
      keepAlive: true,
      // Portico closes idle connections after 72 s; this client has stopped using them by then.
      timeout: 30_000,
      ...(process.platform === 'linux' ? { localAddress: `127.0.0.${at + 2}` } : {}),
    }),
);
const bare = await startBare();
const application = await startApplication();
const environment = await freshEnvironment();
environment['PUBLIC_URL'] += '/portico';
environment['UPSTREAM_URL'] = `http://127.0.0.1:${application.port}`;
const portico = await startPortico(flagSet(50, 10), environment);
const readers = startReaders();
try {
  const reason = whyTooMany(people, portico);
  if (reason !== null) throw new Error(reason);
  const rows = await soak(portico);
  for (const row of rows) printRow(row);
  process.exitCode = rows.some(({ met }) => met === false) ? 1 : 0;
} finally {
  readers.kill();
  for (const agent of agents) agent.destroy();
  await Promise.all([portico.stop(), bare.stop(), application.stop()]);
}

async function startApplication() {
  const port = await freePort();
  const child = startScript([`${import.meta.dirname}/bare-application.ts`, String(port)], { core: 'client' });
  return serving(child, port, '/page');
}

async function soak({ url, token, port }: Portico): Promise<Row[]> {
  const base = new URL(url).pathname;
  const cookies = await manySessions(portico, people);
  const tokens = await accessTokensOf(portico, cookies);
  const renewedAt = tokens.map(() => performance.now());
  await fetch(`http://127.0.0.1:${bare.port}/read`, { method: 'PUT', body: '["PEOPLE_READ"]' });
  const ofStreams = await openStreams(portico, readers, `${base}/v1/events?tabs=1&unsaved=0`, people, tokens);
  let changes = await createChanges(portico, tokens[0] ?? '');
  const key = await keyOfProject(portico);
  const [flags, envelopes] = [
    `${base}/api/features/${portico.keyOf('plain')}`,
    `/api/1/envelope/?sentry_key=${key}`,
  ];

  const times: Record<Action, number[]> = {
    read: [],
    'bare read': [],
    poll: [],
    'page through the gateway': [],
    renewal: [],
    envelope: [],
    report: [],
    'sign-in': [],
  };
  const failures = new Map<string, number>();
  const acknowledged = { reports: new Set<string>(), errors: 0, change: '' };
  const reached: number[] = [];
  let turn = 0;

  async function renew(person: number): Promise<void> {
    tokens[person] = await accessTokenOf(portico, cookies[person] ?? '');
    // Set only now: until the new token is there, other requests renew it as well instead of using the old one.
    renewedAt[person] = performance.now();
  }

  /** The header with an access token: a token is valid for five minutes, and a browser renews it before its end. */
  async function bearer(person: number): Promise<{ authorization: string }> {
    if (performance.now() - (renewedAt[person] ?? 0) > 240_000) await renew(person);
    return { authorization: `Bearer ${tokens[person]}` };
  }

  async function timed<T>(kind: Action, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const answer = await work();
    times[kind].push(performance.now() - begun);
    return answer;
  }

  const actions: Record<Action, (person: number) => Promise<unknown>> = {
    async read(person) {
      const headers = await bearer(person);
      await timed('read', () => ask(port, 'GET', `${base}/v2/users/current/permissions`, headers));
    },
    'bare read': () => timed('bare read', () => ask(bare.port, 'GET', '/read')),
    poll: () => timed('poll', () => ask(port, 'GET', flags)),
    'page through the gateway': (person) =>
      timed('page through the gateway', () => ask(port, 'GET', '/page', { cookie: cookies[person] ?? '' })),
    renewal: (person) => timed('renewal', () => renew(person)),
    async envelope() {
      const { bytes } = envelopeRequest('/', turn % 50);
      const text = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4).toString();
      const id = crypto.randomUUID().replaceAll('-', '');
      const body = text.replaceAll('0'.repeat(32), id);
      const headers = { 'content-type': 'text/plain' };
      await timed('envelope', () => ask(port, 'POST', base + envelopes, headers, body));
      acknowledged.errors += 1;
    },
    async report(person) {
      const headers = { 'content-type': 'application/json', ...(await bearer(person)) };
      const body = JSON.stringify({ message: `It stutters ${(turn += 1)}.` });
      const text = await timed('report', () => ask(port, 'POST', `${base}/v1/feedback`, headers, body));
      acknowledged.reports.add((JSON.parse(text) as { id: string }).id);
    },
    'sign-in': () => timed('sign-in', () => signIn(portico)),
  };

  async function warmUp() {
    const change = changes.next();
    await changeOnce(readers, change);
    return change;
  }

  const memory: number[] = [];
  const underWay = new Set<Promise<unknown>>();
  function start(kind: string, work: Promise<unknown>): void {
    const settled = work
      .catch((error: unknown) => {
        const words = `${kind}: ${/\b[45]\d\d\b/.exec(String(error))?.[0] ?? String(error).slice(0, 100)}`;
        failures.set(words, (failures.get(words) ?? 0) + 1);
      })
      .finally(() => underWay.delete(settled));
    underWay.add(settled);
  }

  // All people connect within seconds, unlike in an hour of use: measuring starts once a change has reached all.
  acknowledged.change = (await warmUp()).marker;
  const [cpu, stored, began] = [portico.cpu(), databaseBytes(), performance.now()];
  const due = Object.fromEntries(Object.keys(perHour).map((kind) => [kind, Math.random()]));
  let [ticks, changed, changing] = [0, 0, false];
  while (performance.now() - began < minutes * 60_000) {
    ticks += 1;
    for (const [kind, rate] of Object.entries(perHour) as [Action, number][]) {
      // Makes up for a pause that took longer than `tickMs`.
      const wanted = (((performance.now() - began) * rate) / 3_600_000) * people;
      for (; (due[kind] ?? 0) < wanted; due[kind] = (due[kind] ?? 0) + 1)
        start(kind, actions[kind](Math.floor(Math.random() * people)));
    }
    if (!changing && performance.now() - began > changed * changeEveryMs) {
      [changed, changing] = [changed + 1, true];
      const change = changes.next();
      const seen = changeOnce(readers, change).then(
        (milliseconds) => {
          acknowledged.change = change.marker;
          reached.push(milliseconds);
        },
        async (error: unknown) => {
          // The server may have made a change that timed out here: the next one starts from the current version.
          await renew(0);
          changes = await createChanges(portico, tokens[0] ?? '');
          acknowledged.change = (await warmUp()).marker;
          throw error;
        },
      );
      start(
        'change',
        seen.finally(() => (changing = false)),
      );
    }
    if (ticks % (1_000 / tickMs) === 0) memory.push(portico.memory());
    await pause(tickMs);
  }
  await Promise.all(underWay);
  const seconds = (performance.now() - began) / 1_000;
  const spent = (portico.cpu() - cpu) / people / (seconds / 60);
  const grown = (databaseBytes() - stored) / people / (seconds / 3_600);

  const lost = await lostWrites(url, token, acknowledged);
  const requests =
    Object.values(times).reduce((sum, list) => sum + list.length, 0) - times['bare read'].length;
  const latest = memory.slice(Math.floor((memory.length * 2) / 3));
  const part = Math.ceil(latest.length / 4);
  const growth = (quantile(latest.slice(-part), 0.5) / quantile(latest.slice(0, part), 0.5) - 1) * 100;
  const megabytes = (bytes = 0) => (bytes / 1_000_000).toFixed(0);
  const name = `${people.toLocaleString('en')} people for ${minutes} min`;
  const memoryRow = limitRow(
    'Memory, growth in the last third',
    growth,
    '%',
    2,
    ` (${megabytes(latest[0])} to ${megabytes(latest.at(-1))} MB; largest ${megabytes(Math.max(...memory))} MB)`,
  );
  return [
    figure(`${name}: requests`, `${requests}, ${(requests / seconds).toFixed(0)} a second`),
    {
      name: 'Requests that failed',
      figure: [...failures].map(([words, count]) => `${count} × ${words}`).join('; ') || 'none',
      promise: 'none',
      met: failures.size === 0,
    },
    {
      name: 'Acknowledged writes',
      figure: `${acknowledged.reports.size} reports, ${acknowledged.errors} errors, ${reached.length} changes; ${lost.join('; ') || 'none lost'}`,
      promise: 'none lost',
      met: lost.length === 0,
    },
    limitRow(
      'Reads, 99th percentile beyond that of the bare server',
      quantile(times.read, 0.99) - quantile(times['bare read'], 0.99),
      'ms',
      50,
      ` (${quantile(times.read, 0.99).toFixed(1)} : ${quantile(times['bare read'], 0.99).toFixed(1)} ms)`,
    ),
    minutes < judgedMinutes ? { ...memoryRow, promise: null, met: null } : memoryRow,
    figure('A change until the last stream has it', percentiles(reached)),
    ...(Object.keys(perHour) as Action[]).map((kind) =>
      figure(`Time of a ${kind}`, percentiles(times[kind])),
    ),
    figure(
      'What a person costs',
      `${(ofStreams / people / 1_000).toFixed(1)} kB of memory for the stream, ${spent.toFixed(1)} ms of processor a minute, ` +
        `${(grown / 1_000).toFixed(1)} kB of database an hour`,
    ),
    figure('Processor', `${(((spent * people) / 60_000) * 100).toFixed(0)} % of one core`),
  ];
}

/** Sends a request; returns the body of the answer. Throws when the status is not 2xx. */
function ask(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<string> {
  const agent = agents[Math.floor(Math.random() * addresses)];
  return new Promise((done, failed) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { port, host: '127.0.0.1', method, path, headers: { ...headers, ...length }, agent };
    const asking = httpRequest(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (more: string) => (text += more));
      response.on('error', failed).on('end', () => {
        const status = response.statusCode ?? 0;
        if (status >= 200 && status < 300) done(text);
        else failed(new Error(`${status} ${text.slice(0, 100)}`));
      });
    });
    asking.on('error', failed).end(body);
  });
}

async function lostWrites(
  url: string,
  token: string,
  { reports, errors, change }: { reports: Set<string>; errors: number; change: string },
): Promise<string[]> {
  const missing = new Set(reports);
  for (let cursor = ''; cursor !== 'end';) {
    const page = await call<{
      reports: { id: string }[];
      next: string | null;
    }>(url, token, 'GET', `/v1/reports?limit=100${cursor}`);
    for (const { id } of page.reports) missing.delete(id);
    cursor = page.next === null ? 'end' : `&cursor=${encodeURIComponent(page.next)}`;
  }
  const list = await call<{
    errors: { events: number }[];
  }>(url, token, 'GET', '/v1/diagnostics/errors?search=Item&limit=100');
  const counted = list.errors.reduce((sum, { events }) => sum + events, 0);
  const { text } = await call<{ text: string }>(url, token, 'GET', '/v1/maintenance');
  return [
    ...(missing.size === 0 ? [] : [`${missing.size} reports are not there`]),
    ...(counted >= errors ? [] : [`${errors - counted} errors are not there`]),
    ...(text === change ? [] : [`the text of maintenance is ${text}, not ${change}`]),
  ];
}

/** The size of the database with its write-ahead log, in bytes. */
function databaseBytes(): number {
  const sizes = ['portico.sqlite', 'portico.sqlite-wal'].map(
    (file) => statSync(join(environment['DATA_DIR'] ?? '', file), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function figure(name: string, words: string): Row {
  return { name, figure: words, promise: null, met: null };
}

function percentiles(list: readonly number[]): string {
  if (list.length === 0) return 'none in this time';
  const [middle, high] = [quantile(list, 0.5), quantile(list, 0.99)];
  return `median ${middle.toFixed(1)} ms, 99th percentile ${high.toFixed(1)} ms, longest ${quantile(list, 1).toFixed(0)} ms of ${list.length}`;
}
