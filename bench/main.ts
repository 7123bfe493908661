import { readCommandLine } from '../dev/command-line.ts';
import { buildServer } from '../dev/prepare.mjs';
import { backupRows } from './backup-rows.ts';
import { checkRows } from './check-rows.ts';
import { diagnosticsRows } from './diagnostics-rows.ts';
import { eventRows } from './event-rows.ts';
import { feedbackRows } from './feedback-rows.ts';
import { evaluationRows, featureRows, metricsRows } from './flag-rows.ts';
import { quick, usual, type Effort } from './paired.ts';
import { gateRows } from './gate-rows.ts';
import { gatewayRows } from './gateway-rows.ts';
import { intakeRows } from './intake-rows.ts';
import { mapRows } from './map-rows.ts';
import { permissionRows } from './permission-rows.ts';
import { pinClient, startBare, type ServerProcess } from './processes.ts';
import { evaluationMemoryRows, memoryRows, startRows } from './process-rows.ts';
import { printHead, printRow, type Row } from './report.ts';
import { inboxRows } from './inbox-rows.ts';
import { replicaRows, upgradeRows } from './replica-rows.ts';
import { searchRows } from './search-rows.ts';
import { streamRows } from './stream-rows.ts';

// npm run bench -- [--quick] [words]: the promises in numbers of the architecture, each measured against a
// bare node:http server in the same run. Words choose groups of rows; --quick makes the rounds few and short.

const groups: Record<string, (bare: ServerProcess, effort: Effort) => AsyncGenerator<Row>> = {
  features: featureRows,
  evaluation: evaluationRows,
  metrics: metricsRows,
  permissions: permissionRows,
  streams: streamRows,
  events: eventRows,
  gate: gateRows,
  gateway: gatewayRows,
  map: mapRows,
  check: checkRows,
  reports: feedbackRows,
  search: searchRows,
  inbox: inboxRows,
  intake: intakeRows,
  diagnostics: diagnosticsRows,
  backup: backupRows,
  memory: memoryRows,
  'evaluation-memory': evaluationMemoryRows,
  start: startRows,
  replicas: replicaRows,
  upgrade: upgradeRows,
};

const { values, positionals: words } = readCommandLine(
  { allowPositionals: true, options: { quick: { type: 'boolean' } } },
  `Usage: npm run bench -- [--quick] [GROUP …]

Measures the promises in numbers, each against a bare node:http server in the same run, and ends with 1 where one is not met.
A word chooses the groups whose names begin with it; without words all are measured, which takes long.

  --quick  Few and short rounds

\`upgrade\` begins with the last tag, or with the commit in UPGRADE_FROM.

Groups:
${Object.keys(groups)
  .map((name) => `  ${name}`)
  .join('\n')}`,
);
const unknown = words.filter((word) => !Object.keys(groups).some((name) => name.startsWith(word)));
if (unknown.length > 0) {
  console.error(
    `There is no group of rows ${unknown.join(', ')}; there are ${Object.keys(groups).join(', ')}.`,
  );
  process.exit(2);
}
if (!(await buildServer())) process.exit(1);
const effort = values.quick === true ? quick : usual;

printHead();
pinClient();
const bare = await startBare();
let broken = 0;
try {
  for (const [name, rows] of Object.entries(groups)) {
    if (words.length > 0 && !words.some((word) => name.startsWith(word))) continue;
    for await (const row of rows(bare, effort)) {
      printRow(row);
      if (row.met === false) broken += 1;
    }
  }
} finally {
  await bare.stop();
}
console.log(broken === 0 ? '\nEvery promise is met.' : `\n${broken} NOT MET`);
process.exitCode = broken === 0 ? 0 : 1;
