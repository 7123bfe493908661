import { describe, expect, it, vi } from 'vitest';
import type { ChangeFeed } from '#server/platform/database/change-feed.ts';
import type { Change } from '#server/platform/database/database.ts';
import { StorageFailure } from '#server/platform/database/storage-failure.ts';
import { openFresh } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { hashSecret } from '#server/platform/keys/ids.ts';
import { addPerson } from '#server/testing/people.ts';
import { createAccessTokens } from './access-token.ts';
import { cookieNames } from './cookies.ts';
import { createSessions } from './sessions.ts';
import type { AccountState } from '#features/directory/server/directory.ts';

type PublishedChange = Parameters<Parameters<ChangeFeed['on']>[1]>[0];

const minute = 60_000;
const active: AccountState = { state: 'active', email: 'mia@example.org' };

/** Sessions on a database of their own, and a feed that publishes what the test sends. */
async function sessionsOfTwo() {
  const clock = movableClock(1_800_000_000_000);
  const database = await openFresh('sqlite', clock);
  const listeners: { topic: PublishedChange['topic']; receive: (change: PublishedChange) => void }[] = [];
  const feed: ChangeFeed = {
    on: (topic, receive) => void listeners.push({ topic, receive }),
    publishedAt: () => 0,
    close: () => Promise.resolve(),
  };
  const [mia, sam] = [await addPerson({ database }), await addPerson({ database })];
  const tokens = createAccessTokens({ database, feed, clock, publicUrl: 'http://localhost' });
  const accountState = vi.fn<(personId: string) => AccountState | null | Promise<AccountState | null>>(
    () => active,
  );
  const personSeen = vi.fn<(personId: string, at: number) => Promise<void>>(() => Promise.resolve());
  const signedOut = vi.fn<(change: Change, personId: string) => Promise<void>>(() => Promise.resolve());
  const cookies = cookieNames('test', false);
  const sessions = createSessions({
    database,
    feed,
    clock,
    tokens,
    cookies,
    accountState,
    personSeen,
    signedOut,
    idleMs: 60 * minute,
    maxMs: 100 * minute,
    mapSecret: 'secret',
    apiTokens: {
      isApiToken: (bearer) => bearer.startsWith('pt_'),
      identify: (secret) => Promise.reject(new Error(secret)),
    },
  });
  const sessionIds = async () =>
    (await database.read.selectFrom('session').select('id').execute()).map(({ id }) => id);

  return {
    database,
    clock,
    tokens,
    accountState,
    personSeen,
    signedOut,
    sessions,
    mia,
    sam,
    sessionIds,
    publish: (topic: string, key: string) => {
      for (const each of listeners)
        if (each.topic === topic)
          each.receive({
            topic: each.topic,
            key,
            at: clock.now(),
            revision: 1,
          });
    },
    async begin(personId: string, cookieHeader?: string) {
      const before = await sessionIds();
      const { secret } = await sessions.open(
        {
          personId,
          idToken: `of ${personId}`,
        },
        cookieHeader,
      );
      const id = (await sessionIds()).find((each) => !before.includes(each)) ?? '';
      const { accessToken } = await tokens.issue(personId, id);
      return {
        id,
        accessToken,
        cookie: `other=1; ${cookies.session}=${secret}`,
      };
    },
  };
}

