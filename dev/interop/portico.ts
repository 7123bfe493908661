import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { spawnSync } from 'node:child_process';
import { bundledServer, root } from '../prepare.mjs';
import { eventually, startProgram, type Program } from './programs.ts';

export type Portico = {
  program: Program;
  /** Has all sessions be asked after at their provider now, instead of in ten minutes. */
  checkSessionsNow(): void;
  /** Has all sign-ins be of long ago. */
  forgetProofs(): void;
  /** Rows of its database. */
  rows(sql: string): Record<string, unknown>[];
};

type Settings = Record<string, string>;

const node = process.execPath;

function environment(folder: string, port: number, settings: Settings): Settings {
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  return { DATA_DIR: data, PORT: String(port), LOG_LEVEL: 'info', STOP_DELAY: '0', ...settings };
}

/** The server as `npm start` runs it, on a data folder below `folder`. */
export async function startPortico(folder: string, port: number, settings: Settings): Promise<Portico> {
  const env = environment(folder, port, settings);
  const program = startProgram(node, bundledServer, { env });
  await eventually(
    () => `Portico did not start: ${program.output()}`,
    async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200,
  );
  const open = <T>(ask: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(join(env['DATA_DIR'] ?? '', 'portico.sqlite'), { timeout: 5_000 });
    try {
      return ask(database);
    } finally {
      database.close();
    }
  };
  return {
    program,
    checkSessionsNow: () =>
      open((database) =>
        database.exec('update provider_session set next_check_at = 1 where refresh_token is not null'),
      ),
    forgetProofs: () => open((database) => database.exec('update session set proved_at = 0')),
    rows: (sql) => open((database) => database.prepare(sql).all()),
  };
}

/** `portico …` on the command line. */
export function runPortico(
  args: readonly string[],
  folder: string,
  port: number,
  settings: Settings,
): { code: number | null; output: string } {
  const env = { ...process.env, ...environment(folder, port, settings) };
  const done = spawnSync(node, [join(root, 'server/src/cli.ts'), ...args], { env, encoding: 'utf8' });
  return { code: done.status, output: `${done.stdout}${done.stderr}` };
}
