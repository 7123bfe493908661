import { startOwnPostgres } from '#server/testing/postgres-server.ts';
import { startServer } from '../interop/portico.ts';
import { eventually } from '../interop/programs.ts';
import { figures, newInstallation, tokenOf, type Fault, type World } from './fault.ts';
import { createLoad, wrongAnswers } from './load.ts';

/** kill -9 of the server while it writes: what it acknowledged is there, whole, after each start. */
export const killedOnSqlite: Fault = { name: 'kill -9 under load, SQLite', run: (world) => run(world, {}) };

export const killedOnPostgres: Fault = {
  name: 'kill -9 under load, PostgreSQL',
  async run(world) {
    const { url } = await startOwnPostgres(world.after);
    return run(world, { DATABASE_URL: url });
  },
};

async function run(world: World, settings: Record<string, string>) {
  const installation = await newInstallation(world.folder(), settings);
  let server = startServer(installation);
  await server.ready();
  const load = createLoad(tokenOf(installation));
  const losses: string[] = [];
  const kills = world.rounds * 5;
  for (let round = 1; round <= kills; round += 1) {
    const before = load.acknowledged();
    const enough = before + 20 + Math.floor(Math.random() * 150);
    load.begin(server.url);
    await eventually(
      () => 'Writes are not acknowledged.',
      () => load.acknowledged() > enough,
    );
    await server.stop(0);
    await load.end();
    server = startServer(installation);
    await server.ready();
    if (round % 5 === 0) losses.push(...(await load.lost(server.url)));
  }
  return figures(`${kills} kills, ${load.acknowledged()} acknowledged writes, ${losses.length} lost`, [
    ...losses,
    ...wrongAnswers(load, 'no answer'),
  ]);
}
