import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFlag, listClientKeys } from '#features/flags/contract/flags.ts';
import { acceptInvitation } from '#features/identity-provider/contract/identity-provider.ts';
import { invitePerson } from '#features/people/contract/people.ts';
import { getProfile } from '#features/profile/contract/profile.ts';
import { addWebhook } from '#features/webhooks/contract/webhooks.ts';
import { describe, expect, it } from 'vitest';
import { newId } from './platform/keys/ids.ts';
import { startApp, type TestApp } from './testing/app.ts';
import { environmentOf, runInside } from './testing/command-line.ts';
import { afterThisTest, engines, type Engine } from './testing/fresh-database.ts';
import { signIn } from './testing/signed-in.ts';

const portico = ({ config, place }: TestApp, ...args: string[]) =>
  runInside(args, { PUBLIC_URL: config.publicUrl, ...environmentOf(place) });

/** A person is signed in, another is invited, and a mail and a message of a webhook wait. */
async function busyInstallation(engine: Engine) {
  const app = await startApp({ engine });
  const operator = await signIn(app, { roles: ['operator'] });
  const invited = { email: 'invited@example.org', firstName: 'Ina', lastName: '', roles: [] };
  const { invitation } = (await operator.call(invitePerson, { body: invited })).body;
  const link = invitation?.link ?? '';
  const flag = { type: 'boolean', enabled: true, description: '', defaultValue: true } as const;
  await operator.call(createFlag, { body: { ...flag, key: 'a-flag', rules: [], tags: [] } });
  const hook = { url: 'https://example.org/hook', description: '', enabled: false };
  const { webhook } = (await operator.call(addWebhook, { body: hook })).body;
  await app.database.transaction(async (tx) => {
    await tx
      .insertInto('webhook_delivery')
      .values({
        id: newId(),
        webhook_id: webhook.id,
        event: 'maintenance.started',
        body: '{}',
        created_at: 1,
        state: 'waiting',
        tries: 0,
        next_try_at: 1,
        claimed_until: null,
      })
      .execute();
    await tx
      .insertInto('mail')
      .values({
        id: newId(),
        kind: 'forgotten',
        account_id: null,
        email: 'a@example.org',
        language: 'en',
        created_at: 1,
        tries: 0,
        next_try_at: 0,
        claimed_until: null,
        failure: null,
      })
      .execute();
  });
  const { clientKeys } = (await operator.call(listClientKeys, {})).body;
  const clientKey = clientKeys.find(({ kind }) => kind === 'plain')?.key ?? '';
  const features = async (on: TestApp) =>
    JSON.parse(await (await fetch(`${on.url}/api/features/${clientKey}`)).text()) as {
      dateUpdated: string;
      features: object;
    };
  const keys = async (on: TestApp) =>
    (await on.database.read.selectFrom('signing_key').select('kid').execute()).map(({ kid }) => kid);
  return { app, operator, link, features, keys };
}

const changes = (app: TestApp) => app.database.read.selectFrom('changed').selectAll().execute();

async function accept(app: TestApp, link: string) {
  const token = new URL(link).hash.slice(1);
  const body = { token, firstName: 'Ina', lastName: '', password: 'seven green lanterns' };
  return (await app.call(acceptInvitation, { body })).problem?.code ?? null;
}

