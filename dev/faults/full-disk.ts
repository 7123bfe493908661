import { execFileSync, spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { startPortico } from '../interop/portico.ts';
import { afterwards, eventually, temporaryFolder } from '../interop/programs.ts';
import { skip } from '../interop/table.ts';
import { figures, newInstallation, tokenOf, type Fault } from './fault.ts';
import { createLoad, wrongAnswers } from './load.ts';

/** The first size of the disk under the data, and what it gains each time that it is full, in MiB. */
const [smallest, more] = [24, 8];

/** Mounts a small file system; returns its path. */
function smallDisk(): string {
  const place = temporaryFolder();
  const mount = ['-t', 'tmpfs', '-o', `size=${smallest}m`, 'tmpfs', place];
  if (userInfo().uid !== 0 || spawnSync('mount', mount).status !== 0)
    skip('needs root, and the right to mount a tmpfs');
  afterwards(() => spawnSync('umount', ['--lazy', place]));
  return place;
}

/**
 * The disk under the data fills up: the server reports refusals as such, keeps what it acknowledged, and continues
 * once there is space.
 */
export const fullDataDisk: Fault = {
  name: 'full disk under the data, SQLite',
  async run(rounds) {
    const place = smallDisk();
    const installation = await newInstallation({}, place);
    let server = await startPortico(installation);
    const load = createLoad(tokenOf(installation), { pictureSide: 200 });
    const losses: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      load.begin(server.url);
      const refused = () => (load.answers.get('503') ?? 0) + (load.answers.get('413') ?? 0);
      const before = refused();
      await eventually('The disk does not fill up.', () => refused() > before + 20);
      if ((await fetch(`${server.url}/healthz`)).status !== 200)
        losses.push('/healthz failed on a full disk');
      execFileSync('mount', ['-o', `remount,size=${smallest + (round + 1) * more}m`, place]);
      const acknowledged = load.acknowledged();
      await eventually('It does not write again.', () => load.acknowledged() > acknowledged + 5);
      await load.end();
    }
    await server.stop(0);
    server = await startPortico(installation);
    losses.push(...(await load.lost(server.url)), ...wrongAnswers(load, '413'));
    const refusals = [...load.answers]
      .filter(([answer]) => !answer.startsWith('2'))
      .map(([answer, times]) => `${times} × ${answer}`);
    return figures(
      `filled ${rounds} times; ${load.acknowledged()} acknowledged writes, ${refusals.join(', ')}, ${losses.length} lost`,
      losses,
    );
  },
};
