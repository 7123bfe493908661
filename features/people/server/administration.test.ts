import { builtInRoles, type Role } from '#features/permissions/contract/permissions.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  getPerson,
  invitePerson,
  renewInvitation,
  setBlocked,
  setRoles,
} from '#features/people/contract/people.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { addPerson, addToken } from '#server/testing/people.ts';

/** The token of a link, which stands in its fragment. */
const tokenOf = (link: string): string => new URL(link).hash.slice(1);

describe.each(engines)('the administration of people on %s', (engine) => {
  const once = provedOn(engine);
  let app: TestApp;
  let operator: { accessToken: string };
  let tokenId: string;

  beforeEach(async () => {
    app = await startApp({ engine });
    operator = {
      accessToken: await addToken(app, { rights: builtInRoles.operator, name: 'the script' }),
    };
    tokenId = (await app.database.read.selectFrom('api_token').select('id').executeTakeFirstOrThrow()).id;
  });

  const person = async (personId: string) =>
    (await app.call(getPerson, { params: { personId } }, operator)).body;
  const giveRoles = async (personId: string, roles: Role[], version?: number) =>
    app.call(
      setRoles,
      { params: { personId }, body: { roles, version: version ?? (await person(personId)).version } },
      operator,
    );
  const block = async (personId: string, blocked = true, version?: number) =>
    app.call(
      setBlocked,
      { params: { personId }, body: { blocked, version: version ?? (await person(personId)).version } },
      operator,
    );
  const invite = (email: string, roles: Role[] = ['member']) =>
    app.call(invitePerson, { body: { email, firstName: 'Ada', lastName: 'King', roles } }, operator);
  const audit = () =>
    app.database.read
      .selectFrom('audit')
      .select(['actor_kind', 'actor_id', 'actor_name', 'action', 'subject', 'before', 'after'])
      .orderBy('at')
      .execute();
  const published = async () =>
    (await app.database.read.selectFrom('changed').select(['topic', 'key']).execute()).map(
      ({ topic, key }) => `${topic} ${key}`,
    );

  describe('inviting', () => {
    it('SES-3: a known address is refused, and nothing of it is stored', async () => {
      await addPerson(app, { email: 'elsewhere@example.org' });
      await invite('ada@example.org');
      const rows = await audit();
      for (const email of ['ada@example.org', ' ADA@example.org ', 'elsewhere@example.org']) {
        const again = await invite(email);
        expect([again.status, again.problem?.code]).toEqual([409, 'CONFLICT']);
        expect(again.problem?.errors?.[0]).toMatchObject({ pointer: '/email', code: 'taken' });
      }
      expect(await app.database.read.selectFrom('account').select('email').execute()).toEqual([
        { email: 'ada@example.org' },
      ]);
      expect(await app.database.read.selectFrom('person').select('id').execute()).toHaveLength(2);
      expect(await audit()).toEqual(rows);
    });

    it('SES-3: of two invitations of one address at once one is given', async () => {
      const answers = await Promise.all([
        invite('ada@example.org'),
        invite('ada@example.org'),
        invite('ada@example.org'),
      ]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    });
  });

  describe('roles', () => {
    it('RIGHT-3: are replaced as a whole; the change is published', async () => {
      await addPerson(app, { roles: ['operator'] });
      const id = await addPerson(app, { roles: ['member'] });
      const given = (await giveRoles(id, ['support', 'operator', 'support'])).body;
      expect(given).toMatchObject({ roles: ['operator', 'support'], version: 2 });
      expect(await published()).toContain(`rights ${id}`);
      expect((await giveRoles(id, [])).body).toMatchObject({ roles: [], version: 3 });
      expect(await person(id)).toMatchObject({ roles: [], version: 3 });
    });

    it.each(once)('RIGHT-3: a stale version is refused and changes nothing', async () => {
      const id = await addPerson(app, { roles: ['member'] });
      await giveRoles(id, ['support']);
      const stale = await giveRoles(id, [], 1);
      expect([stale.status, stale.problem?.code]).toEqual([409, 'VERSION_CONFLICT']);
      expect(await person(id)).toMatchObject({ roles: ['support'], version: 2 });
    });

    it('RIGHT-3: of two who lose the role at once one still has it', async () => {
      for (let round = 0; round < 5; round += 1) {
        const [one, other] = [
          await addPerson(app, { roles: ['operator'] }),
          await addPerson(app, { roles: ['operator'] }),
        ];
        if (round > 0) await keepOnly(one, other);
        const answers = await Promise.all([
          giveRoles(one, [], 1),
          round % 2 === 0 ? giveRoles(other, [], 1) : block(other, true, 1),
        ]);
        expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
        expect(answers.map(({ problem }) => problem?.code)).toContain('LAST_ADMINISTRATOR');
      }
    });

    /** Blocks all people of the rounds before. */
    async function keepOnly(...ids: string[]): Promise<void> {
      await app.database.transaction((tx) =>
        tx.updateTable('person').set({ blocked_at: 1 }).where('id', 'not in', ids).execute(),
      );
    }
  });

  describe('blocking', () => {
    it('SES-8: a person is blocked and unblocked; the changes are published', async () => {
      const id = await addPerson(app, { roles: ['member'] });
      expect((await block(id)).body).toMatchObject({ state: 'blocked', version: 2 });
      expect(await published()).toEqual(expect.arrayContaining([`person ${id}`, `rights ${id}`]));
      expect((await block(id)).body.version).toBe(2);
      expect((await block(id, false)).body).toMatchObject({ state: 'active', version: 3 });
    });

    it.each(once)('SES-8: a stale version and an unknown person are refused', async () => {
      const id = await addPerson(app);
      await giveRoles(id, ['member']);
      const stale = await block(id, true, 1);
      expect([stale.status, stale.problem?.code]).toEqual([409, 'VERSION_CONFLICT']);
      expect((await block('nobody', true, 1)).status).toBe(404);
      expect((await person(id)).state).toBe('active');
    });
  });

  it('AUD-1: every write is recorded with who did it, what was before and after, and no secret', async () => {
    await addPerson(app, { roles: ['operator'] });
    const { person: invited, invitation } = (await invite('ada@example.org')).body;
    const renewed = (await app.call(renewInvitation, { params: { personId: invited.id } }, operator)).body;
    await giveRoles(invited.id, ['support']);
    await block(invited.id);
    await block(invited.id, false);

    const rows = await audit();
    const who = { actor_kind: 'token', actor_id: tokenId, actor_name: 'the script', subject: invited.id };
    expect(
      rows.map((row) => ({
        ...row,
        before: JSON.parse(row.before ?? 'null'),
        after: JSON.parse(row.after ?? 'null'),
      })),
    ).toEqual([
      {
        ...who,
        action: 'person.invite',
        before: null,
        after: { email: 'ada@example.org', firstName: 'Ada', lastName: 'King', roles: ['member'] },
      },
      { ...who, action: 'person.renew-invitation', before: null, after: { expiresAt: renewed.expiresAt } },
      { ...who, action: 'person.set-roles', before: { roles: ['member'] }, after: { roles: ['support'] } },
      { ...who, action: 'person.block', before: { state: 'invited' }, after: { state: 'blocked' } },
      { ...who, action: 'person.unblock', before: { state: 'blocked' }, after: { state: 'invited' } },
    ]);
    for (const link of [invitation?.link ?? '', renewed.link]) {
      expect(tokenOf(link)).not.toBe('');
      expect(JSON.stringify(rows)).not.toContain(tokenOf(link));
      expect(JSON.stringify(app.log)).not.toContain(tokenOf(link));
    }
  });
});
