import { describe, expect, it } from 'vitest';
import { openFresh } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addPerson } from '#server/testing/people.ts';
import { writeEmail } from '#features/directory/server/people.store.ts';
import { identityOf, type Identity } from '#features/session/server/identity.ts';
import { parseClaimPaths } from '#server/config-claim-paths.ts';
import { claimAt, createReadClaims } from './read-claims.ts';
import { follow, isNews, groupsOf } from './follow-person.ts';

const mia = { email: 'mia@example.org', emailVerified: true };
const named = { email: mia.email, firstName: 'Mia', lastName: 'Keller' };

/** A person as they are stored here before each time, and what following the provider writes. */
async function follower(stored: { address?: Partial<typeof mia>; profile?: Partial<typeof named> } = {}) {
  const database = await openFresh('sqlite', movableClock());
  const personId = await addPerson({ database });
  const { read } = database;
  const rows = async () => ({
    person: await read
      .selectFrom('person')
      .select(['email', 'email_verified', 'version'])
      .where('id', '=', personId)
      .executeTakeFirstOrThrow(),
    profile: await read
      .selectFrom('profile')
      .select(['first_name', 'last_name', 'version'])
      .where('person_id', '=', personId)
      .executeTakeFirst(),
    audit: await read
      .selectFrom('audit')
      .select(['actor_name', 'action', 'before', 'after'])
      .orderBy('at')
      .execute(),
  });
  return {
    database,
    personId,
    groups: () => groupsOf(read, personId),
    /** What is written, and `isNews` agrees. */
    async follow(stated: Partial<Identity>) {
      const { email, emailVerified } = { ...mia, ...stored.address };
      const { firstName, lastName } = { ...named, ...stored.profile };
      await database.change(async (change) => {
        await writeEmail(change, personId, { email, emailVerified });
        await change.tx
          .updateTable('profile')
          .set({ first_name: firstName, last_name: lastName })
          .where('person_id', '=', personId)
          .execute();
      });
      const claims = { sub: '7', email: mia.email, email_verified: true };
      const identity = { ...identityOf('https://idp.example', claims), ...stated };
      const news = await isNews(read, personId, identity);
      const memberships = JSON.stringify(await groupsOf(read, personId));
      const before = await rows();
      await database.change((change) => follow(change, personId, identity));
      const after = await rows();
      const written = {
        email:
          after.person.version === before.person.version
            ? []
            : [{ email: after.person.email, emailVerified: after.person.email_verified === 1 }],
        names:
          after.profile?.version === before.profile?.version
            ? []
            : [{ firstName: after.profile?.first_name, lastName: after.profile?.last_name }],
        audit: after.audit
          .slice(before.audit.length)
          .map((entry) => [
            entry.actor_name,
            entry.action,
            JSON.parse(entry.before ?? 'null') as unknown,
            JSON.parse(entry.after ?? 'null') as unknown,
          ]),
      };
      const changed =
        written.email.length + written.names.length + written.audit.length > 0 ||
        memberships !== JSON.stringify(await groupsOf(read, personId));
      expect(changed).toBe(news);
      return written;
    },
  };
}

const nothing = { email: [], names: [], audit: [] };

describe('following a person at their provider', () => {
  it('SES-4: what is stored already is no news, nor what an incomplete answer leaves out', async () => {
    const { follow } = await follower();
    expect(await follow({})).toEqual(nothing);
    expect(await follow({ email: '', emailVerified: false, complete: false })).toEqual(nothing);
    expect(await follow({ emailVerified: false, complete: false })).toEqual(nothing);
    const { database, personId, ...erased } = await follower();
    await database.transaction((tx) => tx.deleteFrom('profile').where('person_id', '=', personId).execute());
    expect(await erased.follow({ email: 'new@example.org' })).toEqual(nothing);
  });

  it('SES-4: another address is taken over and recorded; whether it is verified is taken over alone', async () => {
    const { follow } = await follower();
    const moved = { email: 'new@example.org', emailVerified: false };
    expect(await follow({ ...moved, complete: false })).toEqual({
      email: [moved],
      names: [{ firstName: 'Mia', lastName: 'Keller' }],
      audit: [['new@example.org', 'person.follow-email', { email: mia.email }, { email: 'new@example.org' }]],
    });
    const gone = { email: '', emailVerified: false };
    expect(await follow(gone)).toMatchObject({
      email: [gone],
      audit: [['7', 'person.follow-email', { email: mia.email }, { email: '' }]],
    });
    const doubted = { ...mia, emailVerified: false };
    expect(await follow({ emailVerified: false })).toMatchObject({ email: [doubted], audit: [] });
    const verified = await follower({ address: { emailVerified: false } });
    expect(await verified.follow({ complete: false })).toMatchObject({ email: [mia], audit: [] });
  });

  it('SES-4: a name is taken over where there is none, and where there is one it is the person’s', async () => {
    const stated = { firstName: 'Maria', lastName: '' };
    expect(await (await follower()).follow(stated)).toEqual(nothing);
    for (const profile of [{ firstName: '' }, { lastName: '' }])
      expect(await (await follower({ profile })).follow(stated)).toEqual(nothing);
    const nameless = await follower({ profile: { firstName: '', lastName: '' } });
    expect(await nameless.follow({})).toEqual(nothing);
    expect(await nameless.follow(stated)).toEqual({ ...nothing, names: [stated] });
    const last = { firstName: '', lastName: 'Keller' };
    expect(await nameless.follow(last)).toEqual({ ...nothing, names: [last] });
  });

  it('SES-4: groups and roles are replaced and recorded where they are known and others', async () => {
    const { follow, groups } = await follower();
    const staff = { roles: ['editor'], groups: ['staff'] };
    expect(await follow({ groups: null })).toEqual(nothing);
    expect(await follow({ groups: { roles: [], groups: [] } })).toEqual(nothing);
    expect(await follow({ groups: staff })).toEqual({
      ...nothing,
      audit: [[mia.email, 'person.follow-groups', { roles: [], groups: [] }, staff]],
    });
    expect(await groups()).toEqual(staff);
    expect(await follow({ groups: staff })).toEqual(nothing);
    for (const other of [
      { ...staff, roles: [] },
      { ...staff, groups: [] },
    ]) {
      expect((await follow({ groups: other })).audit).toHaveLength(1);
      expect(await groups()).toEqual(other);
    }
  });
});

