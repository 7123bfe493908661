import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { bundledServer, root } from '../prepare.mjs';
import { eventually, startProgram } from './programs.ts';
import { must } from './table.ts';
import type { Page } from '@playwright/test';
import { sessionHeader } from '#features/session/contract/session.ts';

/** The port and settings of a server, and the folder below which its data is. */
export type Installation = { folder: string; port: number; settings: Record<string, string> };

export type Portico = Awaited<ReturnType<typeof startPortico>>;

function environment({ folder, port, settings }: Installation): NodeJS.ProcessEnv {
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  const common = { DATA_DIR: data, PORT: String(port), LOG_LEVEL: 'info', STOP_DELAY: '0' };
  return { DATABASE_URL: undefined, ...common, ...settings };
}

/**
 * Starts the server as `npm start` runs it, and waits until it is ready.
 *
 * @param flags for Node; what they load can send messages to this process
 */
export async function startPortico(installation: Installation, flags: readonly string[] = []) {
  const options = { env: environment(installation), ipc: flags.length > 0 };
  const program = startProgram(process.execPath, [...flags, ...bundledServer()], options);
  const url = `http://127.0.0.1:${installation.port}`;
  /** Resolves once the server is ready; throws where it ends instead. */
  async function ready(): Promise<void> {
    const answers = async () => (await fetch(`${url}/readyz`)).status === 200;
    await eventually('Portico is not ready.', async () => !program.isAlive() || answers());
    must(program.isAlive(), `Portico has ended: ${program.output()}`);
  }
  await ready();
  return { ...program, url, ready };
}

/** Runs a statement on the server's SQLite; returns its rows. */
export function query({ folder }: Installation, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(folder, 'data/portico.sqlite'), { timeout: 5_000 });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

/** `portico …` on the command line. */
export function runPortico(installation: Installation, args: readonly string[]) {
  const env = { ...process.env, ...environment(installation) };
  const script = join(root, 'server/src/cli.ts');
  const done = spawnSync(process.execPath, [script, ...args], { env, encoding: 'utf8' });
  return { code: done.status, stdout: done.stdout, output: `${done.stdout}${done.stderr}` };
}

/** A token with these rights, for a day. */
export function newToken(installation: Installation, rights: string): string {
  const words = ['token', 'create', '--name', 'run', '--rights', rights, '--expires', '1d', '--json'];
  const { code, stdout, output } = runPortico(installation, words);
  must(code === 0, output);
  return (JSON.parse(stdout) as { token: string }).token;
}

/** What arrives on an event stream, with the time of each piece. */
export async function listen(url: string, bearer?: string) {
  const closing = new AbortController();
  const headers = { accept: 'text/event-stream', ...(bearer && { authorization: `Bearer ${bearer}` }) };
  const { status, body } = await fetch(url, { headers, signal: closing.signal });
  must(status === 200 && body !== null, `${url} answered ${status}.`);
  const pieces: { at: number; text: string }[] = [];
  const stream = { pieces, ended: false, close: () => closing.abort() };
  const write = (bytes: Uint8Array) =>
    void pieces.push({ at: Date.now(), text: Buffer.from(bytes).toString() });
  const end = () => (stream.ended = true);
  void body.pipeTo(new WritableStream({ write })).then(end, end);
  return stream;
}

/** An access token of the person who is signed in on a page, or the code of the refusal. */
export async function tokenOf(page: Page): Promise<{ accessToken?: string; code?: string }> {
  return page.evaluate(async (header) => {
    const answer = await fetch('/auth/token', { method: 'POST', headers: { [header]: '1' } });
    return (await answer.json()) as { accessToken?: string; code?: string };
  }, sessionHeader);
}

export async function bearerOf(page: Page): Promise<string> {
  const { accessToken, code } = await tokenOf(page);
  must(accessToken !== undefined, `There is no access token (${code}).`);
  return accessToken;
}
