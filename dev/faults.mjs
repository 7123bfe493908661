// npm run faults: makes process, PostgreSQL, disks, log and clock of a server fail, one after the other, and
// checks that nothing acknowledged is lost. `npm run faults -- [--rounds N] [NAME …]`; a name is a part of
// one in the table. Ends with 1 where something was lost. Not part of `npm test`: it takes minutes, and a
// part needs root.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, totalmem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommandLine } from './command-line.mjs';
import { rollingRestart } from './faults/drain.ts';
import { hostileEvaluations } from './faults/event-loop.ts';
import { fullDataDisk, fullLogDisk } from './faults/full-disk.ts';
import { killedOnPostgres, killedOnSqlite } from './faults/killed.ts';
import { postgresEnded, postgresKilled, postgresSilent } from './faults/postgres-taken.ts';
import { unreadOutput } from './faults/unread-output.ts';
import { wrongClock } from './faults/clock.ts';

const all = [
  killedOnSqlite,
  killedOnPostgres,
  postgresEnded,
  postgresKilled,
  postgresSilent,
  fullDataDisk,
  fullLogDisk,
  unreadOutput,
  wrongClock,
  rollingRestart,
  hostileEvaluations,
];
const { values, positionals } = readCommandLine(
  { allowPositionals: true, options: { rounds: { type: 'string', default: '2' } } },
  `Usage: npm run faults -- [--rounds N] [NAME …]

Takes away what a running server needs (process, PostgreSQL, disk, log, clock), under load, and looks for what was lost.
A name is a part of one of those below; without names all are run, in about four minutes. Ends with 1 where something was lost
or a promise was broken. What this machine cannot do (mount a disk, faketime) is skipped. More: docs/reliability.md.

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

const gibibytes = Math.round(totalmem() / 2 ** 30);
process.stdout.write(
  `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores, ${gibibytes} GiB, Node ${process.version}, rounds ${rounds}\n\n`,
);
process.stdout.write('| fault | result | figures | seconds |\n| --- | --- | --- | --- |\n');
let failed = false;
for (const fault of wanted) {
  const begun = performance.now();
  const outcome = await runOne(fault);
  const seconds = Math.round((performance.now() - begun) / 1000);
  const result = 'skipped' in outcome ? 'skipped' : outcome.losses.length === 0 ? 'sound' : 'FAULT';
  const figures = 'skipped' in outcome ? outcome.skipped : outcome.figures;
  process.stdout.write(`| ${fault.name} | ${result} | ${figures} | ${seconds} |\n`);
  if (result !== 'FAULT' || 'skipped' in outcome) continue;
  failed = true;
  for (const loss of outcome.losses.slice(0, 20)) process.stderr.write(`  ${fault.name}: ${loss}\n`);
}
process.exit(failed ? 1 : 0);

/**
 * Runs one, and cleans up after it whatever becomes of it.
 *
 * @param {import('./faults/fault.ts').Fault} fault
 * @returns {Promise<import('./faults/fault.ts').Outcome>}
 */
async function runOne(fault) {
  /** @type {(() => void | Promise<void>)[]} */
  const cleanUps = [];
  const world = {
    rounds,
    folder() {
      const folder = mkdtempSync(join(tmpdir(), 'portico-faults-'));
      cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
      return folder;
    },
    after: (/** @type {() => void | Promise<void>} */ cleanUp) => void cleanUps.push(cleanUp),
  };
  try {
    return await fault.run(world);
  } catch (error) {
    return { figures: '', losses: [error instanceof Error ? error.message : String(error)] };
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
}
