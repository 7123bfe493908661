import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { flagSet } from './flag-set.ts';
import { spread, type Effort } from './paired.ts';
import { freshEnvironment, root, startPortico } from './portico.ts';
import type { ServerProcess } from './processes.ts';
import { limitRow, type Row } from './report.ts';
import { signIn } from './signed-in.ts';

const restMs = 6_000;

/** The memory of the process when it is idle: after its start, and after each kind of work. */
export async function* memoryRows(): AsyncGenerator<Row> {
  const furnished = await startPortico(flagSet(200, 20));
  await furnished.stop();
  const portico = await startPortico([], furnished.environment);
  try {
    yield limitRow('Resting memory, after a start with 200 flags', await atRest(portico), 'MB', 120, '');
    const browser = await signIn(portico);
    await browser.accessToken();
    yield limitRow('Resting memory, after a sign-in', await atRest(portico), 'MB', 120, '');
  } finally {
    await portico.stop();
  }
}

/** The memory after remote evaluations of people who share no result; the second evaluation caches the result. */
export async function* evaluationMemoryRows(): AsyncGenerator<Row> {
  const people = 5_000;
  const furnished = await startPortico(flagSet(200, 200));
  await furnished.stop();
  const portico = await startPortico([], furnished.environment);
  try {
    const evaluate = async (person: number) => {
      const answer = await fetch(`${portico.url}/api/eval/${portico.keyOf('remote-eval')}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ attributes: { id: `p${person}`, company: `c${person}` } }),
      });
      if (!answer.ok) throw new Error(`The evaluation answered ${answer.status}.`);
      await answer.arrayBuffer();
    };
    for (let round = 0; round < 2; round += 1)
      for (let from = 0; from < people; from += 20)
        await Promise.all(Array.from({ length: 20 }, (_, at) => evaluate(from + at)));
    yield limitRow('Memory after 5,000 different people on 200 flags', await atRest(portico), 'MB', 250, '');
  } finally {
    await portico.stop();
  }
}

/** Megabytes of a process that has been idle for a while. */
async function atRest(server: ServerProcess): Promise<number> {
  await pause(restMs);
  return server.memory() / 1_000_000;
}

/** `npm start` on an installation that has been started before, up to the first answer "ready". */
export async function* startRows(_bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  const environment = await freshEnvironment();
  // The first start may install and build; it makes the data.
  await timedStart(environment);
  const times: number[] = [];
  for (let start = 0; start < effort.starts; start += 1) times.push(await timedStart(environment));
  const { median, low, high } = spread(times);
  yield limitRow(
    'npm start to ready, not the first time',
    median,
    's',
    1,
    ` (${low.toFixed(2)}–${high.toFixed(2)})`,
  );
}

/** Seconds from the command to the answer. */
async function timedStart(environment: NodeJS.ProcessEnv): Promise<number> {
  const begun = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await ready(child, `http://127.0.0.1:${environment['PORT']}/readyz`);
  const seconds = (performance.now() - begun) / 1000;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  await gone(`http://127.0.0.1:${environment['PORT']}/readyz`);
  return seconds;
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    if ((await fetch(url).catch(() => null))?.ok === true) return;
    await pause(10);
  }
  throw new Error('npm start ended before the server was ready.');
}

/** Waits until the server has ended: it outlives npm by the time of its graceful stop. */
async function gone(url: string): Promise<void> {
  while ((await fetch(url).catch(() => null)) !== null) await pause(50);
  // The process releases the data folder when it ends, shortly after it has released its port.
  await pause(500);
}
