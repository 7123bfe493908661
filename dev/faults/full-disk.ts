import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { pause, until, type Fault, type World } from './fault.ts';
import { createLoad, wrongAnswers } from './load.ts';
import { newInstallation, newToken, startServer } from './server.ts';

const mebibyte = 1_048_576;

/** A file system of so many MiB; null where this machine does not let it be mounted. */
function smallDisk({ folder, after }: World, size: number): string | null {
  if (userInfo().uid !== 0) return null;
  const place = folder();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m`, 'tmpfs', place]).status !== 0) return null;
  after(() => void spawnSync('umount', ['--lazy', place]));
  return place;
}

/** Sets the size of a mounted file system, in MiB. */
function resizeDisk(place: string, size: number): void {
  execFileSync('mount', ['-o', `remount,size=${size}m`, place]);
}

/** Of the disk under the data, in MiB: at first, and what it gets each time that it is full. */
const [smallest, more] = [24, 8];

const notMounted = { skipped: 'needs root, and the right to mount a tmpfs' };

/**
 * The disk under the data fills up: refusals are reported as such, what was acknowledged stays, and it goes
 * on once there is space.
 */
export const fullDataDisk: Fault = {
  name: 'full disk under the data, SQLite',
  async run(world) {
    const place = smallDisk(world, smallest);
    if (place === null) return notMounted;
    const installation = await newInstallation({ folder: () => place });
    let server = startServer(world, installation);
    await server.ready();
    const load = createLoad(newToken(installation), { pictureSide: 200 });
    const losses: string[] = [];
    for (let round = 0; round < world.rounds; round += 1) {
      load.begin(server.url);
      const refused = () => (load.answers.get('503') ?? 0) + (load.answers.get('413') ?? 0);
      const before = refused();
      await until('the disk is full', () => refused() > before + 20);
      if ((await fetch(`${server.url}/healthz`)).status !== 200)
        losses.push('/healthz failed on a full disk');
      resizeDisk(place, smallest + (round + 1) * more);
      const acknowledged = load.acknowledged();
      await until('it writes again', () => load.acknowledged() > acknowledged + 5);
      await load.end();
    }
    await server.kill();
    server = startServer(world, installation);
    await server.ready();
    losses.push(...(await load.lost(server.url)), ...wrongAnswers(load, '413'));
    const refusals = [...load.answers]
      .filter(([answer]) => !answer.startsWith('2'))
      .map(([answer, times]) => `${times} × ${answer}`);
    return {
      figures: `filled ${world.rounds} times; ${load.acknowledged()} acknowledged writes, ${refusals.join(', ')}, ${losses.length} lost`,
      losses,
    };
  },
};

/**
 * The disk under standard output fills up: requests are answered, lines are dropped and counted, and it logs
 * again.
 */
export const fullLogDisk: Fault = {
  name: 'full disk under the log',
  async run(world) {
    const place = smallDisk(world, 4);
    if (place === null) return notMounted;
    const installation = await newInstallation(world, { LOG_LEVEL: 'info', AUDIT_LOG: 'stdout' });
    const file = join(place, 'log');
    const ballast = join(place, 'ballast');
    const stdout = openSync(file, 'a');
    world.after(() => closeSync(stdout));
    const server = startServer(world, installation, { stdout });
    await server.ready();
    let asked = 0;
    const losses: string[] = [];
    for (let round = 0; round < world.rounds; round += 1) {
      writeFileSync(ballast, Buffer.alloc(2 * mebibyte));
      for (let index = 0; index < 1_500; index += 1) {
        const answer = await fetch(`${server.url}/${'x'.repeat(4_000)}`);
        await answer.arrayBuffer();
        asked += 1;
        if (answer.status !== 404) losses.push(`a request answered ${answer.status}`);
      }
      if (!server.isAlive()) return { figures: '', losses: ['the server ended'] };
      const counts = () => readFileSync(file, 'utf8').match(/"dropped":\d+/g) ?? [];
      const before = counts().length;
      rmSync(ballast);
      await until('it logs again and reports what it dropped', () => counts().length > before);
      // Space for the next round; the server goes on appending.
      if (round + 1 < world.rounds) writeFileSync(file, '');
    }
    const dropped = readFileSync(file, 'utf8').matchAll(/"dropped":(\d+)/g);
    const count = [...dropped].reduce((sum, [, lines]) => sum + Number(lines), 0);
    await pause(100);
    const status = await server.stop();
    if (status !== 0) losses.push(`the stop ended with ${status}`);
    return { figures: `${asked} requests answered, at the last ${count} lines dropped and counted`, losses };
  },
};
