import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#server/testing/free-port.ts';

/** A server under measurement, in a process of its own. */
export type ServerProcess = {
  port: number;
  pid: number;
  /** User and system time of all its threads so far, milliseconds. */
  cpu(): number;
  /** Resident set, bytes. */
  memory(): number;
  /** How many files and sockets it may have open. */
  openFiles(): number;
  stop(): Promise<void>;
};

const serverCore = '0';
const clientCore = '1';
/** Enough for 10,000 streams and what else is open. */
const wantedFiles = 30_000;

const hasTaskset = spawnSync('taskset', ['--version']).error === undefined;

/** Whether server and client each have a core of their own. */
export const pinned = hasTaskset && availableParallelism() > 1;

/** Keeps this process, the client, off the server's core. */
export function pinClient(): void {
  if (pinned) spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', clientCore, String(process.pid)]);
}

/**
 * Starts a script of Node on the server's core (or the client's), with as many open files as the system lets
 * it have.
 */
export function startScript(
  args: readonly string[],
  options: {
    core?: 'server' | 'client' | 'any';
    environment?: NodeJS.ProcessEnv;
    log?: string;
    ipc?: true;
  } = {},
): ChildProcess {
  const core = options.core ?? 'server';
  const pin = pinned && core !== 'any' ? `taskset -c ${core === 'server' ? serverCore : clientCore}` : '';
  const raise = `ulimit -n ${wantedFiles} 2>/dev/null || ulimit -n $(ulimit -Hn)`;
  const log = options.log === undefined ? 'ignore' : openSync(options.log, 'a');
  const child = spawn('sh', ['-c', `${raise}; exec ${pin} "$0" "$@"`, process.execPath, ...args], {
    env: options.environment ?? process.env,
    stdio: ['ignore', log, log === 'ignore' ? 'inherit' : log, ...(options.ipc ? (['ipc'] as const) : [])],
  });
  if (typeof log === 'number') closeSync(log);
  // However this process ends, its child ends too.
  const lastResort = () => child.kill('SIGKILL');
  process.once('exit', lastResort);
  child.once('exit', () => process.off('exit', lastResort));
  return child;
}

/** Waits until a started server answers on a path; returns its port, its figures and how to stop it. */
export async function serving(child: ChildProcess, port: number, path: string): Promise<ServerProcess> {
  const pid = child.pid ?? 0;
  await untilAnswers(child, `http://127.0.0.1:${port}${path}`);
  return {
    port,
    pid,
    cpu() {
      // The name in brackets may hold spaces; then utime and stime are the 12th and 13th field
      // (proc_pid_stat(5)), in ticks.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
    },
    memory: () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
    openFiles: () => openFilesOf(pid),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      // STOP_DELAY, and up to 10 s until the last request is finished.
      const killTimer = setTimeout(() => child.kill('SIGKILL'), 20_000);
      await ended;
      clearTimeout(killTimer);
    },
  };
}

const ticksPerSecond = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout) || 100;

/** How many files and sockets a process may have open. */
export function openFilesOf(pid: number): number {
  const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
}

/** The bare server that every row is measured against. */
export async function startBare(): Promise<ServerProcess> {
  const port = await freePort();
  const child = startScript([`${import.meta.dirname}/bare-server.ts`, String(port)]);
  return serving(child, port, '/');
}

/** Starts the bare server so that its memory can be weighed, as Portico's can. */
export async function startWeighedBare(): Promise<ServerProcess & { weight(): Promise<number> }> {
  const port = await freePort();
  const args = [...heapWatch, `${import.meta.dirname}/bare-server.ts`, String(port)];
  const child = startScript(args, { ipc: true });
  return { ...(await serving(child, port, '/')), weight: () => weightOf(child) };
}

/** The Node options of a script that `weightOf` weighs. */
export const heapWatch = ['--import', `${import.meta.dirname}/heap-watch.ts`];

/** Bytes that the objects and buffers of a process with `heapWatch` take, garbage excluded. */
export async function weightOf(child: ChildProcess): Promise<number> {
  child.send('how much');
  const [bytes] = (await once(child, 'message')) as [number];
  return bytes;
}

async function untilAnswers(child: ChildProcess, url: string): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(url).catch(() => null);
    await answer?.arrayBuffer();
    if (answer !== null && answer.status < 500) return;
    await pause(10);
  }
  throw new Error(`The server ended before it answered on ${url}.`);
}
