import { describe, expect, it, vi } from 'vitest';
import { createLogger } from '#server/platform/log/logger.ts';
import { engines, openFresh, provedOn, type Engine } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addPerson } from '#server/testing/people.ts';
import { identityOf, type Identity } from '#features/session/server/identity.ts';
import type { Refreshed } from '#features/session/server/relying-party.ts';
import { insertSession } from '#features/session/server/session.store.ts';
import {
  RefreshFailure,
  SignInRefusal,
  type RefreshOutcome,
} from '#features/session/server/sign-in-refusal.ts';
import { storeProviderSession } from './provider-session.store.ts';
import { createSeal } from '#server/platform/keys/seal.ts';
import { createSessionChecks, nextCheckAt } from './session-checks.ts';

const issuer = 'https://idp.example';
const minute = 60_000;
const hour = 60 * minute;

/** The provider confirms the session, with nothing new. */
const goesOn: Refreshed = { idToken: null, claims: null, complete: true, refreshToken: null, refusal: null };

const fails = (outcome: RefreshOutcome) => (): Promise<Refreshed> =>
  Promise.reject(new RefreshFailure(outcome, new SignInRefusal('provider-answer', outcome)));

const numbers = (count: number) => Array.from({ length: count }, (_, n) => `number ${n}`);

type Line = { level: number; msg: string; outcome?: string; personId?: string; reason?: string };

/** One person with sessions that are due a minute ago, and a provider that answers as the test sets. */
async function checksOn(engine: Engine, { random = 0.5 } = {}) {
  const clock = movableClock(1_800_000_000_000);
  const database = await openFresh(engine, clock);
  const personId = await addPerson({ database });
  const seal = createSeal('of the installation', 'of the client', 'refresh-token');
  const log: Line[] = [];
  const asked: { token: string; subject: string }[] = [];
  const followed: Identity[] = [];
  let answer: (token: string) => Promise<Refreshed> = () => Promise.resolve(goesOn);
  let isNews = true;

  const checks = createSessionChecks({
    database,
    clock,
    logger: createLogger('debug', { write: (line) => log.push(JSON.parse(line) as Line) }),
    relyingParty: {
      issuerKey: issuer,
      refresh(token, subject) {
        asked.push({ token, subject });
        return answer(token);
      },
    },
    seal,
    identityOf: (claims, complete) => identityOf(issuer, claims, undefined, complete),
    followPerson: {
      isNews: () => Promise.resolve(isNews),
      follow(_change, _personId, identity) {
        followed.push(identity);
        return Promise.resolve();
      },
    },
    random: () => random,
  });

  return {
    database,
    clock,
    log,
    asked,
    followed,
    personId,
    run: () => checks.run(),
    answers(next: (token: string) => Promise<Refreshed>, news = true) {
      answer = next;
      isNews = news;
    },
    async begin(id: string | string[], { sealedFor = '', lastsMs = 7 * 24 * hour } = {}) {
      const now = clock.now();
      await database.change(async (change) => {
        for (const sessionId of [id].flat()) {
          await insertSession(change.tx, {
            id: sessionId,
            secretHash: `hash of ${sessionId}`,
            personId,
            idToken: 'the first',
            createdAt: now,
            provedAt: now,
            seenAt: now,
            expiresAt: now + lastsMs,
            browser: '',
            system: '',
          });
          await storeProviderSession(change, {
            sessionId,
            issuer,
            subject: 'kc-7',
            sid: null,
            nextCheckAt: now,
            refreshToken: seal.seal(`token of ${sessionId}`, sealedFor || sessionId),
          });
        }
      });
    },
    async signsInAgain(sessionId: string) {
      const [sid, nextCheckAt] = [null, clock.now() + 10 * minute];
      const refreshToken = seal.seal('the new one', sessionId);
      await database.change((change) =>
        storeProviderSession(change, { sessionId, issuer, subject: 'kc-7', sid, nextCheckAt, refreshToken }),
      );
    },
    async runAfter(milliseconds: number) {
      clock.move(milliseconds);
      await database.transaction((tx) => tx.updateTable('session').set({ seen_at: clock.now() }).execute());
      await checks.run();
    },
    async known(id: string) {
      const row = await database.read
        .selectFrom('provider_session')
        .innerJoin('session', 'session.id', 'provider_session.session_id')
        .selectAll()
        .where('session.id', '=', id)
        .executeTakeFirst();
      if (row === undefined) return null;
      return {
        token: row.refresh_token === null ? null : seal.open(row.refresh_token, id),
        idToken: row.id_token,
        nextIn: row.next_check_at === null ? null : row.next_check_at - clock.now(),
        endsIn: row.expires_at - clock.now(),
        unsure: row.unsure_since,
        failures: row.failures,
        claimed: row.claimed_until,
      };
    },
  };
}

