import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { bundledServer, root } from '../prepare.mjs';
import { eventually, startProgram, type Program } from './programs.ts';
import { must } from './table.ts';

/** The folder of a server's data, its port and its settings. */
export type Installation = {
  /** The data is in a folder below this one. */
  folder: string;
  port: number;
  settings: Record<string, string>;
};

export type Server = Program & {
  url: string;
  /** Resolves once the server is ready; throws where it ends instead. */
  ready(): Promise<void>;
};

export type Portico = {
  program: Program;
  /** Makes the server check all sessions at their provider now, instead of in ten minutes. */
  checkSessionsNow(): void;
  /** Sets the sign-in of every session to a time long ago. */
  forgetProofs(): void;
  /** Reads rows of the server's database. */
  rows(sql: string): Record<string, unknown>[];
};

function environment({ folder, port, settings }: Installation): NodeJS.ProcessEnv {
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  const common = { DATA_DIR: data, PORT: String(port), LOG_LEVEL: 'info', STOP_DELAY: '0' };
  return { DATABASE_URL: undefined, ...common, ...settings };
}

/**
 * Starts the server as `npm start` runs it, without waiting for it.
 *
 * @param options.flags for Node
 */
export function startServer(
  installation: Installation,
  { flags = [], ipc = false }: { flags?: readonly string[]; ipc?: boolean } = {},
): Server {
  const env = environment(installation);
  const program = startProgram(process.execPath, [...flags, ...bundledServer()], { env, ipc });
  const url = `http://127.0.0.1:${installation.port}`;
  return {
    ...program,
    url,
    async ready() {
      const answers = async () => (await fetch(`${url}/readyz`)).status === 200;
      await eventually(
        () => `Portico did not start: ${program.output()}`,
        async () => !program.isAlive() || answers(),
        60,
        25,
      );
      if (!program.isAlive()) throw new Error(`Portico has ended: ${program.output()}`);
    },
  };
}

/** Starts the server and waits until it is ready. */
export async function startPortico(installation: Installation): Promise<Portico> {
  const program = startServer(installation);
  await program.ready();
  const open = <T>(ask: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(join(installation.folder, 'data/portico.sqlite'), { timeout: 5_000 });
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
