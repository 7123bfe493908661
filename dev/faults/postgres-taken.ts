import { onServer, startOwnPostgres } from '#server/testing/postgres-server.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { startServer, type Server } from '../interop/portico.ts';
import { eventually } from '../interop/programs.ts';
import { must } from '../interop/table.ts';
import { figures, newInstallation, spread, tokenOf, type Fault, type World } from './fault.ts';
import { createLoad, wrongAnswers, type Load } from './load.ts';

/** PostgreSQL fails while the server runs: its connections end, it is killed and restarted, or it hangs. */
export const postgresEnded: Fault = {
  name: 'PostgreSQL ends connections',
  async run(world) {
    const { url, server, load } = await underLoad(world);
    const times = world.rounds * 20;
    for (let round = 0; round < times; round += 1) {
      await onServer(
        url,
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      await pause(200);
    }
    return result(server, load, `all connections ended ${times} times`);
  },
};

export const postgresKilled: Fault = {
  name: 'PostgreSQL killed and started again',
  async run(world) {
    const { postgres, server, load } = await underLoad(world);
    const away: number[] = [];
    for (let round = 0; round < world.rounds * 3; round += 1) {
      await pause(1_000);
      await postgres.kill();
      await eventually(
        () => '/readyz does not say that the database is away.',
        async () => (await readyz(server)).status === 503,
      );
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
  async run(world) {
    const { postgres, server, load } = await underLoad(world);
    const times: number[] = [];
    const losses: string[] = [];
    for (let round = 0; round < world.rounds * 2; round += 1) {
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
    return result(server, load, `hung ${world.rounds * 2} times; /readyz 503: ${spread(times)}`, losses);
  },
};

async function underLoad(world: World) {
  const postgres = await startOwnPostgres(world.after);
  const installation = await newInstallation(world.folder(), { DATABASE_URL: postgres.url });
  const server = startServer(installation);
  await server.ready();
  const load = createLoad(tokenOf(installation), { lanes: 16 });
  load.begin(server.url);
  return { postgres, url: postgres.url, server, load };
}

async function readyz(server: Server): Promise<{ status: number; ms: number }> {
  const begun = performance.now();
  const answer = await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(30_000) }).catch(
    () => null,
  );
  await answer?.arrayBuffer().catch(() => undefined);
  return { status: answer?.status ?? 0, ms: performance.now() - begun };
}

async function result(server: Server, load: Load, done: string, losses: readonly string[] = []) {
  await load.end();
  must(server.isAlive(), `The server ended: ${server.output().slice(-300)}`);
  await server.ready();
  const lost = await load.lost(server.url);
  const refused = load.answers.get('503') ?? 0;
  return figures(
    `${done}; ${load.acknowledged()} acknowledged writes, ${refused} × 503, ${lost.length} lost`,
    [...losses, ...lost, ...wrongAnswers(load)],
  );
}
