import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#server/testing/free-port.ts';

export type Program = {
  child: ChildProcess;
  pid: number;
  /** The end of what the program has written. */
  output(): string;
  isAlive(): boolean;
  /**
   * Ends the program and all that it has started, by force after so many seconds (8; 0: by force at once); returns
   * its exit status once it has ended.
   */
  stop(seconds?: number): Promise<number | null>;
};

const running = new Set<Program>();

/** Starts a program in a process group of its own. */
export function startProgram(
  file: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string; ipc?: boolean } = {},
): Program {
  const { env = {}, cwd, ipc = false } = options;
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
    detached: true,
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => (written = (written + bytes.toString()).slice(-1_000_000)));
  child.on('error', (error) => (written += String(error)));
  const pid = child.pid ?? 0;
  const isAlive = () => pid !== 0 && child.exitCode === null && child.signalCode === null;
  const program: Program = {
    child,
    pid,
    output: () => written,
    isAlive,
    async stop(seconds = 8) {
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

/** Ends all programs that are still running. */
export async function stopPrograms(seconds?: number): Promise<void> {
  await Promise.all([...running].map((program) => program.stop(seconds)));
}

/** On SIGINT (Ctrl-C) or SIGTERM, runs a clean-up, which also ends the programs, and then ends this process. */
export function endOnSignal(cleanUp: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}

export async function fourFreePorts(): Promise<[number, number, number, number]> {
  return [await freePort(), await freePort(), await freePort(), await freePort()];
}

/** Waits until `ask` returns something but null or false; throws an error with `why()` after `seconds`. */
export async function eventually<T>(
  why: () => string,
  ask: () => Promise<T | null | false> | T | null | false,
  seconds = 60,
  everyMs = 200,
): Promise<T> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await Promise.resolve()
      .then(ask)
      .catch(() => null);
    if (answer !== null && answer !== false) return answer;
    if (Date.now() > until) throw new Error(why());
    await pause(everyMs);
  }
}
