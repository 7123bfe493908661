import { listApiTokens } from '#features/api-tokens/contract/api-tokens.ts';
import { getBranding } from '#features/branding/contract/branding.ts';
import { getError } from '#features/diagnostics/contract/diagnostics.ts';
import { listProjects } from '#features/diagnostics/contract/projects.ts';
import { listSourceMaps } from '#features/diagnostics/contract/source-maps.ts';
import { erasePerson } from '#features/erasure/contract/erasure.ts';
import { getReport } from '#features/feedback/contract/inbox.ts';
import { getFlag, listFlags, listManagedClientKeys } from '#features/flags/contract/flags.ts';
import { listSegments } from '#features/flags/contract/segments.ts';
import { getMaintenance } from '#features/maintenance/contract/settings.ts';
import { listMaintenanceHistory, listWindows } from '#features/maintenance/contract/windows.ts';
import { listGroupMappings, listRightsOfPerson } from '#features/permissions/contract/administration.ts';
import { listWebhooks } from '#features/webhooks/contract/webhooks.ts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { finalSweepAfterMs } from '#features/erasure/server/erase-person.ts';
import { fates, migrations } from './features.ts';
import { openDatabase as openWith } from './platform/database/database.ts';
import { systemClock } from './platform/time/clock.ts';
import { startApp, type TestApp } from './testing/app.ts';
import { engines, freshDatabase, openDatabase } from './testing/fresh-database.ts';
import { movableClock } from './testing/movable-clock.ts';
import { addPerson } from './testing/people.ts';
import { createPersonalData } from './testing/personal-data.ts';
import { signIn, type SignedIn } from './testing/signed-in.ts';

const email = 'grace@example.org';
const erased = /^erased person [0-9a-f]{6}$/;

/** The author of the row that `createPersonalData` wrote, as an operator is shown it, by column. */
const shown: Record<string, (by: SignedIn, app: TestApp) => Promise<string | null | undefined>> = {
  'api_token.revoked_by': async (by) =>
    (await by.call(listApiTokens, {})).body.tokens.find(({ name }) => name === 'revoked')?.revokedBy,
  'branding.changed_by': async (by) => (await by.call(getBranding, {})).body.changedBy,
  'client_key.created_by': async (by) => (await siteKey(by))?.createdBy,
  'client_key.revoked_by': async (by) => (await siteKey(by))?.revokedBy,
  'diagnostic_key.created_by': async (by) => (await project(by))?.keys[0]?.createdBy,
  'diagnostic_project.created_by': async (by) => (await project(by))?.createdBy,
  'error_comment.author_name': async (by, app) => {
    const found = app.database.read.selectFrom('error_comment').select('group_id');
    const { group_id: errorId } = await found.executeTakeFirstOrThrow();
    return (await by.call(getError, { params: { errorId } })).body.comments[0]?.by;
  },
  'flag.changed_by': async (by) =>
    (await by.call(listFlags, {})).body.flags.find(({ key }) => key === 'a-flag')?.changedBy,
  'flag_proposal.author_name': async (by) => (await proposal(by))?.proposedBy,
  'flag_proposal.reviewed_by': async (by) => (await proposal(by))?.review?.by,
  'group_mapping.created_by': async (by) =>
    (await by.call(listGroupMappings, {})).body.mappings.find(({ name }) => name === '/crew')?.createdBy,
  'maintenance.changed_by': async (by) => (await by.call(getMaintenance, {})).body.changedBy,
  'maintenance_history.by': async (by) => (await by.call(listMaintenanceHistory, {})).body.entries[0]?.by,
  'maintenance_window.changed_by': async (by) => (await by.call(listWindows, {})).body.windows[0]?.changedBy,
  'maintenance_window.created_by': async (by) => (await by.call(listWindows, {})).body.windows[0]?.createdBy,
  'person_right.given_by': async (by) => (await rightsOf(by)).own[0]?.givenBy,
  'person_role.given_by': async (by) =>
    (await rightsOf(by)).roles.find(({ role }) => role === 'support')?.givenBy,
  'report_history.actor_name': async (by, app) => (await report(by, app)).history[1]?.by,
  'report_message.author_name': async (by, app) =>
    (await report(by, app)).messages.find(({ kind }) => kind === 'note')?.by,
  'segment.changed_by': async (by) =>
    (await by.call(listSegments, {})).body.segments.find(({ name }) => name === 'people')?.changedBy,
  'source_map.created_by': async (by) => (await by.call(listSourceMaps, {})).body.releases[0]?.uploadedBy,
  'webhook.created_by': async (by) => (await by.call(listWebhooks, {})).body.webhooks[0]?.createdBy,
};

