import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#server/testing/free-port.ts';

export type Program = ReturnType<typeof startProgram>;

const running = new Set<{ output(): string; stop(seconds?: number): Promise<unknown> }>();
const cleanUps: (() => unknown)[] = [];

/** Starts a program in a process group of its own. */
export function startProgram(
  file: string,
  args: readonly string[],
  { env = {}, cwd = '.', ipc = false }: { env?: NodeJS.ProcessEnv; cwd?: string; ipc?: boolean } = {},
) {
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
    detached: true,
    env: { ...process.env, ...env },
    cwd,
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => (written = (written + bytes.toString()).slice(-1_000_000)));
  child.on('error', (error) => (written += String(error)));
  const pid = child.pid ?? 0;
  const isAlive = () => pid !== 0 && child.exitCode === null && child.signalCode === null;
  const program = {
    child,
    pid,
    /** The end of what the program has written. */
    output: () => written,
    isAlive,
    /** Ends the program and all that it has started, by force after so many seconds; returns its exit status. */
    async stop(seconds = 8): Promise<number | null> {
      running.delete(program);
      if (!isAlive()) return child.exitCode;
      const gone = once(child, 'exit');
      process.kill(-pid, seconds === 0 ? 'SIGKILL' : 'SIGTERM');
      const timeout = setTimeout(() => process.kill(-pid, 'SIGKILL'), seconds * 1000);
      await gone;
      clearTimeout(timeout);
      return child.exitCode;
    },
  };
  running.add(program);
  return program;
}

/** Has `work` done by the next clean-up, after what is registered later. */
export function afterwards(work: () => unknown): void {
  cleanUps.push(work);
}

/** An empty folder until the next clean-up; programs that run as another user can pass through it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portico-checks-'));
  chmodSync(folder, 0o711);
  afterwards(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Ends all programs that are still running, and then cleans up. Does all of it, and then throws what failed. */
export async function cleanUp(seconds?: number): Promise<void> {
  const stopped = await Promise.allSettled([...running].map((program) => program.stop(seconds)));
  const faults = stopped.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  for (const work of cleanUps.splice(0).toReversed())
    try {
      await work();
    } catch (error) {
      faults.push(String(error));
    }
  if (faults.length > 0) throw new Error(faults.join('; '));
}

export function cleanUpOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}

export async function fourFreePorts(): Promise<[number, number, number, number]> {
  return [await freePort(), await freePort(), await freePort(), await freePort()];
}

/**
 * Waits until `ask` returns something but null or false; after `seconds`, throws an error with `why`, with what
 * `ask` threw last and with what the running programs have written.
 */
export async function eventually<T>(
  why: string,
  ask: () => Promise<T | null | false> | T | null | false,
  seconds = 60,
): Promise<T> {
  let last = '';
  for (const until = Date.now() + seconds * 1000; Date.now() <= until; await pause(25))
    try {
      const answer = await ask();
      if (answer !== null && answer !== false) return answer;
    } catch (error) {
      last = String(error);
    }
  throw new Error([why, last, ...[...running].map(({ output }) => output().slice(-2_000))].join('\n'));
}
