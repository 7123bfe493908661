import { startOwnPostgres } from '#server/testing/postgres-server.ts';
import { addManyFigures } from './many-figures.ts';
import { addManyReports } from './many-reports.ts';
import { addPeople } from './people-in-rows.ts';
import { spread, type Effort } from './paired.ts';
import { call } from '../dev/call.ts';
import { freshEnvironment, startPortico, type Portico } from './portico.ts';
import type { ServerProcess } from './processes.ts';
import { limitRow, type Row } from './report.ts';

const count = 50_000;
const people = 20_000;
const reports = `${count.toLocaleString('en')} reports`;

/** The requests of operators, and how long each may take: a multiple of the time promised for the first page. */
const questions: Record<string, [path: string, times: number]> = {
  'the first page of the open tab, with the counts of all tabs': ['/v1/reports?tab=open', 1],
  'the first page of the done tab': ['/v1/reports?tab=done', 1],
  'my first page': ['/v1/reports?tab=mine', 1],
  'the first page by last change': ['/v1/reports?tab=open&order=changed', 1],
  'the labels': ['/v1/report-labels', 2],
  // The overview must be usable within a second; this is the part of that second that the server may take.
  'the overview, with 2,000 flags and 30 days of figures,': ['/v1/overview', 5],
};

/** The requests about people, as multiples of the same time; `ID` stands for the id of one person. */
const questionsOfPeople: Record<string, [path: string, times: number]> = {
  'the first page by name': ['/v1/people', 2],
  'the first page of who joined last': ['/v1/people?order=joined&direction=descending', 2],
  'the first page of who was seen last': ['/v1/people?order=seen&direction=descending', 2],
  'the first page of a search': ['/v1/people?search=ada%20mason', 4],
  'the first page of a role that most have': ['/v1/people?role=member', 4],
  'the first page of a role that few have': ['/v1/people?role=support', 2],
  'the first page of the blocked': ['/v1/people?state=blocked', 2],
  'the first page of who holds a right': ['/v1/people?right=REPORTS_READ', 4],
  'the roles, as the matrix asks for them': ['/v1/roles', 2],
  'the rights, as the matrix asks for them': ['/v1/rights', 2],
  'a person’s page: who they are': ['/v1/people/ID', 1],
  'a person’s page: their profile': ['/v1/users/ID/profile', 1],
  'a person’s page: their rights, with why': ['/v1/people/ID/rights', 1],
  'a person’s page: their sessions': ['/v1/people/ID/sessions', 1],
  'a person’s page: their reports': ['/v1/reports?reporter=ID', 1],
  'a person’s page: the audit of and about them': ['/v1/audit?about=ID', 1],
};
const searches = ['broken', 'broken legend', 'repaired', 'nothing-holds-this', '4711'];

/** How fast operators read the inbox, with many reports, on both database engines. */
export async function* inboxRows(_bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
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
  await addManyReports(environment, count);
  await addManyFigures(environment);
  const person = await addPeople(environment, people);
  const portico = await startPortico([], environment, { watched: true });
  try {
    const ofPeople = `${people.toLocaleString('en')} people`;
    const all = [
      ...Object.entries(questions).map(([name, how]) => [`${name} of ${reports}`, ...how] as const),
      ...Object.entries(questionsOfPeople).map(
        ([name, [path, times]]) => [`${name}, of ${ofPeople}`, path.replace('ID', person), times] as const,
      ),
    ];
    for (const [name, path, times] of all) {
      const taken = await asked(portico, effort, () => path);
      yield limitRow(
        `${engine}: ${name}, with its request`,
        spread(taken).median,
        'ms',
        times * atMostMs,
        ` (median of ${taken.length}; the longest ${Math.max(...taken).toFixed(0)} ms)`,
      );
    }
    await portico.longestBlock();
    const found = await asked(
      portico,
      effort,
      (turn) => `/v1/reports?tab=open&search=${encodeURIComponent(searches[turn % searches.length] ?? '')}`,
    );
    yield limitRow(
      `${engine}: event loop held up by searches one after the other in ${reports}, the longest block`,
      await portico.longestBlock(),
      'ms',
      20,
      `; a search ${spread(found).median.toFixed(0)} ms`,
    );
    const begun = performance.now();
    const answer = await fetch(`${portico.url}/v1/report-export`, {
      headers: { authorization: `Bearer ${portico.token}` },
    });
    const { length } = await answer.text();
    if (length < count * 100)
      throw new Error(`The export was answered ${answer.status} with ${length} characters.`);
    yield limitRow(
      `${engine}: event loop held up by the export of ${reports}, the longest block`,
      await portico.longestBlock(),
      'ms',
      20,
      `; exported in ${((performance.now() - begun) / 1000).toFixed(1)} s`,
    );
    // The first changes compile the code that they run.
    for (const label of ['a', 'b', 'c']) await changeMany(portico, label);
    const changed = await changeMany(portico, 'bulk');
    yield limitRow(
      `${engine}: event loop held up by changing 200 reports at once, the longest block`,
      await portico.longestBlock(),
      'ms',
      20,
      `; changed in ${changed.toFixed(0)} ms`,
    );
  } finally {
    await portico.stop();
  }
}

/** Adds a label to 200 reports; returns the milliseconds until the answer. */
async function changeMany(portico: Portico, label: string): Promise<number> {
  const page = await call<{
    reports: { id: string; version: number }[];
  }>(portico.url, portico.token, 'GET', '/v1/reports?limit=200');
  const changes = page.reports.map(({ id, version }) => ({ reportId: id, version, addLabels: [label] }));
  await portico.longestBlock();
  const begun = performance.now();
  await call(portico.url, portico.token, 'POST', '/v1/report-changes', { changes });
  return performance.now() - begun;
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
