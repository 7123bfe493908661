import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { startScript, type ServerProcess } from './processes.ts';
import type { StreamAnswer, StreamTask } from './stream-client.ts';

/** The number of files that a server has open in addition to its streams. */
const otherFiles = 200;

/** Why so many streams cannot be measured on this system, or null. */
export function whyTooMany(count: number, ...servers: readonly ServerProcess[]): string | null {
  const files = Math.min(...servers.map((server) => server.openFiles()));
  return files < count + otherFiles
    ? `this system lets a process have ${files} open files (ulimit -n)`
    : null;
}

/** A process that holds many streams of one server. */
export function startReaders(): ChildProcess {
  return startScript([`${import.meta.dirname}/stream-client.ts`], { core: 'client', ipc: true });
}

/**
 * Opens the streams; returns the bytes by which the server has grown.
 *
 * @param bearers the bearer tokens, one for each stream
 * @param size measures the server in bytes; by default its resident set
 */
export async function openStreams(
  { port, memory }: ServerProcess,
  readers: ChildProcess,
  path: string,
  count: number,
  bearers: readonly string[] = [],
  size: () => number | Promise<number> = memory,
): Promise<number> {
  // Warms up: the code of opening and closing runs once, and leaves its first garbage.
  await send(readers, { task: 'open', port, path, count: Math.min(300, count), bearers });
  await send(readers, { task: 'close' });
  await pause(1_000);
  const before = await size();
  await send(readers, { task: 'open', port, path, count, bearers });
  await pause(2_000);
  return (await size()) - before;
}

export async function closeStreams(readers: ChildProcess): Promise<void> {
  await send(readers, { task: 'close' });
  await pause(1_000);
}

type Answers = { open: { opened: number }; change: { milliseconds: number }; close: { closed: true } };

async function send<T extends StreamTask>(readers: ChildProcess, task: T): Promise<Answers[T['task']]> {
  const answered = once(readers, 'message') as Promise<[StreamAnswer]>;
  readers.send(task);
  const [answer] = await answered;
  if ('failed' in answer) throw new Error(answer.failed);
  return answer as Answers[T['task']];
}

type Change = { request: string; marker: string };

/**
 * `next` creates one change after the other; `nextBare` creates the request with which the bare server sends the
 * bytes of the last change.
 */
export type Changes = { next: () => Change; nextBare: () => Change };

export type Sides<T> = { bare: T; portico: T };

/** Milliseconds until the last stream has a change. */
export async function changeOnce(readers: ChildProcess, change: Change): Promise<number> {
  return (await send(readers, { task: 'change', ...change })).milliseconds;
}

/**
 * Measures both sides in alternating rounds: the milliseconds until the last stream has a change, and the
 * milliseconds of CPU time that the change takes.
 */
export async function measureChanges(
  servers: Sides<ServerProcess>,
  readers: Sides<ChildProcess>,
  changes: Changes,
  rounds: number,
): Promise<{ times: Sides<number[]>; cpu: Sides<number[]> }> {
  const times: Sides<number[]> = { bare: [], portico: [] };
  const cpu: Sides<number[]> = { bare: [], portico: [] };
  // The first two rounds run code for the first time and are not counted.
  for (let round = -2; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (['bare', 'portico'] as const) : (['portico', 'bare'] as const);
    for (const side of order) {
      const next = side === 'bare' ? changes.nextBare() : changes.next();
      const before = servers[side].cpu();
      const milliseconds = await changeOnce(readers[side], next);
      if (round >= 0) {
        times[side].push(milliseconds);
        cpu[side].push(servers[side].cpu() - before);
      }
    }
  }
  return { times, cpu };
}
