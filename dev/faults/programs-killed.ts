import { onServer, startOwnPostgres } from '#server/testing/postgres-server.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { type Portico, startPortico } from '../interop/portico.ts';
import { afterwards, eventually } from '../interop/programs.ts';
import { must } from '../interop/table.ts';
import { type Fault, figures, newInstallation, tokenOf } from './fault.ts';
import { createLoad, type Load, wrongAnswers } from './load.ts';

/** PostgreSQL fails while the server runs: its connections end, it is killed and restarted, or it hangs. */
export const postgresEnded: Fault = {
  name: 'PostgreSQL ends connections',
  async run(rounds) {
    const { postgres, server, load } = await underLoad();
    const others = 'datname = current_database() and pid <> pg_backend_pid()';
    const times = rounds * 20;
    for (let round = 0; round < times; round += 1) {
      await onServer(postgres.url, `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
      await pause(200);
    }
    return result(server, load, `all connections ended ${times} times`);
  },
};

export const postgresKilled: Fault = {
  name: 'PostgreSQL killed and started again',
  async run(rounds) {
    const { postgres, server, load } = await underLoad();
    const away: number[] = [];
    for (let round = 0; round < rounds * 3; round += 1) {
      await pause(1_000);
      await postgres.kill();
      const isAway = async () => (await readyz(server)).status === 503;
      await eventually('/readyz does not say that the database is away.', isAway);
      await pause(500);
      await postgres.restart();
      const begun = performance.now();
      await server.ready();
      away.push(performance.now() - begun);
    }
    const back = `ready again after PostgreSQL is: ${spread(away)}`;
    return result(server, load, `${away.length} kills; ${back}`);
  },
};

export const postgresSilent: Fault = {
  name: 'PostgreSQL hangs (SIGSTOP)',
  async run(rounds) {
    const { postgres, server, load } = await underLoad();
    const times: number[] = [];
    const losses: string[] = [];
    for (let round = 0; round < rounds * 2; round += 1) {
      await pause(1_000);
      await postgres.freeze();
      for (let ask = 0; ask < 5; ask += 1) {
        const { status, ms } = await readyz(server);
        times.push(ms);
        if (status !== 503) losses.push(`/readyz answered ${status} while PostgreSQL hung`);
        // The promise is 2 s; the rest is the delay of a machine under load.
        if (ms > 4_000) losses.push(`/readyz took ${Math.round(ms)} ms`);
        await pause(500);
      }
      postgres.thaw();
      await server.ready();
    }
    return result(server, load, `hung ${rounds * 2} times; /readyz 503: ${spread(times)}`, losses);
  },
};

async function underLoad() {
  const postgres = await startOwnPostgres(afterwards);
  const installation = await newInstallation({ DATABASE_URL: postgres.url });
  const server = await startPortico(installation);
  const load = createLoad(tokenOf(installation), { lanes: 16 });
  load.begin(server.url);
  return { postgres, server, load };
}

async function readyz({ url }: Portico): Promise<{ status: number; ms: number }> {
  const begun = performance.now();
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(30_000) }).catch(() => null);
  await answer?.arrayBuffer().catch(() => undefined);
  return { status: answer?.status ?? 0, ms: performance.now() - begun };
}

/** The median and the maximum of some milliseconds. */
function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const [middle = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `median ${Math.round(middle)} ms, longest ${Math.round(longest)} ms`;
}

async function result(server: Portico, load: Load, done: string, losses: readonly string[] = []) {
  await load.end();
  must(server.isAlive(), `The server ended: ${server.output().slice(-300)}`);
  await server.ready();
  const lost = await load.lost(server.url);
  const refused = load.answers.get('503') ?? 0;
  const words = `${done}; ${load.acknowledged()} acknowledged writes, ${refused} × 503, ${lost.length} lost`;
  return figures(words, [...losses, ...lost, ...wrongAnswers(load)]);
}

/** kill -9 of the server while it writes: what it acknowledged is there, whole, after each start. */
export const killedOnSqlite: Fault = { name: 'kill -9 under load, SQLite', run: (rounds) => killed(rounds) };

export const killedOnPostgres: Fault = {
  name: 'kill -9 under load, PostgreSQL',
  run: async (rounds) => killed(rounds, { DATABASE_URL: (await startOwnPostgres(afterwards)).url }),
};

async function killed(rounds: number, settings: Record<string, string> = {}): Promise<string> {
  const installation = await newInstallation(settings);
  let server = await startPortico(installation);
  const load = createLoad(tokenOf(installation));
  const losses: string[] = [];
  const kills = rounds * 5;
  for (let round = 1; round <= kills; round += 1) {
    const enough = load.acknowledged() + 20 + Math.floor(Math.random() * 150);
    load.begin(server.url);
    await eventually('Writes are not acknowledged.', () => load.acknowledged() > enough);
    await server.stop(0);
    await load.end();
    server = await startPortico(installation);
    if (round % 5 === 0) losses.push(...(await load.lost(server.url)));
  }
  const words = `${kills} kills, ${load.acknowledged()} acknowledged writes, ${losses.length} lost`;
  return figures(words, [...losses, ...wrongAnswers(load, 'no answer')]);
}
