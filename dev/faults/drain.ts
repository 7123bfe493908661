import { startBalancer } from '#server/testing/balancer.ts';
import { startOwnPostgres } from '#server/testing/postgres-server.ts';
import { until, type Fault } from './fault.ts';
import { createLoad, wrongAnswers } from './load.ts';
import { freePort, newInstallation, newToken, startServer } from './server.ts';

const stopDelay = 3;

/**
 * Two replicas behind a plain balancer that asks `/readyz` every 250 ms, one after the other restarted: no
 * request fails.
 */
export const rollingRestart: Fault = {
  name: 'rolling restart behind a balancer',
  async run(world) {
    const postgres = await startOwnPostgres(world.after);
    const settings = { DATABASE_URL: postgres.url, STOP_DELAY: String(stopDelay) };
    const one = await newInstallation(world, settings);
    const other = { ...one, DATA_DIR: world.folder(), PORT: String(await freePort()) };
    const installations = [one, other];
    const servers = [];
    for (const installation of installations) {
      const server = startServer(world, installation);
      await server.ready();
      servers.push(server);
    }
    const balancer = await startBalancer(
      installations.map(({ PORT }) => Number(PORT)),
      world.after,
    );
    await until('both replicas are ready', () => balancer.ready().length === 2);
    const load = createLoad(newToken(one));
    load.begin(balancer.url);
    const losses: string[] = [];
    for (let restart = 0; restart < world.rounds * 2; restart += 1) {
      const at = restart % 2;
      const installation = installations[at] ?? one;
      const status = await servers[at]?.stop();
      if (status !== 0) losses.push(`a stop ended with ${status}`);
      const server = startServer(world, installation);
      servers[at] = server;
      await server.ready();
      await until('both replicas are ready', () => balancer.ready().length === 2);
    }
    await load.end();
    const failed = [...load.answers]
      .filter(([answer]) => !/^2|409/.test(answer))
      .map(([answer, times]) => `${times} × ${answer}`);
    losses.push(...failed, ...wrongAnswers(load), ...(await load.lost(balancer.url)));
    return {
      figures: `${world.rounds * 2} restarts, ${load.acknowledged()} acknowledged writes, ${failed.length} kinds of failure`,
      losses: [...new Set(losses)],
    };
  },
};
