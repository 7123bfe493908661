import type { Flag } from '#features/flags/contract/flags.ts';
import { flagSet } from './flag-set.ts';
import { request } from './load-client.ts';
import { spread, type Effort } from './paired.ts';
import { call } from '../dev/call.ts';
import { startPortico, type Portico } from './portico.ts';
import { startBare, type ServerProcess } from './processes.ts';
import { limitRow, multipleRow, unmeasuredRow, type Row } from './report.ts';
import {
  changeOnce,
  measureChanges,
  openStreams,
  startReaders,
  whyTooMany,
  type Changes,
} from './stream-readers.ts';

const flagCount = 20;

/**
 * How long one change takes until the last of many event streams has it: Portico's passes its HTTP interface, the
 * database and the compiler; the bare server gets the same bytes and writes them. Also the memory that an open
 * stream takes.
 */
export async function* streamRows(_bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  for (const count of [1_000, 10_000]) yield* rowsFor(count, effort);
  yield* largeChangeRow(10_000, effort);
}

const largeBytes = 50_000;

/** How long other requests wait while a large change is sent to many streams. */
async function* largeChangeRow(count: number, effort: Effort): AsyncGenerator<Row> {
  const name = `Event loop held up by a change of ${largeBytes / 1000} kB to ${count.toLocaleString('en')} streams, the longest of a round`;
  const [flag] = flagSet(1, 0);
  const flags =
    flag === undefined ? [] : [{ ...flag, type: 'string', defaultValue: 'x'.repeat(largeBytes) } as const];
  const portico = await startPortico(flags, undefined, { watched: true });
  const readers = startReaders();
  try {
    const reason = whyTooMany(count, portico);
    if (reason !== null) {
      yield unmeasuredRow(name, reason);
      return;
    }
    await openStreams(portico, readers, `/sub/${portico.keyOf('plain')}`, count);
    const changes = await createChanges(portico);
    const blocks: number[] = [];
    const times: number[] = [];
    for (let round = -1; round < effort.streamRounds; round += 1) {
      await portico.longestBlock();
      const milliseconds = await changeOnce(readers, changes.next());
      const block = await portico.longestBlock();
      if (round < 0) continue;
      blocks.push(block);
      times.push(milliseconds);
    }
    const note = ` (the longest of all: ${Math.max(...blocks).toFixed(0)} ms); last one after ${spread(times).median.toFixed(0)} ms`;
    yield limitRow(name, spread(blocks).median, 'ms', 50, note);
  } finally {
    readers.kill();
    await portico.stop();
  }
}

async function* rowsFor(count: number, effort: Effort): AsyncGenerator<Row> {
  const name = `One change of ${flagCount} flags to ${count.toLocaleString('en')} streams`;
  // Both servers are new: memory of earlier streams would hide the memory of the streams measured here.
  const bare = await startBare();
  const portico = await startPortico(flagSet(flagCount, 2));
  const readers = { bare: startReaders(), portico: startReaders() };
  try {
    const reason = whyTooMany(count, bare, portico);
    if (reason !== null) {
      yield unmeasuredRow(name, reason);
      return;
    }
    const memory = {
      bare: await openStreams(bare, readers.bare, '/sub', count),
      portico: await openStreams(portico, readers.portico, `/sub/${portico.keyOf('plain')}`, count),
    };

    const changes = await createChanges(portico);
    const { times, cpu } = await measureChanges({ bare, portico }, readers, changes, effort.streamRounds);
    const figure = (side: 'bare' | 'portico') => spread(times[side]).median.toFixed(0);
    const work = (side: 'bare' | 'portico') => spread(cpu[side]).median.toFixed(0);
    yield multipleRow(
      name,
      spread(times.portico.map((time, index) => time / (times.bare[index] ?? 0))),
      `last one after ${figure('portico')} : ${figure('bare')} ms; ${work('portico')} : ${work('bare')} ms of processor`,
      1.5,
    );
    const each = (side: 'bare' | 'portico') => (memory[side] / count / 1000).toFixed(1);
    const multiple = memory.portico / memory.bare;
    yield multipleRow(
      `Memory of a stream, ${count.toLocaleString('en')} open`,
      { median: multiple, low: multiple, high: multiple },
      `${each('portico')} : ${each('bare')} kB`,
      1.5,
    );
  } finally {
    for (const child of Object.values(readers)) child.kill();
    await Promise.all([bare.stop(), portico.stop()]);
  }
}

/**
 * Creates changes of one flag, each to a value that occurs nowhere else, and the same bytes for the bare server to
 * send.
 */
async function createChanges(portico: Portico): Promise<Changes> {
  const { url, token } = portico;
  const draft = { type: 'string', description: '', rules: [], tags: [] };
  const key = 'bench-marker';
  const markerOf = (turn: number) => `marker-${String(turn).padStart(6, '0')}`;
  const { version } = await call<Flag>(url, token, 'POST', '/v1/flags', {
    key,
    ...draft,
    enabled: true,
    defaultValue: markerOf(0),
  });
  const payload = await (await fetch(`${url}/api/features/${portico.keyOf('plain')}`)).text();
  const headers = { authorization: `Bearer ${token}` };
  let turn = 0;
  return {
    next() {
      turn += 1;
      const body = { ...draft, defaultValue: markerOf(turn), version: version + turn - 1 };
      return {
        request: request('PUT', `/v1/flags/${key}`, headers, JSON.stringify(body)).toString(),
        marker: markerOf(turn),
      };
    },
    nextBare() {
      const data = payload.replace(markerOf(0), markerOf(turn));
      const event = `event: features\nid: ${1_790_000_000_000 + turn}\ndata: ${data}\n\n`;
      return { request: request('POST', '/change', {}, event).toString(), marker: markerOf(turn) };
    },
  };
}