describe('claims of the installation’s choice', () => {
  it.each([
    ['email', [['email']]],
    [' realm.roles , groups ', [['realm', 'roles'], ['groups']]],
    ['https://example\\.org/a\\,b', [['https://example.org/a,b']]],
    ['a\\\\', [['a\\']]],
    ['', null],
    ['a.', null],
    ['.a', null],
    ['a,', null],
    [',a', null],
    ['a..b', null],
    ['a\\', null],
  ])('SES-4: the path %j is read as it is meant', (text, paths) => {
    expect(parseClaimPaths(text)).toEqual(paths);
  });

  it('SES-4: a path leads through objects alone, and to nothing that is not their own', () => {
    const claims = { a: { b: 7 }, list: ['x'], none: null, text: 'abc' };
    expect(claimAt(claims, ['a', 'b'])).toBe(7);
    for (const path of [
      ['a', 'c'],
      ['list', '0'],
      ['none', 'x'],
      ['text', 'length'],
      ['toString'],
      ['a', 'toString'],
    ])
      expect([path, claimAt(claims, path)]).toEqual([path, undefined]);
  });

  const cut: number[] = [];
  const read = createReadClaims(
    {
      name: [['displayName'], ['cn']],
      email: [['mail'], ['email']],
      roles: [['roles']],
      groups: [['groups'], ['teams']],
    },
    (found) => cut.push(found),
  );

  it('SES-4: the first path that holds something counts; lists of all paths are joined, each name once, in order', () => {
    expect(
      read({ cn: 'Mia', email: 'b', mail: 'a', groups: ['z', 'a'], teams: { a: 1, b: 2 } }, true),
    ).toEqual({
      name: 'Mia',
      email: 'a',
      groups: { roles: [], groups: ['a', 'b', 'z'] },
    });
    expect(read({}, true)).toMatchObject({ name: '', email: undefined });
  });

  it('SES-4: a name that cannot be stored is none, and a list ends after a thousand, which is said', () => {
    const groups = ['x'.repeat(501), 'x'.repeat(500), ' ', 'a\ud800', 'a\u0000b', 7, 'ok'];
    expect(read({ groups }, true).groups?.groups).toEqual(['ok', 'x'.repeat(500)]);
    const many = Array.from({ length: 1_001 }, (_, n) => `g${n}`);
    expect(read({ groups: many.slice(1) }, true).groups?.groups).toHaveLength(1_000);
    expect(cut).toEqual([]);
    expect(read({ groups: many }, true).groups?.groups).toHaveLength(1_000);
    expect(cut).toEqual([1_001]);
    expect(read({ groups: null, roles: 'one' }, true).groups).toEqual({ roles: ['one'], groups: [] });
  });

  it('SES-4: memberships that stand elsewhere, or may be missing, are not known', () => {
    const elsewhere = (names: unknown) => read({ _claim_names: names }, true).groups;
    expect(elsewhere({ teams: 'src1' })).toBeNull();
    for (const names of [null, 'teams', { address: 'src1' }, undefined])
      expect([names, elsewhere(names)]).toEqual([names, { roles: [], groups: [] }]);
    expect(read({ _claim_names: { teams: 'src1' }, teams: ['a'] }, true).groups?.groups).toEqual(['a']);
    expect(read({}, false).groups).toBeNull();
    expect(read({ roles: [] }, false).groups).toEqual({ roles: [], groups: [] });
  });
});
