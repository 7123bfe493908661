import { execFileSync, spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { startServer } from '../interop/portico.ts';
import { eventually } from '../interop/programs.ts';
import { Skipped } from '../interop/table.ts';
import { figures, newInstallation, tokenOf, type Fault, type World } from './fault.ts';
import { createLoad, wrongAnswers } from './load.ts';

/** Mounts a file system of `size` MiB; returns its path. */
function smallDisk({ folder, after }: World, size: number): string {
  const place = folder();
  const mount = ['-t', 'tmpfs', '-o', `size=${size}m`, 'tmpfs', place];
  if (userInfo().uid !== 0 || spawnSync('mount', mount).status !== 0)
    throw new Skipped('needs root, and the right to mount a tmpfs');
  after(() => void spawnSync('umount', ['--lazy', place]));
  return place;
}

/** Sets the size of a mounted file system, in MiB. */
function resizeDisk(place: string, size: number): void {
  execFileSync('mount', ['-o', `remount,size=${size}m`, place]);
}

/** The first size of the disk under the data, and what it gains each time that it is full, in MiB. */
const [smallest, more] = [24, 8];

/**
 * The disk under the data fills up: the server reports refusals as such, keeps what it acknowledged, and continues
 * once there is space.
 */
export const fullDataDisk: Fault = {
  name: 'full disk under the data, SQLite',
  async run(world) {
    const place = smallDisk(world, smallest);
    const installation = await newInstallation(place);
    let server = startServer(installation);
    await server.ready();
    const load = createLoad(tokenOf(installation), { pictureSide: 200 });
    const losses: string[] = [];
    for (let round = 0; round < world.rounds; round += 1) {
      load.begin(server.url);
      const refused = () => (load.answers.get('503') ?? 0) + (load.answers.get('413') ?? 0);
      const before = refused();
      await eventually(
        () => 'The disk does not fill up.',
        () => refused() > before + 20,
      );
      if ((await fetch(`${server.url}/healthz`)).status !== 200)
        losses.push('/healthz failed on a full disk');
      resizeDisk(place, smallest + (round + 1) * more);
      const acknowledged = load.acknowledged();
      await eventually(
        () => 'It does not write again.',
        () => load.acknowledged() > acknowledged + 5,
      );
      await load.end();
    }
    await server.stop(0);
    server = startServer(installation);
    await server.ready();
    losses.push(...(await load.lost(server.url)), ...wrongAnswers(load, '413'));
    const refusals = [...load.answers]
      .filter(([answer]) => !answer.startsWith('2'))
      .map(([answer, times]) => `${times} × ${answer}`);
    return figures(
      `filled ${world.rounds} times; ${load.acknowledged()} acknowledged writes, ${refusals.join(', ')}, ${losses.length} lost`,
      losses,
    );
  },
};
