import { execFileSync, spawnSync } from 'node:child_process';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { setTimeout as pause } from 'node:timers/promises';
import { startBalancer } from '#server/testing/balancer.ts';
import { startOwnPostgres } from '#server/testing/postgres-server.ts';
import { eventually } from '../dev/interop/programs.ts';
import { createLoad, wrongAnswers } from '../dev/faults/load.ts';
import { manyPeople } from './many-people.ts';
import { quantile, type Effort } from './paired.ts';
import { call } from '../dev/call.ts';
import { freshEnvironment, root, startPortico, temporaryFolder, type Portico } from './portico.ts';
import type { ServerProcess } from './processes.ts';
import { limitRow, unmeasuredRow, type Row } from './report.ts';

const replicas = 3;
const people = 60;
/** The default: longer than the balancer takes to see that a replica is not ready. */
const stopDelaySeconds = '5';
const within = 30;

/** Replicas on one PostgreSQL, behind a balancer that asks `/readyz` every 250 ms. */
export async function* replicaRows(bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  const cleanUps: (() => unknown)[] = [];
  try {
    yield* rowsOf(bare, effort, (cleanUp) => void cleanUps.push(cleanUp));
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
}

async function* rowsOf(
  bare: ServerProcess,
  effort: Effort,
  afterwards: (cleanUp: () => unknown) => void,
): AsyncGenerator<Row> {
  const { running, balancer, allReady } = await startReplicas(afterwards);
  const { token } = running[0] as Portico;
  const send = (method: string, path: string, body?: unknown) =>
    call<Record<string, unknown>>(balancer.url, token, method, path, body);

  const tokens = await manyPeople(running[0] as Portico, people);
  const over = new AbortController();
  const received = tokens.map(() => new Map<string, number>());
  const following = tokens.map((bearer, person) =>
    follow(balancer.url, bearer, over.signal, (words) => received[person]?.set(words, performance.now())),
  );
  afterwards(() => {
    over.abort();
    return Promise.allSettled(following);
  });
  await eventually('Not all people are connected.', () => received.every(({ size }) => size > 0));

  /** Changes the text of maintenance; returns the milliseconds until each person has it. */
  async function changeOnce(text: string): Promise<number[]> {
    const { version } = await send('GET', '/v1/maintenance');
    const begun = performance.now();
    await send('PUT', '/v1/maintenance', { mode: 'off', text, severity: 'INFO', expectedEnd: null, version });
    const arrived = () => received.every((seen) => seen.has(text));
    await eventually(`Not all people have ${text}`, arrived, within);
    return received.map((seen) => (seen.get(text) ?? 0) - begun);
  }
  await changeOnce('warm-up');
  const times: number[] = [];
  const ofBare: number[] = [];
  for (let change = 0; change < effort.rounds * 4; change += 1) {
    times.push(...(await changeOnce(`change ${change};`)));
    const begun = performance.now();
    await (await fetch(`http://127.0.0.1:${bare.port}/`)).arrayBuffer();
    ofBare.push(performance.now() - begun);
  }
  const at = (share: number, of = times) => quantile(of, share);
  yield limitRow(
    `One change to ${people} people at ${replicas} replicas, 99th percentile`,
    at(0.99),
    'ms',
    60,
    ` (median ${at(0.5).toFixed(0)}, longest ${at(1).toFixed(0)} ms of ${times.length}; an answer of the bare server next to it: longest ${at(1, ofBare).toFixed(0)} ms)`,
  );

  const reports: { id: string; person: number }[] = [];
  for (const [person, bearer] of tokens.entries()) {
    const body = { message: `It stutters ${person}.` };
    const { id } = await call<{ id: string }>(balancer.url, bearer, 'POST', '/v1/feedback', body);
    reports.push({ id, person });
  }
  const killed = running[1] as Portico;
  process.kill(killed.pid, 'SIGKILL');
  // Calls a replica that runs: what the balancer answers right after the kill is not measured here.
  for (const { id } of reports) {
    const { url } = running[0] as Portico;
    const { version } = await call<{ version: number }>(url, token, 'GET', `/v1/reports/${id}`);
    await call(url, token, 'PUT', `/v1/reports/${id}/status`, { status: 'triaged', version });
  }
  const changedAt = performance.now();
  const missed = () => reports.filter(({ id, person }) => !received[person]?.has(id)).length;
  await eventually('', () => missed() === 0, within).catch(() => undefined);
  const seconds = ((performance.now() - changedAt) / 1_000).toFixed(1);
  yield {
    name: `News that people missed when a replica was killed, of ${people}`,
    figure: `${missed()} missed; ${seconds} s after the last of them`,
    promise: 'none missed',
    met: missed() === 0,
  };
  running[1] = await startPortico([], killed.environment);
  await allReady();

  yield await restartRow(`Rolling restart of ${replicas} replicas under load`, {
    running,
    balancer,
    allReady,
  });
}

/** A rolling upgrade: the replicas of another version serve together with those of this one. */
export async function* upgradeRows(): AsyncGenerator<Row> {
  const revision = process.env['UPGRADE_FROM'] ?? lastTag();
  const name = `Rolling upgrade of ${replicas} replicas under load`;
  if (revision === null) {
    yield unmeasuredRow(name, 'no version is tagged, and UPGRADE_FROM names no other commit');
    return;
  }
  const cleanUps: (() => unknown)[] = [];
  try {
    const afterwards = (cleanUp: () => unknown) => void cleanUps.push(cleanUp);
    const parts = await startReplicas(afterwards, bundledAt(revision));
    yield await restartRow(`${name}, from ${revision}`, parts);
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
}

function lastTag(): string | null {
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--abbrev=0'], { cwd: root });
  return status === 0 ? String(stdout).trim() : null;
}

/** Makes a folder with the sources of `revision`, its server bundled, and with this version's packages and web. */
function bundledAt(revision: string): string {
  const folder = temporaryFolder();
  const run = (command: string) =>
    execFileSync('sh', ['-c', command], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  run(`git archive '${revision}' | tar -x -C ${folder}`);
  run(
    `mkdir ${folder}/node_modules && ln -s ${root}/node_modules/* ${root}/node_modules/.bin ${folder}/node_modules/`,
  );
  run(`ln -s ${root}/web/dist ${folder}/web/dist`);
  run(`${process.execPath} ${folder}/dev/package/bundle.ts`);
  return folder;
}

type Replicas = Awaited<ReturnType<typeof startReplicas>>;

/** Restarts one replica after the other on this version, under a load of writes of all kinds. */
async function restartRow(name: string, { running, balancer, allReady }: Replicas): Promise<Row> {
  const load = createLoad((running[0] as Portico).token);
  load.begin(balancer.url);
  for (const [place, replica] of running.entries()) {
    await replica.stop();
    running[place] = await startPortico([], replica.environment);
    await allReady();
  }
  await load.end();
  const refused = [...load.answers].filter(([answer]) => !/^2|409/.test(answer));
  const wrong = [...refused.map(([answer, count]) => `${count} × ${answer}`), ...wrongAnswers(load)];
  const lost = await load.lost(balancer.url);
  return {
    name,
    figure: `${load.acknowledged()} writes acknowledged; ${[...new Set([...wrong, ...lost])].join('; ') || 'none refused, none lost'}`,
    promise: 'none refused, none lost',
    met: wrong.length === 0 && lost.length === 0,
  };
}

/** @param from a folder with another version, whose server is bundled */
async function startReplicas(afterwards: (cleanUp: () => unknown) => void, from?: string) {
  const postgres = await startOwnPostgres(afterwards);
  const first = await freshEnvironment();
  Object.assign(first, { DATABASE_URL: postgres.url, STOP_DELAY: stopDelaySeconds });
  const running: Portico[] = [];
  for (let count = 0; count < replicas; count += 1) {
    const own = await freshEnvironment();
    const { DATA_DIR, PORT } = count === 0 ? first : own;
    running.push(await startPortico([], { ...first, DATA_DIR, PORT }, from === undefined ? {} : { from }));
  }
  afterwards(() => Promise.all(running.map((replica) => replica.stop())));
  const balancer = await startBalancer(
    running.map(({ port }) => port),
    afterwards,
  );
  const allReady = () =>
    eventually('Not all replicas are ready.', () => balancer.ready().length === replicas);
  await allReady();
  return { running, balancer, allReady };
}

/** Follows a person's event stream, and reopens it with the last id; reports each text and each report's id. */
async function follow(
  url: string,
  bearer: string,
  signal: AbortSignal,
  onNews: (words: string) => void,
): Promise<void> {
  let last: string | undefined;
  while (!signal.aborted) {
    const headers = {
      authorization: `Bearer ${bearer}`,
      ...(last === undefined ? {} : { 'last-event-id': last }),
    };
    try {
      const { ok, body } = await fetch(`${url}/v1/events?tabs=1&unsaved=0`, { headers, signal });
      if (ok && body !== null) {
        const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
        for await (const { id, data } of events) {
          last = id ?? last;
          const event = JSON.parse(data) as {
            type: string;
            reportId?: string;
            status?: { text: string } | string;
          };
          onNews(event.reportId ?? (typeof event.status === 'object' ? event.status.text : event.type));
        }
      }
    } catch {
      // The stream broke off; it is opened again.
    }
    await pause(100 + Math.random() * 400, undefined, { signal }).catch(() => undefined);
  }
}
