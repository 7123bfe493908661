import { setBlocked, setRoles } from '#features/people/contract/people.ts';
import { getPermissions } from '#features/permissions/contract/own-access.ts';
import { signOut } from '#features/session/contract/session.ts';
import { describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { accessTokenKeys } from '#features/session/server/access-token.ts';

const own = { params: { userId: 'current' } };

/** What a caller is answered, and whether that came from memory: the route writes its line at level info. */
async function ask(
  app: TestApp,
  { accessToken }: { accessToken: string },
  headers: Record<string, string> = {},
) {
  const before = app.log.length;
  const answer = await app.call(getPermissions, own, { accessToken, headers });
  const line = () => app.log.slice(before).find(({ msg }) => msg === 'request');
  await expect.poll(line).toBeDefined();
  const { date: _now, ...sent } = Object.fromEntries(answer.headers);
  const { status, problem, text } = answer;
  return { outcome: problem?.code ?? status, text, headers: sent, fromMemory: line()?.level === 20 };
}

describe('own rights from memory', () => {
  it('RIGHT-1: a verified token is answered from memory, as the route answers', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const mia = await signIn(app, { roles: ['member'] });
    const route = await ask(app, mia);
    const memory = await ask(app, mia);
    expect([route.fromMemory, memory.fromMemory]).toEqual([false, true]);
    expect({ ...memory, fromMemory: false }).toEqual(route);
    const held = { 'if-none-match': `"other", ${memory.headers['etag']}` };
    const byId = await app.call(getPermissions, { params: { userId: mia.id } }, { ...mia, headers: held });
    const { date: _now, ...sent } = Object.fromEntries(byId.headers);
    const unchanged = await ask(app, mia, held);
    expect([byId.status, unchanged.outcome, unchanged.text, unchanged.fromMemory]).toEqual([
      304,
      304,
      '',
      true,
    ]);
    expect(unchanged.headers).toEqual(sent);
    const script = { accessToken: await addToken(app, { rights: ['PEOPLE_READ'] }) };
    for (const other of [script, { accessToken: 'x' }, { accessToken: mia.accessToken.slice(0, -2) }])
      expect((await ask(app, other)).fromMemory).toBe(false);
  });

  it.each([
    [
      'a sign-out',
      'SESSION_ENDED',
      (app: TestApp, { browser }: SignedIn) => app.call(signOut, {}, { cookies: browser.cookies }),
    ],
    [
      'a block',
      'PERSON_BLOCKED',
      (_app: TestApp, { id }: SignedIn, operator: SignedIn) =>
        operator.call(setBlocked, { params: { personId: id }, body: { blocked: true, version: 1 } }),
    ],
    [
      'the removal of the keys',
      'TOKEN_INVALID',
      (app: TestApp) =>
        app.database.change(async (change) => {
          await change.tx.deleteFrom('signing_key').where('purpose', '=', accessTokenKeys.purpose).execute();
          change.publish('signing-keys');
        }),
    ],
  ] as const)('SES-8: %s ends what is in memory, on every replica', async (_what, expected, end) => {
    const app = await startApp({ engine: 'postgres' });
    const replica = await startApp({ replicaOf: app });
    const [mia, operator] = [
      await signIn(app, { roles: ['member'] }),
      await signIn(app, { roles: ['operator'] }),
    ];
    await ask(replica, mia);
    expect((await ask(replica, mia)).fromMemory).toBe(true);
    await end(app, mia, operator);
    await expect.poll(async () => (await ask(replica, mia)).outcome).toBe(expected);
  });

  it('RIGHT-3 SES-2: a change of rights and the token’s end apply at once', async () => {
    const clock = movableClock();
    const app = await startApp({ engine: 'sqlite', clock });
    const [mia, operator] = [
      await signIn(app, { roles: ['member'] }),
      await signIn(app, { roles: ['operator'] }),
    ];
    for (const expected of [false, true]) expect((await ask(app, mia)).fromMemory).toBe(expected);
    const body = { roles: [], version: 1 };
    await operator.call(setRoles, { params: { personId: mia.id }, body });
    expect((await ask(app, mia)).text).toBe('[]');
    expect((await ask(app, mia)).fromMemory).toBe(true);
    clock.move(60_000);
    expect((await ask(app, mia)).fromMemory).toBe(false);
    clock.move(4 * 60_000);
    expect((await ask(app, mia)).outcome).toBe('TOKEN_EXPIRED');
  });
});

it('API-2: who asks too often is refused with a time, and not from memory', async () => {
  const app = await startApp({ engine: 'sqlite', clock: movableClock(), config: { rateLimitScale: 0.05 } });
  const mia = await signIn(app);
  const answers = [];
  while (answers.at(-1) !== 'TOO_MANY_REQUESTS') answers.push((await ask(app, mia)).outcome);
  expect(answers.length).toBeGreaterThan(5);
  expect(new Set(answers)).toEqual(new Set([200, 'TOO_MANY_REQUESTS']));
});
