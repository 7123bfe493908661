import { startOwnPostgres } from '#server/testing/postgres-server.ts';
import { startPortico } from '../interop/portico.ts';
import { afterwards, eventually } from '../interop/programs.ts';
import { figures, newInstallation, tokenOf, type Fault } from './fault.ts';
import { createLoad, wrongAnswers } from './load.ts';

/** kill -9 of the server while it writes: what it acknowledged is there, whole, after each start. */
export const killedOnSqlite: Fault = { name: 'kill -9 under load, SQLite', run: (rounds) => run(rounds) };

export const killedOnPostgres: Fault = {
  name: 'kill -9 under load, PostgreSQL',
  run: async (rounds) => run(rounds, { DATABASE_URL: (await startOwnPostgres(afterwards)).url }),
};

async function run(rounds: number, settings: Record<string, string> = {}): Promise<string> {
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