it('SES-4: sessions are asked after every ten minutes, spread by a tenth to both sides', () => {
  expect([0, 0.5, 1].map((random) => nextCheckAt(1_000, random))).toEqual([541_000, 601_000, 661_000]);
  expect(Number.isInteger(nextCheckAt(1_000, 0.123_456_789))).toBe(true);
});

describe.each(engines)('checking sessions at the provider on %s', (engine) => {
  const once = provedOn(engine);
  it('SES-4: what the provider sends again is stored: tokens, and the person as it has them', async () => {
    const { begin, run, answers, runAfter, known, asked, followed, log } = await checksOn(engine);
    await begin('one');
    answers(() => Promise.resolve({ ...goesOn, refreshToken: 'the next', idToken: 'the second' }));
    await run();
    expect(asked).toEqual([{ token: 'token of one', subject: 'kc-7' }]);
    expect(await known('one')).toMatchObject({
      token: 'the next',
      idToken: 'the second',
      nextIn: 10 * minute,
      unsure: null,
      failures: 0,
      claimed: null,
    });
    expect(followed).toEqual([]);

    const claims = { sub: 'kc-7', email: 'mia@example.org' };
    answers(() => Promise.resolve({ ...goesOn, claims, complete: false }));
    await runAfter(10 * minute);
    expect(await known('one')).toMatchObject({ token: 'the next', idToken: 'the second' });
    expect(followed).toMatchObject([{ email: 'mia@example.org', complete: false }]);
    answers(() => Promise.resolve({ ...goesOn, claims }), false);
    await runAfter(10 * minute);
    expect(asked).toHaveLength(3);
    expect(followed).toHaveLength(1);
    expect(log).toEqual([]);

    const refusal = new SignInRefusal('id-token-issuer', 'of another');
    answers(() => Promise.resolve({ ...goesOn, refusal }));
    await runAfter(10 * minute);
    expect(log).toEqual([expect.objectContaining({ level: 40, reason: 'id-token-issuer' })]);
    expect(await known('one')).toMatchObject({ token: 'the next', failures: 0 });
  });

  it('SES-4: a session is not asked after before its time, nor by two at once, nor where its browser is away', async () => {
    const { begin, run, clock, asked, database } = await checksOn(engine);
    const reads = vi.spyOn(database.read, 'selectFrom');
    await run();
    expect(reads).toHaveBeenCalledOnce();
    reads.mockRestore();
    await begin('one');
    const claim = (until: number | null) =>
      database.transaction((tx) =>
        tx.updateTable('provider_session').set({ claimed_until: until }).execute(),
      );
    await claim(clock.now() + 1);
    await run();
    expect(asked).toEqual([]);
    await claim(clock.now());
    await Promise.all([run(), run()]);
    expect(asked).toHaveLength(1);
    clock.move(10 * minute - 1);
    await run();
    expect(asked).toHaveLength(1);
    // Last seen 20 minutes ago.
    clock.move(10 * minute + 1);
    await run();
    expect(asked).toHaveLength(1);
    await database.transaction((tx) =>
      tx
        .updateTable('session')
        .set({ seen_at: clock.now() - 20 * minute + 1 })
        .execute(),
    );
    await run();
    expect(asked).toHaveLength(2);
  });

  it('SES-4: a check that is under way is another replica’s for two minutes, and then to be made up for', async () => {
    const { begin, run, answers, clock, asked, known } = await checksOn(engine);
    await begin('one');
    const answering = Promise.withResolvers<Refreshed>();
    answers(() => answering.promise);
    const running = run();
    await expect.poll(() => asked.length).toBe(1);
    expect(await known('one')).toMatchObject({ claimed: clock.now() + 2 * minute, unsure: clock.now() });
    clock.move(2 * minute - 1);
    await run();
    expect(asked).toHaveLength(1);
    clock.move(1);
    answers(() => Promise.resolve(goesOn));
    await run();
    expect(asked).toHaveLength(2);
    answering.resolve(goesOn);
    await running;
  });

  it('SES-4: a person with whom the provider does not go on is signed out', async () => {
    const { begin, run, answers, known, log, personId } = await checksOn(engine);
    await begin('one');
    answers(fails('ended'));
    await run();
    expect(await known('one')).toBeNull();
    expect(log).toEqual([expect.objectContaining({ level: 30, personId })]);
  });

  it.each([
    ['that it has ended', fails('ended')],
    ['that the token is refused', fails('token-refused')],
    ['with the next tokens', () => Promise.resolve({ ...goesOn, refreshToken: 'older', idToken: 'older' })],
  ])(
    'SES-4: an answer %s changes nothing of a session whose token was replaced since',
    async (_how, answer) => {
      const { begin, run, answers, known, signsInAgain } = await checksOn(engine);
      await begin('one');
      answers(async () => {
        await signsInAgain('one');
        return answer();
      });
      await run();
      expect(await known('one')).toMatchObject({
        token: 'the new one',
        idToken: 'the first',
        claimed: null,
        endsIn: 7 * 24 * hour,
      });
    },
  );

  it('SES-4: a provider that does not answer is asked again after a minute, then twice as long each time, up to ten', async () => {
    const { begin, run, answers, runAfter, known, log } = await checksOn(engine);
    await begin('one');
    answers(fails('not-reached'));
    await run();
    const waits: (number | null | undefined)[] = [];
    for (let failures = 1; failures <= 6; failures += 1) {
      const found = await known('one');
      expect(found).toMatchObject({ failures, unsure: null, claimed: null, token: 'token of one' });
      waits.push(found?.nextIn);
      await runAfter(found?.nextIn ?? 0);
    }
    expect(waits).toEqual([1, 2, 4, 8, 10, 10].map((minutes) => minutes * minute));
    // Of the tries at 0, 1, 3, 7, 15, 25 and 35 minutes, those with ten minutes in between.
    expect(log.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 4 }, () => 'not-reached'));
    answers(fails('client-refused'));
    await runAfter(10 * minute);
    answers(() => Promise.resolve(goesOn));
    await runAfter(10 * minute);
    expect(await known('one')).toMatchObject({ failures: 0, nextIn: 10 * minute });
    expect(log.at(-1)).toMatchObject({ level: 40, outcome: 'client-refused' });
  });

  it.each([
    [0, 0.9 * minute],
    [1, 1.1 * minute],
  ])('SES-4: tries are spread too: %j', async (random, wait) => {
    const { begin, run, answers, known } = await checksOn(engine, { random });
    await begin('one');
    answers(fails('not-reached'));
    await run();
    expect((await known('one'))?.nextIn).toBe(wait);
  });

  it('SES-4: a refusal after an answer that may have been lost leaves the session twelve hours without checks', async () => {
    const { begin, run, answers, runAfter, known, log, clock } = await checksOn(engine);
    await begin('one');
    await begin('short', { lastsMs: hour });
    const askedAt = clock.now();
    answers(fails('unsure'));
    await run();
    expect(await known('one')).toMatchObject({ unsure: askedAt, failures: 1, nextIn: minute });
    answers(fails('not-reached'));
    await runAfter(minute);
    expect(await known('one')).toMatchObject({ unsure: clock.now(), failures: 2 });

    answers(fails('ended'));
    await runAfter(2 * minute);
    const left = { token: null, nextIn: null, unsure: null, failures: 0, claimed: null };
    expect(await known('one')).toMatchObject({ ...left, endsIn: 12 * hour });
    expect(await known('short')).toMatchObject({ ...left, endsIn: 57 * minute });
    expect(log.at(-1)).toMatchObject({ level: 40, msg: expect.stringContaining('twelve hours') });
  });

  it.each(once)('SES-4: where the provider replaces no tokens a refusal ends the session', async () => {
    for (const [refreshToken, ends] of [
      [null, true],
      ['token of before', true],
      ['another', false],
    ] as const) {
      const { begin, run, answers, runAfter, known } = await checksOn(engine);
      await begin('before');
      answers(() => Promise.resolve({ ...goesOn, refreshToken }));
      await run();
      await begin('one');
      answers(fails('unsure'));
      await run();
      answers(fails('ended'));
      await runAfter(minute);
      expect([refreshToken, (await known('one')) === null]).toEqual([refreshToken, ends]);
    }
  });

  it.each(once)('SES-4: a refused token that worked within an hour ends its session', async () => {
    const { begin, run, answers, runAfter, known, clock } = await checksOn(engine);
    await begin('unproven');
    answers(fails('token-refused'));
    await run();
    expect(await known('unproven')).toMatchObject({
      endsIn: 12 * hour,
      failures: 1,
      nextIn: minute,
      token: 'token of unproven',
      unsure: null,
    });
    answers(() => Promise.resolve(goesOn));
    await runAfter(minute);

    // Proved by the other session, an hour before.
    clock.move(hour);
    await begin('proven');
    answers(fails('token-refused'));
    await run();
    expect(await known('proven')).toBeNull();

    await begin('later');
    answers(fails('token-refused'));
    await runAfter(1);
    expect(await known('later')).toMatchObject({ endsIn: 12 * hour, failures: 1 });
  });

  it.each(once)('SES-4: a provider that cannot be reached is asked for no other session', async () => {
    const { begin, run, answers, runAfter, asked, log } = await checksOn(engine);
    await begin(numbers(9));
    answers(fails('not-reached'));
    await run();
    expect(asked).toHaveLength(8);
    await runAfter(0);
    expect(asked).toHaveLength(9);

    // An error that is no answer of the provider, such as the storage's.
    log.length = 0;
    answers(() => Promise.reject(new Error('something else')));
    await runAfter(10 * minute);
    expect(asked).toHaveLength(17);
    expect(log.map(({ level, msg }) => [level, msg])).toEqual(
      Array.from({ length: 8 }, () => [50, 'a check of a session failed']),
    );

    for (const outcome of ['ended', 'token-refused'] as const) {
      const { begin: start, run: go, answers: answerWith, asked: questions } = await checksOn(engine);
      await start(numbers(9));
      answerWith(fails(outcome));
      await go();
      expect([outcome, questions.length]).toEqual([outcome, 9]);
    }
  });

  it('SES-4: a token that today’s secrets do not open is dropped, and the session goes on', async () => {
    const { begin, run, known, asked, log, clock } = await checksOn(engine);
    await begin('one', { sealedFor: 'another' });
    await begin(numbers(7), { sealedFor: 'another' });
    clock.move(1);
    await begin('two');
    await run();
    expect(asked).toEqual([{ token: 'token of two', subject: 'kc-7' }]);
    expect(await known('one')).toMatchObject({ token: null, nextIn: null, failures: 0, claimed: null });
    expect(log).toHaveLength(8);
    expect(log[0]).toMatchObject({ level: 40, msg: expect.stringContaining('dropped') });
  });
});

it('SES-4: one run asks after four hundred sessions, and leaves the rest to the next', async () => {
  const { begin, run, asked } = await checksOn('sqlite');
  await begin(numbers(401));
  await run();
  expect(asked).toHaveLength(400);
  await run();
  expect(asked).toHaveLength(401);
});