describe('sessions', () => {
  it('SES-7: a verification that was under way while the session ended is not remembered', async () => {
    const { sessions, accountState, begin, mia, publish } = await sessionsOfTwo();
    const { id, accessToken } = await begin(mia);
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    accountState.mockImplementation(async () => {
      asked.resolve();
      await held.promise;
      return active;
    });
    const underWay = sessions.identify(accessToken);
    await Promise.race([asked.promise, underWay]);
    await sessions.end(id);
    publish('session', id);
    held.resolve();

    await underWay;
    await expect(sessions.identify(accessToken)).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  });

  it('SES-2: a verified token is taken for a minute without asking again, a change of its own person or session aside', async () => {
    const { sessions, accountState, begin, mia, sam, publish, clock } = await sessionsOfTwo();
    const [one, other] = [await begin(mia), await begin(sam)];
    const asked = async () => {
      accountState.mockClear();
      const found = [await sessions.identify(one.accessToken), await sessions.identify(other.accessToken)];
      expect(found.map(({ id }) => id)).toEqual([mia, sam]);
      return accountState.mock.calls.map(([personId]) => (personId === mia ? 'mia' : 'sam'));
    };
    expect(await asked()).toEqual(['mia', 'sam']);
    expect(await asked()).toEqual([]);
    for (const [topic, key, who] of [
      ['session', one.id, ['mia']],
      ['person', sam, ['sam']],
      ['session', 'another', []],
      ['person', 'another', []],
      ['signing-keys', 'access-token', ['mia', 'sam']],
    ] as const) {
      publish(topic, key);
      expect([topic, await asked()]).toEqual([topic, who]);
    }
    clock.move(minute - 1);
    expect(await asked()).toEqual([]);
    clock.move(1);
    expect(await asked()).toEqual(['mia', 'sam']);
  });

  it('SES-2: a token is not accepted longer than it is valid, also where it was verified just before', async () => {
    const { sessions, begin, mia, clock } = await sessionsOfTwo();
    const { accessToken } = await begin(mia);
    clock.move(5 * minute - 1);
    await sessions.identify(accessToken);
    clock.move(1);
    await expect(sessions.identify(accessToken)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  });

  it('SES-1: a session ends as soon as its time is over, idle or not', async () => {
    const { sessions, begin, mia, clock } = await sessionsOfTwo();
    const { cookie } = await begin(mia);
    clock.move(60 * minute - 1);
    await sessions.identifySession(cookie);
    clock.move(40 * minute);
    expect((await sessions.identifySession(cookie)).id).toBe(mia);
    clock.move(1);
    await expect(sessions.identifySession(cookie)).rejects.toMatchObject({ code: 'SESSION_ENDED' });

    const idle = await begin(mia);
    clock.move(60 * minute);
    await expect(sessions.identifySession(idle.cookie)).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  });

  it('SES-8: a token and a cookie stand for their own person alone, as they stand now', async () => {
    const { sessions, accountState, begin, mia, sam, tokens } = await sessionsOfTwo();
    const { id, cookie } = await begin(mia);
    const foreign = (await tokens.issue(sam, id)).accessToken;
    await expect(sessions.identify(foreign)).rejects.toMatchObject({ code: 'SESSION_ENDED' });
    expect(await sessions.identifySession(cookie)).toEqual({
      kind: 'person',
      id: mia,
      name: 'mia@example.org',
      sessionId: id,
    });
    accountState.mockReturnValue({ state: 'active', email: '' });
    expect((await sessions.identifySession(cookie)).name).toBe(`person ${mia}`);
    accountState.mockReturnValue(null);
    await expect(sessions.identifySession(cookie)).rejects.toMatchObject({ code: 'SESSION_ENDED' });
    accountState.mockReturnValue({ state: 'blocked', email: '' });
    await expect(sessions.identifySession(cookie)).rejects.toMatchObject({ code: 'PERSON_BLOCKED' });
    for (const header of [undefined, '', 'other=1', `${cookie}x`])
      await expect(sessions.identifySession(header)).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  });

  it('SES-1: a full disk prevents no renewal; another fault is no reason to go on', async () => {
    const { sessions, personSeen, begin, mia, clock } = await sessionsOfTwo();
    const { cookie } = await begin(mia);
    personSeen.mockClear();
    clock.move(minute - 1);
    await sessions.identifySession(cookie);
    expect(personSeen).not.toHaveBeenCalled();
    clock.move(1);
    await sessions.identifySession(cookie);
    expect(personSeen.mock.calls).toEqual([[mia, clock.now()]]);
    clock.move(minute);
    personSeen.mockRejectedValueOnce(new StorageFailure('full'));
    expect((await sessions.identifySession(cookie)).id).toBe(mia);
    clock.move(minute);
    personSeen.mockRejectedValueOnce(new Error('a fault'));
    await expect(sessions.identifySession(cookie)).rejects.toThrow('a fault');
  });

  it('SES-1: a sign-in ends the session that its browser held, and no other, together with what is stored with it', async () => {
    const { sessions, personSeen, begin, mia, sam, clock, sessionIds } = await sessionsOfTwo();
    const [one, other] = [await begin(mia), await begin(sam)];
    const again = await begin(sam, one.cookie);
    expect(new Set(await sessionIds())).toEqual(new Set([other.id, again.id]));
    expect(personSeen).toHaveBeenLastCalledWith(sam, clock.now());
    const refused = sessions.open(
      { personId: mia, idToken: '', begins: () => Promise.reject(new Error('not stored')) },
      other.cookie,
    );
    await expect(refused).rejects.toThrow('not stored');
    expect(new Set(await sessionIds())).toEqual(new Set([other.id, again.id]));
  });

  it('SES-7: the end of a session is sent to the provider once, with the ID token that it began with', async () => {
    const { sessions, signedOut, begin, mia, sessionIds } = await sessionsOfTwo();
    const { id } = await begin(mia);
    expect(await sessions.end(id)).toBe(`of ${mia}`);
    expect(signedOut.mock.calls).toEqual([[expect.anything(), mia]]);
    expect(await sessionIds()).toEqual([]);
    expect(await sessions.end(id)).toBeNull();
    expect(signedOut).toHaveBeenCalledOnce();
  });

  it('SES-5: the map cookie is removed for the session of the token, expired or not, or else of the cookie', async () => {
    const { sessions, begin, mia, sam, clock } = await sessionsOfTwo();
    const [one, other] = [await begin(mia), await begin(sam)];
    expect(await sessions.sessionIdOf(one.accessToken, other.cookie)).toBe(one.id);
    clock.move(6 * minute);
    expect(await sessions.sessionIdOf(one.accessToken, other.cookie)).toBe(one.id);
    expect(await sessions.sessionIdOf('no token of ours', other.cookie)).toBe(other.id);
    expect(await sessions.sessionIdOf(null, other.cookie)).toBe(other.id);
    expect(await sessions.sessionIdOf(null, undefined)).toBeNull();
  });

  it('SES-5: the handle of the map cookie finds the session for ten minutes, for longer when extended, and not after it', async () => {
    const { sessions, begin, mia, clock } = await sessionsOfTwo();
    const { id } = await begin(mia);
    const { handle } = await sessions.grantMap(id);
    const found = async () => (await sessions.byMapHandle(hashSecret(handle)))?.caller.id;
    clock.move(9 * minute);
    expect(await found()).toBe(mia);
    expect((await sessions.grantMap(id)).handle).toBe(handle);
    clock.move(9 * minute);
    expect(await found()).toBe(mia);
    clock.move(minute);
    expect(await found()).toBeUndefined();
    await sessions.grantMap(id);
    expect(await found()).toBe(mia);
    await sessions.revokeMap(id);
    expect(await found()).toBeUndefined();
    await sessions.grantMap(id);
    await sessions.end(id);
    expect(await found()).toBeUndefined();
    expect(await sessions.byMapHandle(hashSecret('no handle'))).toBeNull();
  });

  it('SES-2: what is an API token is asked there alone', async () => {
    const { sessions } = await sessionsOfTwo();
    await expect(sessions.identify('pt_secret')).rejects.toThrow('pt_secret');
  });
});
