import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type Program = {
  /** What it has written so far. */
  output(): string;
  pid: number;
  /**
   * Ends it, and what it has started itself, by force after so many seconds (8); answers its exit status when it
   * is gone.
   */
  stop(seconds?: number): Promise<number | null>;
};

const running = new Set<Program>();

/** Starts a program in a process group of its own. */
export function startProgram(
  file: string,
  args: readonly string[],
  { env = {}, cwd }: { env?: Record<string, string>; cwd?: string } = {},
): Program {
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => written.push(bytes.toString()));
  child.on('error', (error) => written.push(String(error)));
  const program: Program = {
    output: () => written.join(''),
    pid: child.pid ?? 0,
    stop(seconds = 8) {
      running.delete(program);
      return endGroup(child, seconds);
    },
  };
  running.add(program);
  return program;
}

async function endGroup(child: ChildProcess, seconds: number): Promise<number | null> {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const gone = new Promise((done) => child.once('exit', done));
  process.kill(-pid, 'SIGTERM');
  const timeout = setTimeout(() => process.kill(-pid, 'SIGKILL'), seconds * 1000);
  await gone;
  clearTimeout(timeout);
  return child.exitCode;
}

/** Ends all programs that are still running. */
export async function stopPrograms(): Promise<void> {
  await Promise.all([...running].map((program) => program.stop()));
}

/** A port that nothing listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** Four of them, each another one, since all are open at once before the first is closed. */
export function fourFreePorts(): Promise<[number, number, number, number]> {
  return Promise.all([freePort(), freePort(), freePort(), freePort()]);
}

/** Which of the files there are not, in words; null: all are there. */
export function lacking(...files: string[]): string | null {
  const missing = files.filter((file) => !existsSync(file));
  return missing.length === 0 ? null : `not installed: ${missing.join(', ')}`;
}

/** Waits until `ask` answers something but null or false; throws with `why` after a while. */
export async function eventually<T>(
  why: () => string,
  ask: () => Promise<T | null | false> | T | null | false,
  seconds = 60,
): Promise<T> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await Promise.resolve()
      .then(ask)
      .catch(() => null);
    if (answer !== null && answer !== false) return answer;
    if (Date.now() > until) throw new Error(why());
    await pause(200);
  }
}
