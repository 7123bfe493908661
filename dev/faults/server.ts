import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until, type World } from './fault.ts';

const root = join(import.meta.dirname, '../..');

/** Where an installation has its data, and what it is set to. */
export type Installation = NodeJS.ProcessEnv & { PORT: string; DATA_DIR: string };

export type StartOptions = {
  /** A file descriptor, or `pipe`, which is not read. */
  stdout?: number | 'pipe';
  /** As libfaketime reads it, such as `+365d`. */
  clock?: string;
  /** For Node. */
  flags?: readonly string[];
  ipc?: boolean;
};

export type Server = {
  url: string;
  child: ChildProcess;
  /** What it has written to standard error, and to standard output unless that leads elsewhere. */
  output(): string;
  /** Resolves once it is ready; throws where it ends instead. */
  ready(): Promise<void>;
  isAlive(): boolean;
  kill(): Promise<void>;
  /** SIGTERM; answers the status with which it ends. */
  stop(): Promise<number | null>;
};

/** An installation of its own with an operator; on PostgreSQL where there is an address. */
export async function newInstallation(
  { folder }: Pick<World, 'folder'>,
  more: Record<string, string> = {},
): Promise<Installation> {
  const port = String(await freePort());
  return {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: join(tmpdir(), 'portico-compiled'),
    DATA_DIR: folder(),
    PORT: port,
    PUBLIC_URL: `http://localhost:${port}`,
    RATE_LIMIT_SCALE: '1000000',
    STOP_DELAY: '0',
    LOG_LEVEL: 'warn',
    OPERATOR_EMAIL: 'operator@example.org',
    OPERATOR_PASSWORD: 'walks under the portico',
    ...more,
  };
}

/** Starts it without waiting for it. */
export function startServer({ after }: World, environment: Installation, options: StartOptions = {}): Server {
  const { stdout, clock, flags = [], ipc = false } = options;
  const words = [...flags, join(root, 'server/src/main.ts')];
  const child = spawn(process.execPath, words, {
    env: { ...environment, ...clockOf(clock) },
    stdio: ['ignore', stdout ?? 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
  });
  let output = '';
  const collect = (text: Buffer) => void (output = (output + text.toString()).slice(-20_000));
  child.stderr?.on('data', collect);
  if (stdout === undefined) child.stdout?.on('data', collect);
  const ended = once(child, 'exit');
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  after(kill);
  const url = `http://localhost:${environment.PORT}`;
  return {
    url,
    child,
    output: () => output,
    isAlive,
    async ready() {
      await until('the server is ready', async () => {
        if (!isAlive())
          throw new Error(`The server ended by ${child.exitCode ?? child.signalCode}: ${output}`);
        return (await fetch(`${url}/readyz`).catch(() => null))?.ok === true;
      });
    },
    kill,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}

/** A token of the operator for everything that the faults write and read. */
export function newToken(environment: Installation, clock?: string): string {
  const rights = 'FLAGS_READ,FLAGS_WRITE,REPORTS_READ,PEOPLE_READ,PEOPLE_WRITE';
  const words = ['token', 'create', '--name', 'faults', '--rights', rights, '--expires', '1d'];
  const script = [join(root, 'server/src/cli.ts'), ...words, '--as', 'operator@example.org', '--json'];
  const text = execFileSync(process.execPath, script, {
    env: { ...environment, ...clockOf(clock) },
    encoding: 'utf8',
  });
  return (JSON.parse(text) as { token: string }).token;
}

/**
 * The library of faketime, where it is installed; its program would stand between a signal and the server.
 */
export const faketime = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0];

/**
 * What moves the clock of a process. Time-outs keep to the true time: the clock is wrong, it does not jump.
 */
function clockOf(clock: string | undefined): Record<string, string> {
  if (clock === undefined || faketime === undefined) return {};
  return { LD_PRELOAD: faketime, FAKETIME: clock, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}

export function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => found(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
