import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { fates } from '#server/features.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { contractRoutes } from '#server/testing/contract-routes.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { createPersonalData } from '#server/testing/personal-data.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';

/** What the next release removes as a whole (decision 0077). */
const unread = [
  'diagnostic_key.revoked_by',
  'diagnostic_settings.changed_by',
  'report_filter.created_by',
  'report_form.changed_by',
  'report_settings.changed_by',
  'retention.changed_by',
];

/** Columns that none of the answers below shows: those of one proposal, and of an exported file. */
const elsewhere = ['person_right.given_by', 'flag_proposal.reviewed_by'];

/** The columns with the text of an author, as `table.column`, and whether the author's id stands next to it. */
async function columnsOf(app: TestApp) {
  const tables = await app.database.read.introspection.getTables();
  return Object.entries(fates).flatMap(([table, { name = [] }]: [string, { name?: readonly string[] }]) =>
    name.map((column) => ({
      place: `${table}.${column}`,
      table: sql.table(table),
      text: sql.ref(column),
      id: sql.ref(`${column}_id`),
      hasId:
        tables.find((one) => one.name === table)?.columns.some((one) => one.name === `${column}_id`) === true,
    })),
  );
}

/** What the operator is answered by all routes that read lists, or something about the person. */
async function answersFor(app: TestApp, { accessToken }: SignedIn, personId: string): Promise<string> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const texts = [];
  for (const [, { method, path, access }] of await contractRoutes()) {
    const address = path.replace(/:(personId|userId)/, personId);
    if (method === 'GET' && typeof access === 'object' && !address.includes(':'))
      texts.push(await (await fetch(app.url + address, { headers })).text());
  }
  return texts.join('\n');
}

describe.each(engines)('authors on %s', (engine) => {
  it('BUG-10: what the next release removes is read by no answer: the text of an author with an id, and six columns', async () => {
    const app = await startApp({ engine });
    const operator = await signIn(app, { roles: ['operator'] });
    const ada = await signIn(app, { email: 'ada@example.org', roles: ['operator'] });
    await createPersonalData(app, ada);
    const columns = await columnsOf(app);
    // Triggers leave this form alone.
    const mark = (place: string) => `erased person ${place}.`;
    const shown = async () => {
      const answers = await answersFor(app, operator, ada.id);
      return columns.map(({ place }) => place).filter((place) => answers.includes(mark(place)));
    };
    for (const { table, text, id, hasId, place } of columns)
      if (hasId || unread.includes(place))
        await app.database.transaction((tx) =>
          (hasId
            ? sql`update ${table} set ${text} = ${mark(place)}, ${id} = ${ada.id}`
            : sql`update ${table} set ${text} = ${mark(place)}`
          ).execute(tx),
        );
    expect(await shown()).toEqual([]);
    // Without the ids it is what is read, so that the answers above would have held it.
    for (const { table, id, hasId } of columns)
      if (hasId) await app.database.transaction((tx) => sql`update ${table} set ${id} = null`.execute(tx));
    const read = columns.filter(({ hasId, place }) => hasId && !elsewhere.includes(place));
    expect(await shown()).toEqual(read.map(({ place }) => place));
  });
});
