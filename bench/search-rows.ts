import { spread, type Effort } from './paired.ts';
import { addManyReports } from './many-reports.ts';
import { call } from '../dev/call.ts';
import { startPortico, type Portico } from './portico.ts';
import type { ServerProcess } from './processes.ts';
import { limitRow, type Row } from './report.ts';

const reports = 50_000;
const atOnce = 10;
/** Searches that match all reports, some of them or none, and words that are too short for most indexes. */
const searches = ['broken', 'broken legend', 'nothing-holds-this', 'zo', '%_', '4711'];

/** Searches of operators in a large inbox, and how they slow other requests. */
export async function* searchRows(_bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  const portico = await startPortico([], undefined, { watched: true });
  try {
    await addManyReports(portico.environment, reports);
    await round(portico, effort.warmUpMs);
    const blocks: number[] = [];
    const others: number[] = [];
    const found: number[] = [];
    for (let done = 0; done < effort.rounds; done += 1) {
      await portico.longestBlock();
      const taken = await round(portico, effort.roundMs);
      blocks.push(await portico.longestBlock());
      others.push(spread(taken.others).median);
      found.push(spread(taken.searches).median);
    }
    yield limitRow(
      `Event loop held up by ${atOnce} searches at once in ${reports.toLocaleString('en')} reports, the longest of a round`,
      spread(blocks).median,
      'ms',
      50,
      ` (the longest of all: ${Math.max(...blocks).toFixed(0)} ms); other requests ${spread(others).median.toFixed(1)} ms, a search ${spread(found).median.toFixed(0)} ms`,
    );
  } finally {
    await portico.stop();
  }
}

/** Runs the searches of `atOnce` people and other requests at the same time; returns the milliseconds of each. */
async function round(
  portico: Portico,
  milliseconds: number,
): Promise<{ searches: number[]; others: number[] }> {
  const end = performance.now() + milliseconds;
  const taken = { searches: [] as number[], others: [] as number[] };

  async function repeat(into: number[], path: (turn: number) => string): Promise<void> {
    for (let turn = 0; performance.now() < end; turn += 1) {
      const begun = performance.now();
      await call(portico.url, portico.token, 'GET', path(turn));
      into.push(performance.now() - begun);
    }
  }

  await Promise.all([
    repeat(taken.others, () => '/healthz'),
    ...Array.from({ length: atOnce }, (_each, person) =>
      repeat(
        taken.searches,
        (turn) =>
          `/v1/reports?search=${encodeURIComponent(searches[(turn + person) % searches.length] ?? '')}`,
      ),
    ),
  ]);
  return taken;
}
