import { setTimeout as pause } from 'node:timers/promises';
import { addManyReports } from './many-reports.ts';
import type { Effort } from './paired.ts';
import { call } from '../dev/call.ts';
import { freshEnvironment, startPortico, temporaryFolder, type Portico } from './portico.ts';
import type { ServerProcess } from './processes.ts';
import { limitRow, type Row } from './report.ts';
import { flagSet } from './flag-set.ts';

const count = 50_000;
const everyMs = 10;

/** What a backup adds to reads at the same time. */
export async function* backupRows(_bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  const environment = { ...(await freshEnvironment()), BACKUP_FOLDER: temporaryFolder() };
  await (await startPortico(flagSet(20, 20), environment)).stop();
  await addManyReports(environment, count);
  const portico = await startPortico([], environment);
  try {
    await reads(portico, pause(effort.warmUpMs));
    const before = await reads(portico, pause(effort.roundMs * effort.rounds));
    const begun = performance.now();
    const during = await reads(portico, backup(portico));
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    yield limitRow(
      `What a backup of ${count.toLocaleString('en')} reports adds to the 99th percentile of reads`,
      percentile(during) - percentile(before),
      'ms',
      10,
      `; ${percentile(during).toFixed(0)} ms of ${during.length}, ${percentile(before).toFixed(0)} ms without; made in ${seconds} s`,
    );
  } finally {
    await portico.stop();
  }
}

async function backup({ url, token }: Portico): Promise<void> {
  await call(url, token, 'POST', '/v1/backups/runs');
  for (;;) {
    const { runs } = await call<{ runs: { state: string }[] }>(url, token, 'GET', '/v1/backups');
    const state = runs[0]?.state;
    if (state === 'done') return;
    if (state === 'failed') throw new Error('The backup failed.');
    await pause(100);
  }
}

/** Sends a read every `everyMs`, however long answers take, until `over` settles; returns their milliseconds. */
async function reads({ url, token }: Portico, over: Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  const open: Promise<unknown>[] = [];
  const end = over.then(() => 'over');
  while ((await Promise.race([end, pause(everyMs)])) !== 'over') {
    const begun = performance.now();
    open.push(call(url, token, 'GET', '/v1/flags').then(() => taken.push(performance.now() - begun)));
  }
  await Promise.all(open);
  return taken;
}

function percentile(taken: readonly number[]): number {
  return taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99)] ?? 0;
}