const siteKey = async (by: SignedIn) =>
  (await by.call(listManagedClientKeys, {})).body.clientKeys.find(({ name }) => name === 'site');
const project = async (by: SignedIn) =>
  (await by.call(listProjects, {})).body.projects.find(({ name }) => name === 'Pumps');
const proposal = async (by: SignedIn) =>
  (await by.call(getFlag, { params: { flagKey: 'a-flag' } })).body.proposal;
const rightsOf = async (by: SignedIn) =>
  (await by.call(listRightsOfPerson, { params: { personId: by.id } })).body;
const report = async (by: SignedIn, app: TestApp) => {
  const found = app.database.read.selectFrom('report').select('id').where('number', '=', 1);
  const { id: reportId } = await found.executeTakeFirstOrThrow();
  return (await by.call(getReport, { params: { reportId } })).body;
};

/** Columns of an author that no answer names. */
const neverShown = [
  'diagnostic_key.revoked_by',
  'diagnostic_settings.changed_by',
  'report_filter.created_by',
  'report_form.changed_by',
  'report_settings.changed_by',
  'retention.changed_by',
];
/** With kind and id of an actor. */
const withActor = [
  'error_comment.author_name',
  'flag_proposal.author_name',
  'report_history.actor_name',
  'report_message.author_name',
];
const withId = Object.keys(shown).filter((column) => !withActor.includes(column));

