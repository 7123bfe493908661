import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientKey, ClientKeyKind } from '#features/flags/contract/flags.ts';
import { call } from '../dev/call.ts';
import { bundledServer, serverEnvironment } from '../dev/prepare.mjs';
import type { NewFlag } from './flag-set.ts';
import { freePort } from '#server/testing/free-port.ts';
import { heapWatch, pinned, serving, startScript, weightOf, type ServerProcess } from './processes.ts';

/** Portico in a process of its own, on a data folder of its own, as an operator would run it. */
export type Portico = ServerProcess & {
  url: string;
  /** The environment that the server was started with, for the command line and for another start. */
  environment: NodeJS.ProcessEnv;
  /** An API token for flags and maintenance. */
  token: string;
  /** The client key of a kind. */
  keyOf(kind: ClientKeyKind): string;
  addFlags(flags: readonly NewFlag[]): Promise<void>;
  /**
   * The longest time in milliseconds that the event loop was blocked since the last call; only of a server that was
   * started with `watched`.
   */
  longestBlock(): Promise<number>;
  /** The bytes of objects and buffers, garbage excluded; only of a server started with `weighed`. */
  weight(): Promise<number>;
};

export const operator = { email: 'operator@example.org', password: 'walks under the portico' };

export const root = join(import.meta.dirname, '..');

/** Where `npm start` stores compiled code. */
const compiled = join(root, 'node_modules/.cache/portico/compiled');

/** A folder that is removed when the process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portico-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * The environment of an installation: defaults, an operator, and no rate limit, since one client stands for a
 * thousand people.
 */
export async function freshEnvironment(): Promise<NodeJS.ProcessEnv> {
  const port = String(await freePort());
  const { DATABASE_URL: _elsewhere, ...environment } = process.env;
  return {
    ...serverEnvironment,
    ...environment,
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: compiled,
    DATA_DIR: temporaryFolder(),
    HOST: '127.0.0.1',
    PORT: port,
    PUBLIC_URL: `http://localhost:${port}`,
    RATE_LIMIT_SCALE: '1000000',
    STOP_DELAY: '0',
    OPERATOR_EMAIL: operator.email,
    OPERATOR_PASSWORD: operator.password,
  };
}

/**
 * @param environment of an installation that has been started before, or a fresh one
 * @param options.from a folder with another version, whose server is bundled
 */
export async function startPortico(
  flags: readonly NewFlag[] = [],
  environment?: NodeJS.ProcessEnv,
  { watched = false, weighed = false, from = root } = {},
): Promise<Portico> {
  environment ??= await freshEnvironment();
  const watch = watched ? ['--import', join(import.meta.dirname, 'loop-watch.ts')] : [];
  const weigh = weighed ? heapWatch : [];
  const child = startScript(
    [...watch, ...weigh, ...bundledServer(pinned ? 1 : undefined).map((word) => word.replace(root, from))],
    {
      environment,
      log: join(environment['DATA_DIR'] ?? '', 'log'),
      ...(watched || weighed ? { ipc: true } : {}),
    },
  );
  const base = new URL(environment['PUBLIC_URL'] ?? '').pathname.replace(/\/$/, '');
  const server = await serving(child, Number(environment['PORT']), `${base}/readyz`);
  const url = `http://127.0.0.1:${server.port}${base}`;
  const token = commandLine(
    from,
    environment,
    'token create --name bench --expires 1d --rights FLAGS_READ,FLAGS_WRITE,MAINTENANCE_WRITE,PEOPLE_READ,PEOPLE_WRITE,REPORTS_READ,REPORTS_WRITE,DIAGNOSTICS_READ,DIAGNOSTICS_WRITE,SETTINGS_WRITE,AUDIT_READ'.split(
      ' ',
    ),
  );

  const { clientKeys } = await call<{ clientKeys: ClientKey[] }>(url, token, 'GET', '/v1/client-keys');
  const portico: Portico = {
    ...server,
    url,
    environment,
    token,
    keyOf(kind) {
      const found = clientKeys.find((key) => key.kind === kind);
      if (found === undefined) throw new Error(`There is no client key of the kind ${kind}.`);
      return found.key;
    },
    async addFlags(more) {
      for (const flag of more) await call(url, token, 'POST', '/v1/flags', flag);
    },
    async longestBlock() {
      child.send('how long');
      const [milliseconds] = (await once(child, 'message')) as [number];
      return milliseconds;
    },
    weight: () => weightOf(child),
  };
  await portico.addFlags(flags);
  return portico;
}

function commandLine(folder: string, environment: NodeJS.ProcessEnv, words: readonly string[]): string {
  return execFileSync(process.execPath, [join(folder, 'server/src/cli.ts'), ...words], {
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