describe.each(engines)('a database that was put back on %s', (engine) => {
  it('RUN-4: lets nothing go on that may have been ended, used or sent since, and shows every client something newer', async () => {
    const { app, operator, link, features, keys } = await busyInstallation(engine);
    const [before, keysBefore] = [await features(app), await keys(app)];
    const last = Math.max(...(await changes(app)).map(({ at }) => at));
    await app.stop();
    const finished = await portico(app, 'restore', 'finish', '--json');
    expect(JSON.parse(finished.out)).toMatchObject({
      ended: { sessions: 1, links: 2, mails: 1, messages: 1 },
    });

    const after = await startApp({ after: app });
    const refused = await after.call(getProfile, { params: { userId: 'current' } }, operator);
    expect(refused.status).toBe(401);
    expect((await operator.browser.renew()).status).toBe(401);
    expect(await accept(after, link)).toBe('LINK_INVALID');
    expect((await keys(after)).filter((kid) => keysBefore.includes(kid))).toEqual([]);
    expect(await after.database.read.selectFrom('mail').selectAll().execute()).toEqual([]);
    const deliveries = await after.database.read
      .selectFrom('webhook_delivery')
      .innerJoin('webhook_attempt', 'delivery_id', 'webhook_delivery.id')
      .select(['state', 'next_try_at', 'failure'])
      .execute();
    expect(deliveries).toEqual([{ state: 'failed', next_try_at: null, failure: 'restored' }]);
    expect((await features(after)).features).toEqual(before.features);
    expect((await features(after)).dateUpdated > before.dateUpdated).toBe(true);
    expect((await changes(after)).filter(({ at }) => at <= last)).toEqual([]);
    expect((await signIn(after)).accessToken).not.toBe('');
  });
});

describe('a data folder on which a server runs', () => {
  it('RUN-4: is not finished as a restored one: no one is signed out', async () => {
    const { app, operator, keys } = await busyInstallation('sqlite');
    const before = await keys(app);
    const refused = await portico(app, 'restore', 'finish');
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('Stop it first.')]);
    expect(await keys(app)).toEqual(before);
    expect((await operator.browser.renew()).status).toBe(200);
  });
});

describe('a backup put in the place of data', () => {
  function folder(): string {
    const path = mkdtempSync(join(tmpdir(), 'portico-backup-'));
    afterThisTest(() => rmSync(path, { recursive: true, force: true }));
    return join(path, 'backup');
  }

  it('RUN-4: goes on after the last change of the data that was there, also where its clock was ahead', async () => {
    const { app, features } = await busyInstallation('sqlite');
    const to = folder();
    expect(await portico(app, 'backup', '--to', to)).toMatchObject({ code: 0, out: to });
    const ahead = Date.now() + 3_600_000;
    await app.database.transaction((tx) =>
      tx.updateTable('revision').set({ at: ahead, n: 100_000 }).execute(),
    );
    await app.stop();
    expect(await portico(app, 'restore', '--from', to, '--replace')).toMatchObject({ code: 0 });
    const after = await startApp({ after: app });
    const { n, at } = await after.database.read.selectFrom('revision').selectAll().executeTakeFirstOrThrow();
    expect([n > 100_000, at > ahead]).toEqual([true, true]);
    expect(Date.parse((await features(after)).dateUpdated)).toBeGreaterThan(ahead);
    const row = await after.database.read
      .selectFrom('audit')
      .select(['actor_kind', 'subject', 'after'])
      .where('action', '=', 'backup.restore')
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ actor_kind: 'command-line', subject: 'database' });
    expect(JSON.parse(row.after ?? '')).toMatchObject({ moved: false, sessions: 1, links: 2 });
  });

  it('RUN-4: leaves all people signed in where the data was only moved', async () => {
    const { app, operator, link } = await busyInstallation('sqlite');
    await app.stop();
    const to = folder();
    expect((await portico(app, 'backup', '--to', to)).code).toBe(0);
    expect((await portico(app, 'restore', '--from', to, '--replace', '--moved')).code).toBe(0);
    const after = await startApp({ after: app });
    expect((await operator.browser.renew()).status).toBe(200);
    expect(await accept(after, link)).toBeNull();
    expect(await after.database.read.selectFrom('mail').selectAll().execute()).toHaveLength(1);
  });

  it('RUN-4: is made of a PostgreSQL too; put in its place it is not, and the command names what to do', async () => {
    const app = await startApp({ engine: 'postgres' });
    const to = folder();
    expect(await portico(app, 'backup', '--to', to)).toMatchObject({ code: 0, out: to });
    const ended = await portico(app, 'restore', '--from', to);
    expect([ended.code, ended.out]).toEqual([1, '']);
    expect(ended.errors).toMatch(/^The data is in PostgreSQL: .*move --to postgres.*docs\/backup\.md/);
  });
});
