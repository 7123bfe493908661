import { listApiTokens, createApiToken } from '#features/api-tokens/contract/api-tokens.ts';
import { getBranding, setBranding } from '#features/branding/contract/branding.ts';
import { erasePerson } from '#features/erasure/contract/erasure.ts';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { getReport, setReportStatus } from '#features/feedback/contract/inbox.ts';
import { addClientKey, listManagedClientKeys } from '#features/flags/contract/flags.ts';
import { getMaintenance } from '#features/maintenance/contract/settings.ts';
import { changeMaintenance } from '#features/maintenance/server/testing/change-maintenance.ts';
import { listMaintenanceHistory } from '#features/maintenance/contract/windows.ts';
import { setOwnRight, listRightsOfPerson } from '#features/permissions/contract/administration.ts';
import { addWebhook, listWebhooks } from '#features/webhooks/contract/webhooks.ts';
import { describe, expect, it } from 'vitest';
import { namesOf } from '#features/directory/server/people-names.ts';
import { startApp } from './testing/app.ts';
import { engines } from './testing/fresh-database.ts';
import { addPerson, addToken } from './testing/people.ts';
import { signIn } from './testing/signed-in.ts';

describe.each(engines)('who did something, on %s', (engine) => {
  it('CON-1: is called by name, else by address, and distinguished from who has the same name', async () => {
    const app = await startApp({ engine });
    const add = (email: string, firstName: string, lastName: string) =>
      addPerson(app, { email, firstName, lastName });
    await add('ada@example.org', 'Ada', 'King');
    await add('last@example.org', '', 'Moss');
    await add('none@example.org', '', '');
    await add('twin@example.org', 'Ann', 'Lee');
    await add('other@example.org', 'Ann', 'Lee');
    const shared = await add('shared@example.org', 'One', 'Person');
    const without = await add('without@example.org', 'Without', 'Address');
    const empty = await add('empty@example.org', '', '');
    const moved = await add('moved@example.org', 'Another', 'Person');
    await app.database.transaction(async (tx) => {
      for (const id of [without, empty])
        await tx.updateTable('person').set({ email: '' }).where('id', '=', id).execute();
      await tx.updateTable('person').set({ email: 'shared@example.org' }).where('id', '=', moved).execute();
    });
    const written = [
      'ada@example.org',
      'last@example.org',
      'none@example.org',
      'twin@example.org',
      'other@example.org',
      'shared@example.org',
      `person ${without}`,
      `person ${empty}`,
      `person ${shared}`,
      'gone@example.org',
      'erased person 3f2a9c',
      'ci',
      '__proto__',
      '',
      null,
    ];
    expect(await namesOf(app.database.read, written)).toEqual({
      'ada@example.org': 'Ada King',
      'last@example.org': 'Moss',
      'twin@example.org': 'Ann Lee (twin@example.org)',
      'other@example.org': 'Ann Lee (other@example.org)',
      [`person ${without}`]: 'Without Address',
      [`person ${shared}`]: 'One Person',
    });
    expect(await namesOf(app.database.read, ['twin@example.org', null])).toEqual({
      'twin@example.org': 'Ann Lee',
    });
    expect(await namesOf(app.database.read, [])).toEqual({});
  });

  it('CON-1: comes by name with maintenance, reports, rights, webhooks, tokens, keys and branding, until erased', async () => {
    const app = await startApp({ engine });
    const email = 'grace@example.org';
    const grace = await signIn(app, { email, roles: ['operator'], firstName: 'Grace', lastName: 'Moss' });
    const operator = await signIn(app, { roles: ['operator'] });
    const ada = await addPerson(app, { email: 'ada@example.org' });

    const written = await changeMaintenance(grace, { text: 'New pumps' });
    expect([written.changedBy, written.names]).toEqual([email, { [email]: 'Grace Moss' }]);
    const report = (await operator.call(saveFeedback, { body: { message: 'x' } })).body;
    const params = { reportId: report.id };
    await grace.call(setReportStatus, { params, body: { status: 'triaged', version: 1 } });
    const accessToken = await addToken(app, { rights: ['REPORTS_WRITE'], name: email });
    await app.call(setReportStatus, { params, body: { status: 'closed', version: 2 } }, { accessToken });
    await grace.call(setOwnRight, {
      params: { personId: ada, right: 'MAP_VIEW', effect: 'grant' },
      body: { expiresAt: null, reason: '' },
    });
    await grace.call(addWebhook, {
      body: { url: 'https://example.org/hook', description: '', enabled: false },
    });
    await grace.call(createApiToken, {
      body: { name: 'hers', rights: ['MAP_VIEW'], expiresAt: Date.now() + 3_600_000 },
    });
    await grace.call(addClientKey, { body: { name: 'site', kind: 'plain' } });
    const look = (await grace.call(getBranding, {})).body;
    await grace.call(setBranding, { body: { name: 'Waterworks', accent: null, version: look.version } });

    const names = async () => ({
      maintenance: (await operator.call(getMaintenance, {})).body.names,
      history: (await operator.call(listMaintenanceHistory, {})).body.names,
      webhooks: (await operator.call(listWebhooks, {})).body.names,
      tokens: (await operator.call(listApiTokens, {})).body.names,
      keys: (await operator.call(listManagedClientKeys, {})).body.names,
      branding: (await operator.call(getBranding, {})).body.names,
    });
    const hers = { [email]: 'Grace Moss' };
    expect(await names()).toEqual({
      maintenance: hers,
      history: hers,
      webhooks: hers,
      tokens: hers,
      keys: hers,
      branding: hers,
    });
    const read = async () => (await operator.call(getReport, { params })).body;
    expect((await read()).names).toEqual(hers);
    const giver = async () =>
      (await operator.call(listRightsOfPerson, { params: { personId: ada } })).body.own.map(
        ({ givenBy }) => givenBy,
      );
    expect(await giver()).toEqual(['Grace Moss']);

    // Rows hold the id: an address that a person had before is not shown any more.
    await app.database.transaction((tx) =>
      tx.updateTable('person').set({ email: 'new@example.org' }).where('id', '=', grace.id).execute(),
    );
    const now = { 'new@example.org': 'Grace Moss' };
    expect([(await read()).names, (await names()).history]).toEqual([now, now]);
    await app.database.transaction((tx) =>
      tx.updateTable('person').set({ email }).where('id', '=', grace.id).execute(),
    );

    const body = { confirmation: email, reports: 'keep' } as const;
    const { pseudonym } = (await operator.call(erasePerson, { params: { personId: grace.id }, body })).body;
    expect(Object.values(await names())).toEqual([{}, {}, {}, {}, {}, {}]);
    const { entries } = (await operator.call(listMaintenanceHistory, {})).body;
    expect([entries[0]?.by, (await read()).history[1]?.by, await giver()]).toEqual([
      pseudonym,
      pseudonym,
      [pseudonym],
    ]);
  });
});
