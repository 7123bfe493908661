import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { freePort } from '#server/testing/free-port.ts';
import { programOf, repository } from '#server/testing/program.ts';

/** Portico running for a test: the real server in a process of its own, on a data folder of its own. */
export type Installation = {
  url: string;
  /** The link that claims the installation; only before it is claimed. */
  setUpLink(): string;
  /** Runs the command line while the server runs; answers its JSON. */
  portico(...words: string[]): unknown;
  /** Ends the server and starts it again on the same data, port and address. */
  restart(): Promise<void>;
  /** What the server has printed so far. */
  output(): string;
  stop(): Promise<void>;
};

export const operator = { email: 'operator@example.org', password: 'walks under the portico' };

/** The environment of an installation in which `operator` exists. */
export const claimed = { OPERATOR_EMAIL: operator.email, OPERATOR_PASSWORD: operator.password };

/**
 * @param settings further environment of the server, such as `claimed`
 * @param of the folder of the repository that it is started from
 */
export async function startInstallation(
  settings: Record<string, string> = {},
  of = repository,
): Promise<Installation> {
  const dataDir = mkdtempSync(join(tmpdir(), 'portico-e2e-'));
  const port = settings['PORT'] ?? (await freePort());
  const url = `http://localhost:${port}${settings['BASE_PATH'] ?? ''}`;
  const environment = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: url,
    LOG_LEVEL: 'warn',
    // Processes share compiled code.
    NODE_COMPILE_CACHE: join(tmpdir(), 'portico-compiled'),
    // Many people of one test come from one address.
    RATE_LIMIT_SCALE: '20',
    STOP_DELAY: '0',
    ...settings,
  };
  let output = '';
  let server = start();

  function start() {
    const child = spawn(process.execPath, [programOf('main.ts', of)], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    return child;
  }

  /** Waits until the server accepts requests; fails at once where the server has ended. */
  async function ready(): Promise<void> {
    const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
    const state = () =>
      hasEnded()
        ? `ended by ${server.exitCode ?? server.signalCode}`
        : fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
            (answer) => (answer.ok ? 'ready' : 'not ready'),
            ({ message, cause }: { message: string; cause?: Error }) =>
              `not there: ${cause?.message ?? message}`,
          );
    const printed = () => `Portico on ${url} printed:\n${output}`;
    let last = '';
    await expect
      .poll(async () => (last = await state()), {
        timeout: 90_000,
        intervals: [50],
        message: 'Portico starts',
      })
      .not.toMatch(/^not/)
      .catch((error: unknown) => {
        throw new Error(printed(), { cause: error });
      });
    if (last !== 'ready') throw new Error(printed());
  }

  async function end(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await ended;
  }

  async function stop(): Promise<void> {
    await end();
    rmSync(dataDir, { recursive: true, force: true });
  }

  await ready().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    url,
    setUpLink: () => `${url}/set-up#${readFileSync(join(dataDir, 'set-up-token'), 'utf8').trim()}`,
    portico(...words) {
      const run = spawnSync(process.execPath, [programOf('cli.ts', of), ...words, '--json'], {
        env: environment,
        encoding: 'utf8',
      });
      if (run.status !== 0) throw new Error(`portico ${words.join(' ')} failed:\n${run.stdout}${run.stderr}`);
      return JSON.parse(run.stdout) as unknown;
    },
    async restart() {
      await end();
      server = start();
      await ready();
    },
    output: () => output,
    stop,
  };
}
