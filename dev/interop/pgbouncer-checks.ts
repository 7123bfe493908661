import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { onServer, startPostgres, databaseUrl } from '#server/testing/postgres-server.ts';
import { runPortico, startPortico } from './portico.ts';
import { afterwards, eventually, fourFreePorts, startProgram } from './programs.ts';
import { checksOf, must } from './table.ts';

/** Fewer connections than one server of Portico opens, so that they are shared. */
const poolSize = 5;
const check = checksOf('PgBouncer');

/** Two servers on a real PostgreSQL behind a real PgBouncer in transaction mode. */
export async function checkPgbouncer(folder: string): Promise<void> {
  const [pooler, one, other, last] = await fourFreePorts();
  const postgres = await startPostgres(folder);
  afterwards(postgres.stop);
  await onServer(postgres.url, 'create database portico');
  const direct = databaseUrl(postgres.url, 'portico');
  const pooled = `postgres://portico@127.0.0.1:${pooler}/portico`;
  startPooler(folder, pooler, direct);
  const both = { DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct };
  const at = (port: number, settings: Record<string, string> = both) => ({
    folder: join(folder, String(port)),
    port,
    settings,
  });
  const isOn = async (port: number) => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/maintenance/status`);
    return ((await answer.json()) as { mode: string }).mode !== 'off';
  };
  /** Throws unless the step of the notifications ends so, and says so. */
  const doctor = (settings: Record<string, string>, outcome: string, words = ''): string => {
    const { output } = runPortico(at(one, settings), ['doctor', '--json']);
    const { steps } = JSON.parse(output) as { steps: { name: string; outcome: string; message: string }[] };
    const step = steps.find(({ name }) => name === 'Notifications');
    must(step?.outcome === outcome && step.message.includes(words), JSON.stringify(step));
    return step.message;
  };
  await eventually('PgBouncer does not start.', () => onServer(pooled, 'select 1').then(() => true));
  const servers = [await startPortico(at(one)), await startPortico(at(other))];
  await check('a change by a command reaches both servers without their poll of 5 s', async () => {
    let slowest = 0;
    for (const command of ['on', 'off', 'on', 'off', 'on', 'off']) {
      const args = ['maintenance', command, ...(command === 'on' ? ['--read-only'] : [])];
      const { code, output } = runPortico(at(one), args);
      must(code === 0, output);
      const begun = performance.now();
      for (const port of [one, other]) {
        const reached = async () => (await isOn(port)) === (command === 'on');
        await eventually(`${command} did not reach ${port}`, reached, 10);
      }
      slowest = Math.max(slowest, performance.now() - begun);
    }
    must(slowest < 2_000, `It took ${Math.round(slowest)} ms.`);
    return `${Math.round(slowest)} ms at most`;
  });
  await check('no setting of a session leaks to others in the pool', async () => {
    await Promise.all(Array.from({ length: 200 }, () => fetch(`http://127.0.0.1:${one}/readyz`)));
    const found = await timeoutsInPool(pooled);
    must(found.length === poolSize && found.every((value) => value === '0'), found.join(', '));
    return `${found.length} connections, statement_timeout 0`;
  });
  await check('neither server nor doctor misses a notification', () => {
    for (const { output } of servers) must(!/LISTEN|Notifications/.test(output()), output().slice(-2_000));
    doctor(both, 'warning', 'alter role');
  });
  await check('with the timeout of the role doctor is content', async () => {
    await onServer(direct, "alter role portico set statement_timeout = '30s'");
    // PgBouncer reuses its open connections, in which the new setting is not valid.
    await onServer(
      direct,
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()',
    );
    return eventually('doctor is not content.', () => doctor(both, 'ok'));
  });
  await check('without DATABASE_DIRECT_URL server and doctor say what is missing', async () => {
    const alone = { DATABASE_URL: pooled };
    const { output } = await startPortico(at(last, alone));
    const words = 'Let DATABASE_DIRECT_URL name PostgreSQL itself';
    await eventually('The server does not say it.', () => output().includes(words));
    doctor(alone, 'failed', 'DATABASE_DIRECT_URL');
  });
}

function startPooler(here: string, port: number, direct: string): void {
  const { hostname, port: behind } = new URL(direct);
  writeFileSync(join(here, 'users.txt'), '"portico" ""\n');
  writeFileSync(
    join(here, 'pgbouncer.ini'),
    `[databases]
portico = host=${hostname} port=${behind} dbname=portico
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(here, 'users.txt')}
pool_mode = transaction
default_pool_size = ${poolSize}
`,
  );
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  startProgram('/usr/sbin/pgbouncer', [...user, join(here, 'pgbouncer.ini')], { cwd: here });
}

/** The `statement_timeout` that a new client finds in each connection of the pool; it holds all of them at once. */
async function timeoutsInPool(url: string): Promise<string[]> {
  const clients = Array.from({ length: poolSize }, () => new pg.Client({ connectionString: url }));
  const found: string[] = [];
  for (const client of clients) {
    await client.connect();
    await client.query('begin');
    const { rows } = await client.query<{ statement_timeout: string }>('show statement_timeout');
    found.push(rows[0]?.statement_timeout ?? '');
  }
  for (const client of clients) {
    await client.query('rollback');
    await client.end();
  }
  return found;
}
