import { startOwnPostgres } from '#server/testing/postgres-server.ts';
import { addManyErrors, manyErrors } from './many-errors.ts';
import { spread, type Effort } from './paired.ts';
import { call } from '../dev/call.ts';
import { freshEnvironment, startPortico, type Portico } from './portico.ts';
import type { ServerProcess } from './processes.ts';
import { limitRow, type Row } from './report.ts';

const events = manyErrors.events.toLocaleString('en');

/** The requests of operators, and how long each may take: a multiple of the time promised for the first page. */
const questions: Record<string, [path: string, times: number]> = {
  'the first page': ['/v1/diagnostics/errors?status=open', 1],
  'the first page by people, 14 days': ['/v1/diagnostics/errors?status=open&order=people&period=14d', 1],
  'the first page of a release': ['/v1/diagnostics/errors?status=open&release=1.39', 2],
  'all statuses, 30 days': ['/v1/diagnostics/errors?period=30d', 2],
  'the picture of 30 days': ['/v1/diagnostics/counts?period=30d', 1],
  'an error': ['/v1/diagnostics/errors/group-10006?period=30d', 1],
  'its latest event': ['/v1/diagnostics/errors/group-10006/events/latest', 1],
};
const searches = ['orders', 'range load17', 'nothing-holds-this', '00000000000000000000000100004711'];

/** How fast operators read errors, with a million events, on both database engines. */
export async function* diagnosticsRows(_bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  yield* rowsOn('SQLite', await freshEnvironment(), effort, 10);
  const ends: (() => Promise<void>)[] = [];
  const postgres = await startOwnPostgres((end) => ends.push(end));
  try {
    const environment = { ...(await freshEnvironment()), DATABASE_URL: postgres.url };
    yield* rowsOn('PostgreSQL', environment, effort, 30);
  } finally {
    for (const end of ends) await end();
  }
}

async function* rowsOn(
  engine: string,
  environment: NodeJS.ProcessEnv,
  effort: Effort,
  atMostMs: number,
): AsyncGenerator<Row> {
  await (await startPortico([], environment)).stop();
  await addManyErrors(environment);
  const portico = await startPortico([], environment, { watched: true });
  try {
    for (const [name, [path, times]] of Object.entries(questions)) {
      const taken = await asked(portico, effort, () => path);
      yield limitRow(
        `${engine}: ${name} of ${events} events in ${manyErrors.groups.toLocaleString('en')} errors, with its request`,
        spread(taken).median,
        'ms',
        times * atMostMs,
        ` (median of ${taken.length}; the longest ${Math.max(...taken).toFixed(0)} ms)`,
      );
    }
    await portico.longestBlock();
    const found = await asked(portico, effort, (turn) => {
      const words = searches[turn % searches.length] ?? '';
      return `/v1/diagnostics/errors?search=${encodeURIComponent(words)}`;
    });
    yield limitRow(
      `${engine}: event loop held up by searches one after the other, the longest block`,
      await portico.longestBlock(),
      'ms',
      20,
      `; a search ${spread(found).median.toFixed(0)} ms`,
    );
    yield await sourceMapRow(engine, portico);
  } finally {
    await portico.stop();
  }
}

const mapMegabytes = 24;

/** A large source map is uploaded, checked, and applied to an event. */
async function sourceMapRow(engine: string, portico: Portico): Promise<Row> {
  const map = {
    version: 3,
    sources: ['src/main.ts'],
    names: [],
    sourcesContent: ['const answer = 42;\n'.repeat((mapMegabytes * 900_000) / 19)],
    mappings: 'AAAA,'.repeat(500_000),
  };
  const form = new FormData();
  form.append('map', new Blob([JSON.stringify(map)]), 'map.json');
  const query = 'release=1.39&file=/assets/part-1.js';
  await portico.longestBlock();
  const begun = performance.now();
  const answer = await fetch(`${portico.url}/v1/diagnostics/source-maps?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${portico.token}` },
    body: form,
  });
  if (answer.status !== 201)
    throw new Error(`A source map was answered ${answer.status}: ${await answer.text()}`);
  const uploaded = performance.now() - begun;
  await call(portico.url, portico.token, 'GET', '/v1/diagnostics/errors/group-10006/events/latest');
  return limitRow(
    `${engine}: event loop held up by a source map of ${mapMegabytes} MB that is uploaded, checked and applied, the longest block`,
    await portico.longestBlock(),
    'ms',
    // Here the thread that reads the map shares one core with the server.
    50,
    `; uploaded in ${uploaded.toFixed(0)} ms`,
  );
}

/** Repeats requests for the time of one round; returns the milliseconds of each answer. */
async function asked(portico: Portico, effort: Effort, path: (turn: number) => string): Promise<number[]> {
  const taken: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) await call(portico.url, portico.token, 'GET', path(turn));
  const end = performance.now() + effort.roundMs;
  for (let turn = 0; performance.now() < end; turn += 1) {
    const begun = performance.now();
    await call(portico.url, portico.token, 'GET', path(turn));
    taken.push(performance.now() - begun);
  }
  return taken;
}
