import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Flag } from '@portico/contract/flags';
import { flagSet } from './flag-set.ts';
import { request } from './load-client.ts';
import { spread, type Effort } from './paired.ts';
import { call, startPortico, type Portico } from './portico.ts';
import { startBare, startScript, type ServerProcess } from './processes.ts';
import { multipleRow, unmeasuredRow, type Row } from './report.ts';
import type { StreamAnswer, StreamTask } from './stream-client.ts';

const flagCount = 20;
/** What a server holds open besides its streams. */
const otherFiles = 200;

/**
 * One change to many event streams, until the last one has it: Portico's runs through its interface, the database and
 * the compiler; the bare server gets the same bytes and writes them. And the memory that an open stream takes.
 */
export async function* streamRows(_bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  for (const count of [1_000, 10_000]) yield* rowsFor(count, effort);
}

async function* rowsFor(count: number, effort: Effort): AsyncGenerator<Row> {
  const name = `One change of ${flagCount} flags to ${count.toLocaleString('en')} streams`;
  // Both are new: memory that earlier streams left behind would hide what these take.
  const bare = await startBare();
  const portico = await startPortico(flagSet(flagCount, 2));
  const readers = { bare: startReaders(), portico: startReaders() };
  try {
    const files = Math.min(bare.openFiles(), portico.openFiles());
    if (files < count + otherFiles) {
      yield unmeasuredRow(name, `this system lets a process have ${files} open files (ulimit -n)`);
      return;
    }
    const memory = {
      bare: await openStreams(bare, readers.bare, '/sub', count),
      portico: await openStreams(portico, readers.portico, `/sub/${portico.keyOf('plain')}`, count),
    };

    const changes = await createChanges(portico);
    const times = { bare: [] as number[], portico: [] as number[] };
    const cpu = { bare: [] as number[], portico: [] as number[] };
    // The first ones find code that has never run.
    for (let round = -2; round < effort.streamRounds; round += 1) {
      const order = round % 2 === 0 ? (['bare', 'portico'] as const) : (['portico', 'bare'] as const);
      for (const side of order) {
        const server = side === 'bare' ? bare : portico;
        const next = side === 'bare' ? changes.nextBare() : changes.next();
        const before = server.cpu();
        const { milliseconds } = await told(readers[side], { task: 'change', ...next });
        if (round >= 0) {
          times[side].push(milliseconds);
          cpu[side].push(server.cpu() - before);
        }
      }
    }
    const figure = (side: 'bare' | 'portico') => spread(times[side]).median.toFixed(0);
    const work = (side: 'bare' | 'portico') => spread(cpu[side]).median.toFixed(0);
    yield multipleRow(
      name,
      spread(times.portico.map((time, index) => time / (times.bare[index] ?? 0))),
      `last one after ${figure('portico')} : ${figure('bare')} ms; ${work('portico')} : ${work('bare')} ms of processor`,
      1.5,
    );
    const each = (side: 'bare' | 'portico') => (memory[side] / count / 1000).toFixed(1);
    const multiple = memory.portico / memory.bare;
    yield multipleRow(
      `Memory of a stream, ${count.toLocaleString('en')} open`,
      { median: multiple, low: multiple, high: multiple },
      `${each('portico')} : ${each('bare')} kB`,
      1.5,
    );
  } finally {
    for (const child of Object.values(readers)) child.kill();
    await Promise.all([bare.stop(), portico.stop()]);
  }
}

function startReaders(): ChildProcess {
  return startScript([`${import.meta.dirname}/stream-client.ts`], { core: 'client', ipc: true });
}

/** Opens the streams; answers the bytes by which the server has grown. */
async function openStreams(
  server: ServerProcess,
  readers: ChildProcess,
  path: string,
  count: number,
): Promise<number> {
  const { port } = server;
  // The code of opening and closing has run, and its first garbage is there.
  await told(readers, { task: 'open', port, path, count: 300 });
  await told(readers, { task: 'close' });
  await pause(1_000);
  const before = server.memory();
  await told(readers, { task: 'open', port, path, count });
  await pause(2_000);
  return server.memory() - before;
}

type Answers = { open: { opened: number }; change: { milliseconds: number }; close: { closed: true } };

async function told<T extends StreamTask>(readers: ChildProcess, task: T): Promise<Answers[T['task']]> {
  const answered = once(readers, 'message') as Promise<[StreamAnswer]>;
  readers.send(task);
  const [answer] = await answered;
  if ('failed' in answer) throw new Error(answer.failed);
  return answer as Answers[T['task']];
}

type Change = { request: string; marker: string };

/** Changes of one flag, each to a value that nothing else holds; and the same bytes for the bare server to send. */
async function createChanges(portico: Portico): Promise<{ next: () => Change; nextBare: () => Change }> {
  const { url, token } = portico;
  const draft = { type: 'string', description: '', rules: [], tags: [] };
  const key = 'bench-marker';
  const markerOf = (turn: number) => `marker-${String(turn).padStart(6, '0')}`;
  const { version } = (await call(url, token, 'POST', '/v1/flags', {
    key,
    ...draft,
    enabled: true,
    defaultValue: markerOf(0),
  })) as Flag;
  const payload = await (await fetch(`${url}/api/features/${portico.keyOf('plain')}`)).text();
  const headers = { authorization: `Bearer ${token}` };
  let turn = 0;
  return {
    next() {
      turn += 1;
      const body = { ...draft, defaultValue: markerOf(turn), version: version + turn - 1 };
      return {
        request: request('PUT', `/v1/flags/${key}`, headers, JSON.stringify(body)).toString(),
        marker: markerOf(turn),
      };
    },
    nextBare() {
      const data = payload.replace(markerOf(0), markerOf(turn));
      const event = `event: features\nid: ${1_790_000_000_000 + turn}\ndata: ${data}\n\n`;
      return { request: request('POST', '/change', {}, event).toString(), marker: markerOf(turn) };
    },
  };
}
