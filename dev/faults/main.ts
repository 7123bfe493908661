import { availableParallelism, totalmem, userInfo } from 'node:os';
import { readCommandLine } from '../command-line.ts';
import {
  killedOnPostgres,
  killedOnSqlite,
  postgresEnded,
  postgresKilled,
  postgresSilent,
} from './programs-killed.ts';
import { afterwards, cleanUp, cleanUpOnSignal, eventually, temporaryFolder } from '../interop/programs.ts';
import { checksOf, printTable, skip } from '../interop/table.ts';
import { buildServer } from '../prepare.mjs';
import { execFileSync, spawnSync } from 'node:child_process';
import { startPortico } from '../interop/portico.ts';
import { type Fault, figures, newInstallation, tokenOf } from './fault.ts';
import { createLoad, flag, wrongAnswers } from './load.ts';
import { once } from 'node:events';
import { join } from 'node:path';
import { call, clientKey } from '../call.ts';

const watch = join(import.meta.dirname, '../../bench/loop-watch.ts');
/**
 * The promise is 50 ms. On a machine that others use too, only a pause ten times as long is certainly Portico's
 * fault.
 */
const fault = 500;

const conditions: Record<string, unknown>[] = [
  { email: { $regex: String.raw`.+@example\.com$` } },
  { name: { $regex: '^(a|b)*c$' } },
  { version: { $vgte: '1.2.3' } },
  { tags: { $elemMatch: { $eq: 'x' } } },
  { url: { $regex: 'admin' } },
];

/**
 * Bodies that only an attacker sends: long texts, long lists, deep nesting, in everything that a condition may look
 * at.
 */
const bodies = [
  ...['email', 'name', 'version', 'tags', 'url'].flatMap((name) =>
    [
      Array.from({ length: 40_000 }, (_each, index) => index),
      `${'a'.repeat(80_000)}!`,
      `${'+'.repeat(80_000)}\n`,
      `${'й'.repeat(29)}!`,
      '1.'.repeat(40_000),
    ].map((value) => ({ attributes: { [name]: value } })),
  ),
  { attributes: {}, url: `https://example.org/${'a'.repeat(9_000)}` },
  { attributes: {}, forcedFeatures: Array.from({ length: 1_000 }, () => ['parent', 'x'.repeat(40)]) },
  { attributes: {}, forcedFeatures: [['parent', `${'a'.repeat(60_000)}!`]] },
  { attributes: Object.fromEntries(Array.from({ length: 5_000 }, (_each, index) => [`a${index}`, index])) },
].map((body) => JSON.stringify(body));
for (const levels of [100, 60_000])
  bodies.push(`{"attributes":{},"forcedFeatures":[["parent",${'['.repeat(levels)}${']'.repeat(levels)}]]}`);

/** The longest time that hostile evaluations block the event loop. */
const hostileEvaluations: Fault = {
  name: 'hostile evaluations',
  async run(rounds) {
    const installation = await newInstallation();
    const { url, child } = await startPortico(installation, ['--import', watch]);
    const token = tokenOf(installation);
    const losses: string[] = [];
    for (const [index, condition] of conditions.entries()) {
      const rules = [{ condition, force: true }];
      const key = index === 0 ? 'parent' : `flag-${index}`;
      await call(url, token, 'POST', '/v1/flags', { ...flag, key, defaultValue: false, rules });
    }
    const key = await clientKey(url, token, 'remote-eval');
    const answers = new Map<number, number>();
    const evaluate = async (body: string) => {
      const headers = { 'content-type': 'application/json' };
      const { status } = await fetch(`${url}/api/eval/${key}`, { method: 'POST', headers, body });
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (status >= 500) losses.push(`${body.slice(0, 60)}… answered ${status}`);
    };
    const longestHold = async () => {
      child.send('how long');
      return Math.round(((await once(child, 'message')) as [number])[0]);
    };
    await evaluate('{"attributes":{}}');
    await longestHold();
    for (let round = 0; round < rounds * 3; round += 1) for (const body of bodies) await evaluate(body);
    const held = await longestHold();
    if (held > fault) losses.push(`the event loop was held for ${held} ms`);
    const summary = [...answers].map(([status, times]) => `${times} × ${status}`).join(', ');
    return figures(`${summary}; the event loop was held for ${held} ms at the longest`, losses);
  },
};

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
const fullDataDisk: Fault = {
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

// npm run faults: what a running server loses when something fails; its usage is below.

const all = [
  killedOnSqlite,
  killedOnPostgres,
  postgresEnded,
  postgresKilled,
  postgresSilent,
  fullDataDisk,
  hostileEvaluations,
];
const { values, positionals } = readCommandLine(
  { allowPositionals: true, options: { rounds: { type: 'string', default: '2' } } },
  `Usage: npm run faults -- [--rounds N] [NAME …]

Takes away what a running server needs (process, PostgreSQL, disk), under load, and looks for what was lost.
A name is a part of one of those below; without names all are run, in about four minutes. Ends with 1 where something was lost
or a promise was broken. What this machine cannot do (mount a disk) is skipped. More: docs/reliability.md.

  --rounds N  How often each is repeated (2)

${all.map(({ name }) => `  ${name}`).join('\n')}`,
);
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) {
  process.stderr.write('--rounds takes a whole number from 1.\n');
  process.exit(2);
}

const wanted = all.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
if (wanted.length === 0) {
  process.stderr.write(`There are: ${all.map(({ name }) => name).join('; ')}.\n`);
  process.exit(2);
}

if (!(await buildServer())) process.exit(1);
const gibibytes = Math.round(totalmem() / 2 ** 30);
process.stdout.write(
  `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores, ${gibibytes} GiB, Node ${process.version}, rounds ${rounds}\n`,
);
const check = checksOf('Faults');
cleanUpOnSignal();
for (const { name, run } of wanted) {
  await check(name, () => run(rounds));
  await cleanUp(0).catch((error: unknown) => check('cleans up', () => Promise.reject(error)));
}
process.exit(printTable());
