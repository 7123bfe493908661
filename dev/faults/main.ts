// npm run faults: what a running server loses when something fails; its usage is below.
import { availableParallelism, totalmem } from 'node:os';
import { readCommandLine } from '../command-line.ts';
import { hostileEvaluations } from './event-loop.ts';
import { fullDataDisk } from './full-disk.ts';
import {
  killedOnPostgres,
  killedOnSqlite,
  postgresEnded,
  postgresKilled,
  postgresSilent,
} from './programs-killed.ts';
import { cleanUp, cleanUpOnSignal } from '../interop/programs.ts';
import { checksOf, printTable } from '../interop/table.ts';
import { buildServer } from '../prepare.mjs';

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