describe.each(engines)('the author of a row, on %s', (engine) => {
  async function start() {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const operator = await signIn(app, { roles: ['operator'] });
    const grace = await signIn(app, { email, roles: ['operator'] });
    await createPersonalData(app, grace);
    const read = async () => {
      // Minutes pass here.
      const { accessToken } = (await operator.browser.renew()).body;
      const by: SignedIn = {
        ...operator,
        call: (route, call) => app.call(route, call, { accessToken, cookies: operator.browser.cookies }),
      };
      const found = Object.entries(shown).map(async ([column, of]) => [column, await of(by, app)] as const);
      return Object.fromEntries(await Promise.all(found));
    };
    const change = (columns: readonly string[], to: (text: string) => Record<string, string | null>) =>
      app.database.transaction(async (tx) => {
        for (const column of columns) {
          const [table = '', name = ''] = column.split('.');
          for (const [one, value] of Object.entries(to(name)))
            await sql`update ${sql.table(table)} set ${sql.ref(one)} = ${value} where ${sql.ref(name)} is not null`.execute(
              tx,
            );
        }
      });
    return { app, clock, operator, grace, read, change };
  }
  const all = (value: unknown, columns = Object.keys(shown)) =>
    Object.fromEntries(columns.map((column) => [column, value]));

  it('CON-1: is shown by the present address wherever a row names one', async () => {
    const declared = Object.entries<{ name?: readonly string[] }>(fates).flatMap(([table, { name = [] }]) =>
      name.map((column) => `${table}.${column}`),
    );
    expect([...Object.keys(shown), ...neverShown].toSorted()).toEqual(declared.toSorted());

    const { app, grace, read, change } = await start();
    expect(await read()).toEqual(all(email));
    await app.database.transaction((tx) =>
      tx.updateTable('person').set({ email: 'new@example.org' }).where('id', '=', grace.id).execute(),
    );
    expect(await read()).toEqual(all('new@example.org'));

    // As the release before writes rows, and this one those of API tokens and of the command line.
    await change(withId, (name) => ({ [`${name}_id`]: null }));
    expect(await read()).toEqual({ ...all(email, withId), ...all('new@example.org', withActor) });
  });

  it('BUG-10: is shown by the pseudonym after an erasure, whatever was written', async () => {
    const { app, clock, operator, grace, read, change } = await start();
    const body = { confirmation: email, reports: 'keep' } as const;
    const { pseudonym } = (await operator.call(erasePerson, { params: { personId: grace.id }, body })).body;
    expect(pseudonym).toMatch(erased);
    expect(await read()).toEqual(all(pseudonym));
    clock.move(finalSweepAfterMs + 1);
    await app.sweep();
    // What an erasure writes into the columns is needed for the release before alone.
    await change(withId, (name) => ({ [name]: 'erased person 000000' }));
    expect(await read()).toEqual(all(pseudonym));
  });

  it('RUN-3: is the one whom a process of the release before writes over another', async () => {
    const { grace, read, change, app } = await start();
    // The release before knows no segments.
    const known = withId.filter((column) => column !== 'segment.changed_by');
    const overwritten = known.filter((column) => /\.(changed|given)_by$/.test(column));
    await change(overwritten, (name) => ({ [name]: 'ada@example.org' }));
    expect(await read()).toEqual({ ...all(email), ...all('ada@example.org', overwritten) });
    await app.database.transaction(async (tx) => {
      await tx.updateTable('flag').set({ changed_by_id: grace.id }).execute();
      await tx.updateTable('person').set({ email: 'new@example.org' }).where('id', '=', grace.id).execute();
    });
    // The same person under the new address stays known.
    await change(['flag.changed_by'], (name) => ({ [name]: 'new@example.org' }));
    const { changed_by_id: id } = await app.database.read
      .selectFrom('flag')
      .select('changed_by_id')
      .executeTakeFirstOrThrow();
    expect(id).toBe(grace.id);
  });

  it('RUN-3: is found by the address in an older database, unless several people have it', async () => {
    const place = await freshDatabase(engine, 'nothing');
    const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0047'));
    const older = await openWith(place.location, systemClock, before);
    const [ada, cem] = [
      await addPerson({ database: older }, { email: 'ada@example.org' }),
      await addPerson({ database: older }, { email: '' }),
    ];
    for (const shared of ['ben@example.org', 'other@example.org'])
      await addPerson({ database: older }, { email: shared });
    await older.transaction(async (tx) => {
      await sql`update person set email = 'ben@example.org' where email = 'other@example.org'`.execute(tx);
      for (const by of [
        'ada@example.org',
        'ben@example.org',
        `person ${cem}`,
        'person nobody',
        'ci',
        '',
        null,
      ])
        await sql`insert into maintenance_history (id, at, deed, facts, "by")
          values (${String(by)}, 1, 'notice', '{}', ${by})`.execute(tx);
      await sql`update maintenance set changed_by = 'ada@example.org'`.execute(tx);
    });
    await older.close();
    const database = await openDatabase(place.location);
    const rows = await database.read.selectFrom('maintenance_history').select(['id', 'by_id']).execute();
    expect(Object.fromEntries(rows.map((row) => [row.id, row.by_id]))).toEqual({
      'ada@example.org': ada,
      'ben@example.org': null,
      [`person ${cem}`]: cem,
      'person nobody': null,
      ci: null,
      '': null,
      null: null,
    });
    const maintenance = await database.read.selectFrom('maintenance').selectAll().executeTakeFirstOrThrow();
    expect(maintenance).toMatchObject({ changed_by: 'ada@example.org', changed_by_id: ada });
    await database.close();
  });
});
