import { onServer, startOwnPostgres } from '#server/testing/postgres-server.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { startPortico, type Portico } from '../interop/portico.ts';
import { afterwards, eventually } from '../interop/programs.ts';
import { must } from '../interop/table.ts';
import { figures, newInstallation, tokenOf, type Fault } from './fault.ts';
import { createLoad, wrongAnswers, type Load } from './load.ts';

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
