import { haveAsked, manyPeople } from './many-people.ts';
import { request } from './load-client.ts';
import { spread, type Effort } from './paired.ts';
import { call } from '../dev/call.ts';
import { startPortico, type Portico } from './portico.ts';
import { startWeighedBare, type ServerProcess } from './processes.ts';
import { limitRow, multipleRow, unmeasuredRow, type Row } from './report.ts';
import {
  closeStreams,
  measureChanges,
  openStreams,
  startReaders,
  whyTooMany,
  type Changes,
} from './stream-readers.ts';

const count = 10_000;
const path = '/v1/events?tabs=1&unsaved=0';

/**
 * How long a change of maintenance by the operator takes until the last browser connected to `/v1/events` has it;
 * the bare server gets the same bytes and writes them. Also the memory of such a stream with its presence, for
 * people whom the server knows already.
 */
export async function* eventRows(_bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  const people = `${count.toLocaleString('en')} people`;
  const name = `One change of maintenance to the live events of ${people}`;
  const bare = await startWeighedBare();
  const portico = await startPortico([], undefined, { weighed: true });
  const readers = { bare: startReaders(), portico: startReaders() };
  try {
    const reason = whyTooMany(count, bare, portico);
    if (reason !== null) {
      yield unmeasuredRow(name, reason);
      return;
    }
    const bearers = await manyPeople(portico, count);
    await haveAsked(portico, bearers);
    const weigh = (server: typeof bare, kind: 'bare' | 'portico', at: string) =>
      openStreams(server, readers[kind], at, count, bearers, server.weight);
    const ofBare = await weigh(bare, 'bare', path);
    const ofFlags = await weigh(portico, 'portico', `/sub/${portico.keyOf('plain')}`);
    await closeStreams(readers.portico);
    const ofEvents = await weigh(portico, 'portico', path);
    const present = await call(portico.url, portico.token, 'GET', '/v1/presence');

    const changes = await createChanges(portico, bearers[0] ?? '');
    const { times, cpu } = await measureChanges({ bare, portico }, readers, changes, effort.streamRounds);
    const figure = (side: 'bare' | 'portico') => spread(times[side]).median.toFixed(0);
    const work = (side: 'bare' | 'portico') => spread(cpu[side]).median.toFixed(0);
    yield multipleRow(
      name,
      spread(times.portico.map((time, index) => time / (times.bare[index] ?? 0))),
      `last one after ${figure('portico')} : ${figure('bare')} ms; ${work('portico')} : ${work('bare')} ms of processor`,
      1.5,
    );
    const each = (bytes: number) => Math.round(bytes / count).toLocaleString('en');
    yield limitRow(
      `What live events and presence add to a stream, ${count.toLocaleString('en')} open`,
      (ofEvents - ofFlags) / count,
      'bytes',
      2_000,
      ` (${each(ofEvents)}; of flags ${each(ofFlags)}; bare ${each(ofBare)}; ${JSON.stringify(present)})`,
    );
  } finally {
    for (const child of Object.values(readers)) child.kill();
    await Promise.all([bare.stop(), portico.stop()]);
  }
}

/**
 * Creates changes of the notice, each with a text that occurs nowhere else, and the same bytes for the bare server
 * to send.
 */
export async function createChanges(portico: Portico, bearer: string): Promise<Changes> {
  const { url, token } = portico;
  const path = new URL(`${url}/v1/maintenance`).pathname;
  const markerOf = (turn: number) => `marker-${String(turn).padStart(6, '0')}`;
  const bodyOf = (turn: number, version: number) => ({
    mode: 'off',
    text: markerOf(turn),
    severity: 'INFO',
    expectedEnd: null,
    version,
  });
  const { version: before } = await call<{ version: number }>(url, token, 'GET', '/v1/maintenance');
  const { version } = await call<{
    version: number;
  }>(url, token, 'PUT', '/v1/maintenance', bodyOf(0, before));
  const event = await maintenanceEvent(url, bearer);
  const headers = { authorization: `Bearer ${token}` };
  let turn = 0;
  return {
    next() {
      turn += 1;
      const body = JSON.stringify(bodyOf(turn, version + turn - 1));
      return {
        request: request('PUT', path, headers, body).toString(),
        marker: markerOf(turn),
      };
    },
    nextBare() {
      const same = event.replace(markerOf(0), markerOf(turn));
      return { request: request('POST', '/change', {}, same).toString(), marker: markerOf(turn) };
    },
  };
}

/** The `maintenance` event of a new stream, the last of its first messages, exactly as the server sends it. */
async function maintenanceEvent(url: string, bearer: string): Promise<string> {
  const response = await fetch(`${url}/v1/events`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of response.body ?? []) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    const event = /event: maintenance\n.*?\n\n/s.exec(text)?.[0];
    // Leaving the loop closes the stream.
    if (event !== undefined) return event;
  }
  throw new Error('The stream ended before it said anything of maintenance.');
}
