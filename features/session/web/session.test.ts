import { describe, expect, it } from 'vitest';
import { createApi } from '#web/platform/calls/call.ts';
import { openBroadcast } from '#web/platform/tabs/broadcast.ts';
import { createErrorRecord } from '#web/platform/record-error.ts';
import { createServerClock } from '#web/platform/time/server-clock.ts';
import { storeSignInReason, readSignInReason } from '#web/platform/sign-in-reason.ts';
import { createBrowser, type Browser } from '#web/testing/browser.ts';
import {
  createFakeServer,
  json,
  later,
  nothing,
  problemAnswer,
  type Received,
} from '#web/testing/fake-server.ts';
import { createManualClock, settled, type ManualClock } from '#web/testing/manual-clock.ts';
import { createSession, type SessionDependencies } from './session.ts';
import { sessionMessage } from './session-ends.ts';

const lifetime = 300_000;
let tabs = 0;

/** A provider of sessions like the real one: a cookie shared by the tabs, a fresh token for each renewal. */
function createEnvironment() {
  const clock = createManualClock();
  const browser = createBrowser();
  const provider = {
    person: 'ada' as string | null,
    session: 'first',
    ended: null as string | null,
    tokens: 0,
  };
  const answer = ({ method, path, headers }: Received) => {
    if (path === '/auth/token') {
      if (provider.person === null) {
        // Like the server, which gives the reason to a caller who shows a token of the session.
        const reason =
          headers.has('authorization') && provider.ended !== null ? { reason: provider.ended } : {};
        return problemAnswer(401, 'SESSION_ENDED', reason);
      }
      provider.tokens += 1;
      return json(tokenFor(provider.person, provider.tokens, clock, provider.session));
    }
    if (path === '/auth/logout') {
      provider.person = null;
      return json({ next: 'https://provider.test/end' });
    }
    if (path === '/cookies/token' && (method === 'POST' || method === 'DELETE')) return nothing();
    throw new Error(`no answer for ${method} ${path}`);
  };
  return { clock, browser, provider, answer };
}

function tokenFor(person: string, number: number, clock: ManualClock, session = 'first') {
  const claims = btoa(JSON.stringify({ sub: person, sid: session, jti: number }));
  // The server's clock is an hour ahead of this computer's.
  const serverTime = clock.now() + 3_600_000;
  return { accessToken: `h.${claims}.s`, expiresAt: serverTime + lifetime, serverTime };
}

function openTab(
  {
    clock,
    browser,
    answer,
  }: { clock: ManualClock; browser: Browser; answer: (request: Received) => Response },
  more: {
    develop?: string;
    visible?: boolean;
    stays?: () => boolean;
    locks?: boolean;
    random?: () => number;
    /** How the server answers at first. */
    answer?: Parameters<typeof createFakeServer>[0];
  } = {},
) {
  const tab = browser.openTab({ visible: more.visible ?? true });
  const server = createFakeServer(more.answer ?? answer);
  const went: string[] = [];
  const page = { reloads: 0, startedOver: 0 };
  const errors = createErrorRecord(clock.now);
  const dependencies: SessionDependencies = {
    api: createApi({
      fetch: server.fetch,
      bearer: { token: () => session.bearer.token(), renewed: (refused) => session.bearer.renewed(refused) },
      timeOffset: () => null,
    }),
    fetch: server.fetch,
    clock,
    serverClock: createServerClock(clock.now, {
      serverTime: clock.now(),
      sentAt: clock.now(),
      receivedAt: clock.now(),
    }),
    random: more.random ?? (() => 0.5),
    locks: more.locks === false ? undefined : tab.locks,
    broadcast: openBroadcast(tab.openChannel, 'session', sessionMessage),
    presence: tab.presence,
    errors,
    memory: tab.memory,
    tab: `tab ${(tabs += 1)}`,
    page: {
      address: () => '/map?layer=a#b',
      go: (address) => void went.push(address),
      reload: () => void (page.reloads += 1),
      startOver: () => void (page.startedOver += 1),
      stays: more.stays ?? (() => false),
    },
    geoserverDevelopUrl: more.develop ?? null,
  };
  const session = createSession(dependencies);
  return {
    tab,
    server,
    session,
    went,
    page,
    dependencies,
    status: () => session.state.get().status,
    recorded: () => errors.recorded.get().map(({ what }) => what),
    renewals: () => server.calls().filter((call) => call === 'POST /auth/token').length,
  };
}

/** What a tab sends to the others after a renewal. */
function tokenMessage(clock: ManualClock, number: number, session?: string) {
  return { type: 'token', ...tokenFor('ada', number, clock, session), receivedAt: clock.now() } as const;
}

const signedOut = { status: 'signed-out', reason: 'signed-out', takesWork: true };

async function openStarted(
  environment: ReturnType<typeof createEnvironment> = createEnvironment(),
  more: Parameters<typeof openTab>[1] = {},
) {
  const tab = openTab(environment, more);
  tab.session.start();
  await settled();
  return { ...tab, environment };
}

const loginHere = `/auth/login?returnTo=${encodeURIComponent('/map?layer=a#b')}`;

describe('the token', () => {
  it('SES-2: is asked for at load, and every call waits for it', async () => {
    const { session, server } = await openStarted();
    expect(session.state.get()).toEqual({ status: 'signed-in', personId: 'ada' });
    expect(server.calls()[0]).toBe('POST /auth/token');
    expect(await session.bearer.token()).toMatch(/^h\./);
    expect(server.calls().filter((call) => call === 'POST /auth/token')).toHaveLength(1);
  });

  it('SES-2: is renewed before it expires, whatever the clock of this computer shows', async () => {
    const { environment, renewals, session } = await openStarted();
    await environment.clock.pass(lifetime * 0.7);
    expect(renewals()).toBe(1);
    await environment.clock.pass(lifetime * 0.1);
    expect(renewals()).toBe(2);
    await environment.clock.pass(3_600_000);
    expect(session.state.get()).toEqual({ status: 'signed-in', personId: 'ada' });
  });

  it('SES-2: after sleep, in which no timer ran, the next call renews it first', async () => {
    const { environment, session, renewals } = await openStarted();
    const before = await session.bearer.token();
    environment.clock.sleep(10 * lifetime);
    expect(renewals()).toBe(1);
    expect(await session.bearer.token()).not.toBe(before);
    expect(renewals()).toBe(2);
  });

  it('SES-2: on return a token that is due is renewed at once', async () => {
    const { environment, tab, renewals } = await openStarted();
    tab.show();
    await settled();
    expect(renewals()).toBe(1);
    environment.clock.sleep(lifetime);
    tab.show();
    await settled();
    expect(renewals()).toBe(2);
  });

  it('SES-2: many calls that need a new token at once lead to one renewal', async () => {
    const { session, renewals } = await openStarted();
    const refused = await session.bearer.token();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => session.bearer.renewed(refused)));
    expect(new Set(tokens).size).toBe(1);
    expect(renewals()).toBe(2);
  });

  it('SES-2: ten tabs that need a new token at the same time ask once', async () => {
    const environment = createEnvironment();
    const tabs = await Promise.all(Array.from({ length: 10 }, () => openStarted(environment)));
    const started = environment.provider.tokens;
    const refused = await tabs[0]?.session.bearer.token();
    await Promise.all(tabs.map(({ session }) => session.bearer.renewed(refused ?? '')));
    expect(environment.provider.tokens - started).toBe(1);
    const held = await Promise.all(tabs.map(({ session }) => session.bearer.token()));
    expect(new Set(held).size).toBe(1);
  });

  it('SES-2: a tab that is frozen in the middle of a renewal does not stop the others', async () => {
    const environment = createEnvironment();
    const first = await openStarted(environment);
    const second = await openStarted(environment);
    const refused = await second.session.bearer.token();
    first.server.answerWith(() => later().promise);
    first.session.bearer.renewed(refused).catch(() => {});
    await settled();
    first.tab.freeze();
    const renewed = second.session.bearer.renewed(refused);
    await environment.clock.pass(3_000);
    expect(await renewed).not.toBe(refused);
  });

  it('SES-2: works without Web Locks', async () => {
    const { session } = await openStarted(createEnvironment(), { locks: false });
    expect(session.person.get()).toBe('ada');
  });

  it('SES-2: many calls that need a new token at once lead to one renewal, also without Web Locks', async () => {
    const { session, renewals } = await openStarted(createEnvironment(), { locks: false });
    const refused = await session.bearer.token();
    await Promise.all(Array.from({ length: 20 }, () => session.bearer.renewed(refused)));
    expect(renewals()).toBe(2);
  });

  it('SES-2: is not sent any more in the five seconds before it expires', async () => {
    const { environment, session, renewals } = await openStarted();
    environment.clock.sleep(lifetime - 5_001);
    await session.bearer.token();
    expect(renewals()).toBe(1);
    environment.clock.sleep(1);
    await session.bearer.token();
    expect(renewals()).toBe(2);
  });

  it('SES-2: an older token that another tab passes on late does not replace it', async () => {
    const environment = createEnvironment();
    const older = tokenMessage(environment.clock, 90);
    await environment.clock.pass(1_000);
    const tab = await openStarted(environment);
    const other = openTab(environment);
    const held = await tab.session.bearer.token();
    other.dependencies.broadcast.post({ ...older, receivedAt: environment.clock.now() });
    await settled();
    expect(await tab.session.bearer.token()).toBe(held);
  });

  it('SES-2: an early renewal postpones the next one', async () => {
    const { environment, session, renewals } = await openStarted();
    await environment.clock.pass(100_000);
    await session.bearer.renewed(await session.bearer.token());
    await environment.clock.pass(lifetime * 0.7);
    expect(renewals()).toBe(2);
  });

  it('SES-2: a renewal does not notify subscribers of the session', async () => {
    const { environment, session, renewals } = await openStarted();
    let news = 0;
    session.state.subscribe(() => (news += 1));
    await environment.clock.pass(2 * lifetime);
    expect([renewals() > 2, news]).toEqual([true, 0]);
  });

  it('MAINT-5: brings the time of the server', async () => {
    const { environment, dependencies } = await openStarted();
    expect(dependencies.serverClock.now() - environment.clock.now()).toBe(3_600_000);
  });

  it.each([
    ['of no known type', { type: 'tokens' }],
    ['without a token', { type: 'token', expiresAt: 1, serverTime: 1, receivedAt: 1 }],
    ['without the time when it came', { type: 'token', accessToken: 'a', expiresAt: 1, serverTime: 1 }],
    [
      'with a token of another type',
      { type: 'published', accessToken: 'a', expiresAt: 1, serverTime: 1, receivedAt: 1 },
    ],
  ])('SES-2: a message of another tab %s is ignored', (_case, data) => {
    expect(sessionMessage.safeParse(data).success).toBe(false);
  });
});

describe('a failed renewal', () => {
  it('SES-2: a network failure leaves the session in force and is retried, later each time', async () => {
    const { environment, server, session, renewals, recorded, went } = await openStarted();
    server.answerWith(() => new TypeError('Failed to fetch'));
    await environment.clock.pass(lifetime);
    expect(session.state.get()).toEqual({ status: 'signed-in', personId: 'ada' });
    const tries = renewals();
    expect(tries).toBeGreaterThan(3);
    await environment.clock.pass(600_000);
    expect(renewals() - tries).toBeLessThan(16);
    server.answerWith(environment.answer);
    await environment.clock.pass(90_000);
    expect(await session.bearer.token()).toMatch(/^h\./);
    expect(recorded()).toEqual(['session.renew']);
    expect(went).toEqual([]);
  });

  it.each([
    ['the network fails', () => new TypeError('Failed to fetch')],
    ['the server is in trouble', () => problemAnswer(500, 'INTERNAL')],
    ['there are too many', () => problemAnswer(429, 'TOO_MANY_REQUESTS')],
  ])('SES-2: at load, while %s, the tab is unreachable and retries', async (_case, failing) => {
    const tab = await openStarted(createEnvironment(), { answer: failing });
    const { environment } = tab;
    expect(tab.status()).toBe('unreachable');
    await expect(tab.session.bearer.token()).rejects.toMatchObject({ name: 'ProblemError' });
    tab.server.answerWith(environment.answer);
    await environment.clock.pass(10_000);
    expect(tab.status()).toBe('signed-in');
    expect(tab.went).toEqual([]);
  });

  it('SES-2: after a failure it tries again in 1, 2, 4 … seconds, each up to a quarter shorter or longer', async () => {
    const { environment, renewals } = await openStarted(createEnvironment(), {
      random: () => 0.9,
      answer: () => new TypeError('Failed to fetch'),
    });
    for (const [tries, wait] of [1_200, 2_400, 4_800].entries()) {
      await environment.clock.pass(wait - 1);
      expect(renewals()).toBe(tries + 1);
      await environment.clock.pass(1);
      expect(renewals()).toBe(tries + 2);
    }
  });

  it('SES-2: on return a renewal that failed is tried again at once, although the token is still good', async () => {
    const { tab, server, session, renewals } = await openStarted();
    server.answerWith(() => new TypeError('Failed to fetch'));
    await session.bearer.renewed(await session.bearer.token()).catch(() => {});
    tab.show();
    await settled();
    expect(renewals()).toBe(3);
  });

  it('SES-2: waits as long as the server asks', async () => {
    const environment = createEnvironment();
    const tab = openTab(environment);
    tab.server.answerWith(() => {
      const answer = problemAnswer(503, 'UNAVAILABLE');
      answer.headers.set('retry-after', '40');
      return answer;
    });
    tab.session.start();
    await environment.clock.pass(39_000);
    expect(tab.renewals()).toBe(1);
    await environment.clock.pass(2_000);
    expect(tab.renewals()).toBe(2);
  });

  it('SES-2: retry tries at once', async () => {
    const { environment, server, session, status } = await openStarted(createEnvironment(), {
      answer: () => new TypeError('Failed to fetch'),
    });
    server.answerWith(environment.answer);
    session.retry();
    await settled();
    expect(status()).toBe('signed-in');
  });
});

describe('the end of a session', () => {
  it('SES-1: without one it goes to the sign-in, and returns to this screen', async () => {
    const environment = createEnvironment();
    environment.provider.person = null;
    const { went, status } = await openStarted(environment);
    expect(went).toEqual([loginHere]);
    expect(status()).toBe('signed-out');
  });

  it('SES-8: a person who was blocked is signed out at the next renewal, and reads why on the same page', async () => {
    const { went, server, session } = await openStarted();
    server.answerWith(() => problemAnswer(403, 'PERSON_BLOCKED'));
    await session.bearer.renewed(await session.bearer.token()).catch(() => {});
    expect([session.state.get(), went]).toEqual([{ status: 'signed-out', reason: 'blocked' }, []]);
  });

  it.each(['blocked', 'erased'] as const)(
    'SES-8, BUG-10: when the server publishes that the person was %s, they read so, whatever it answers to the renewal',
    async (reason) => {
      const { environment, went, session } = await openStarted();
      environment.provider.person = null;
      session.publishedEnded(reason);
      await environment.clock.pass(2_000);
      expect([session.state.get(), went]).toEqual([{ status: 'signed-out', reason }, []]);
    },
  );

  it('SES-8: when the server publishes that it has ended, it is over in every tab as soon as the server has confirmed it', async () => {
    const environment = createEnvironment();
    const tabs = [await openStarted(environment), await openStarted(environment)];
    environment.provider.person = null;
    for (const { session } of tabs) session.publishedEnded('ended');
    await settled();
    expect(tabs.map(({ status, went }) => [status(), went])).toEqual([
      ['signed-out', []],
      ['signed-out', []],
    ]);
    await environment.clock.pass(1_000);
    expect(tabs.map(({ status, went }) => [status(), went])).toEqual([
      ['signed-out', [loginHere]],
      ['signed-out', [loginHere]],
    ]);
  });

  it('SES-8: the token of a renewal that was under way when the session ended is not used', async () => {
    const { environment, server, session, status } = await openStarted();
    const granted = later();
    server.answerWith(() => granted.promise);
    session.bearer.renewed(await session.bearer.token()).catch(() => {});
    await settled();
    session.publishedEnded('ended');
    server.answerWith(() => problemAnswer(403, 'PERSON_BLOCKED'));
    granted.resolve(json(tokenFor('ada', 9, environment.clock)));
    await settled();
    expect(status()).toBe('signed-out');
  });

  it('SES-8: the end of another session ends nothing, and nothing is sent with the token in doubt', async () => {
    const { environment, session, status, went } = await openStarted();
    const doubted = await session.bearer.token();
    session.publishedEnded('ended');
    expect(await session.bearer.token()).not.toBe(doubted);
    await environment.clock.pass(60_000);
    expect([status(), went]).toEqual(['signed-in', []]);
  });

  it('SES-1: a sign-in that ends the session before it is not disturbed by the page that it leaves', async () => {
    const environment = createEnvironment();
    const leaving = await openStarted(environment);
    environment.provider.person = null;
    leaving.session.publishedEnded('ended');
    await settled();
    expect(leaving.status()).toBe('signed-out');
    environment.provider.person = 'ada';
    await openStarted(environment);
    await environment.clock.pass(5_000);
    expect([leaving.status(), leaving.went]).toEqual(['signed-in', []]);
  });

  it('SES-8: an end that the server cannot confirm counts, and the page stays', async () => {
    const { environment, server, session, status, went } = await openStarted();
    server.answerWith(() => new TypeError('Failed to fetch'));
    session.publishedEnded('ended');
    await environment.clock.pass(4_999);
    expect(status()).toBe('signed-in');
    await environment.clock.pass(1);
    expect([session.state.get(), went]).toEqual([{ status: 'signed-out', reason: 'ended' }, []]);
    await environment.clock.pass(60_000);
    expect(went).toEqual([]);
  });

  it('SES-7: what the server publishes about a session that the person has ended already changes nothing', async () => {
    const environment = createEnvironment();
    const first = await openStarted(environment);
    const second = await openStarted(environment);
    await first.session.signOut();
    await settled();
    second.session.publishedEnded('blocked');
    await environment.clock.pass(10_000);
    expect(second.session.state.get()).toEqual(signedOut);
  });

  it('SES-1: a tab that starts again is not led to the sign-in before the answer', async () => {
    const { environment, tab, server, session, status, went } = await openStarted();
    environment.provider.person = null;
    session.publishedEnded('ended');
    await settled();
    const slow = later();
    server.answerWith(() => slow.promise);
    tab.show();
    await environment.clock.pass(2_000);
    expect([status(), went]).toEqual(['starting', []]);
  });

  it('SES-8: an end that could not be confirmed at first is withdrawn when the session goes on', async () => {
    const { environment, server, session, status } = await openStarted();
    server.answerWith(() => new TypeError('Failed to fetch'));
    session.publishedEnded('ended');
    await environment.clock.pass(500);
    server.answerWith(environment.answer);
    await environment.clock.pass(60_000);
    expect(status()).toBe('signed-in');
  });

  it('SES-8: when one tab finds the session ended, the others ask the server too', async () => {
    const environment = createEnvironment();
    const first = await openStarted(environment);
    const second = await openStarted(environment);
    environment.provider.person = null;
    await first.session.bearer.renewed(await first.session.bearer.token()).catch(() => {});
    await settled();
    expect([first.status(), second.status()]).toEqual(['signed-out', 'signed-out']);
    expect(second.went).toEqual([loginHere]);
  });

  it('SES-8: a tab with a session that goes on does not leave because of what another tab found', async () => {
    const environment = createEnvironment();
    const first = await openStarted(environment);
    const second = await openStarted(environment);
    first.dependencies.broadcast.post({ type: 'ended' });
    await settled();
    expect([second.status(), second.went]).toEqual(['signed-in', []]);
  });

  it('SES-1: a sign-in that leads back without a session is not repeated again and again', async () => {
    const environment = createEnvironment();
    environment.provider.person = null;
    const first = await openStarted(environment);
    expect(first.went).toHaveLength(1);
    const back = openTab(environment);
    back.dependencies.memory.write(
      'portico.left-for-sign-in',
      first.dependencies.memory.read('portico.left-for-sign-in'),
    );
    back.session.start();
    await settled();
    expect(back.went).toEqual([]);
    expect(back.session.state.get()).toEqual({ status: 'signed-out', reason: 'ended' });
    back.session.signIn();
    expect(back.went).toEqual([loginHere]);
  });

  it('SES-1: a session that ends soon after a good sign-in leads to the sign-in again', async () => {
    const environment = createEnvironment();
    const { session, went, dependencies } = await openStarted(environment, { visible: true });
    dependencies.memory.write('portico.left-for-sign-in', String(environment.clock.now()));
    await session.bearer.renewed(await session.bearer.token());
    environment.provider.person = null;
    await session.bearer.renewed(await session.bearer.token()).catch(() => {});
    expect(went).toEqual([loginHere]);
  });

  it('SES-1: a hidden tab stays where it is, and goes on when the person has signed in again', async () => {
    const { environment, tab, went, status, session } = await openStarted();
    tab.hide();
    environment.provider.person = null;
    await environment.clock.pass(lifetime);
    expect([status(), went]).toEqual(['signed-out', []]);
    environment.provider.person = 'ada';
    tab.show();
    await settled();
    expect([session.person.get(), went]).toEqual(['ada', []]);
  });

  it('SES-1: the sign-in shows a person who had a session that it has ended, until they are signed in', async () => {
    const environment = createEnvironment();
    environment.provider.person = null;
    expect(readSignInReason((await openStarted(environment)).dependencies.memory)).toBe(null);

    environment.provider.person = 'ada';
    const { session, went, dependencies } = await openStarted(environment, { visible: true });
    environment.provider.person = null;
    await session.bearer.renewed(await session.bearer.token()).catch(() => {});
    expect(went).toEqual([loginHere]);
    expect(readSignInReason(dependencies.memory)).toBe('session-ended');

    environment.provider.person = 'ada';
    const back = openTab(environment);
    storeSignInReason(back.dependencies.memory, 'session-ended');
    back.session.start();
    await settled();
    expect(readSignInReason(back.dependencies.memory)).toBe(null);
  });

  it('MAINT-3: on the maintenance page a session that ends does not lead to the sign-in, until maintenance is over', async () => {
    const environment = createEnvironment();
    let closed = true;
    const { went, status, session } = await openStarted(environment, { stays: () => closed });
    environment.provider.person = null;
    await environment.clock.pass(lifetime);
    expect([status(), went]).toEqual(['signed-out', []]);
    closed = false;
    session.retry();
    await settled();
    expect(went).toEqual([loginHere]);
  });

  it('SES-1: when another person signs in through another tab this one starts again', async () => {
    const environment = createEnvironment();
    const first = await openStarted(environment);
    environment.provider.person = 'bob';
    const second = await openStarted(environment);
    await settled();
    expect(second.session.person.get()).toBe('bob');
    expect(first.page.startedOver).toBe(1);
    expect(first.session.person.get()).toBeNull();
  });

  it("SES-1: a call of the previous person is not repeated with the next person's token", async () => {
    const { environment, session, page } = await openStarted();
    const refused = await session.bearer.token();
    environment.provider.person = 'bob';
    await expect(session.bearer.renewed(refused)).rejects.toMatchObject({ code: 'SESSION_ENDED' });
    expect(page.startedOver).toBe(1);
  });
});

describe('a tab whose session has ended', () => {
  it('SES-1: asks the server when another tab passes a token on, and not before it is visible', async () => {
    const environment = createEnvironment();
    const ended = await openStarted(environment);
    ended.tab.hide();
    environment.provider.person = null;
    await environment.clock.pass(lifetime);
    expect(ended.status()).toBe('signed-out');
    const asked = ended.renewals();
    environment.provider.person = 'ada';
    await openStarted(environment);
    await settled();
    expect([ended.status(), ended.renewals()]).toEqual(['signed-out', asked]);
    ended.tab.show();
    await settled();
    expect([ended.status(), ended.renewals()]).toEqual(['signed-in', asked + 1]);
  });

  it('SES-7: accepts no token that another tab passes on after the person has signed out', async () => {
    const environment = createEnvironment();
    const first = await openStarted(environment);
    const second = await openStarted(environment);
    await first.session.signOut();
    await settled();
    first.dependencies.broadcast.post(tokenMessage(environment.clock, 99));
    await settled();
    expect(second.session.state.get()).toEqual(signedOut);
    await expect(second.session.bearer.token()).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  });

  it('SES-7: shows that the person has signed out when they do so in another tab', async () => {
    const environment = createEnvironment();
    const ended = await openStarted(environment);
    const other = openTab(environment);
    environment.provider.person = null;
    await ended.session.bearer.renewed(await ended.session.bearer.token()).catch(() => {});
    expect(ended.session.state.get()).toEqual({ status: 'signed-out', reason: 'ended' });
    other.dependencies.broadcast.post({ type: 'signed-out', keptOf: null });
    await settled();
    expect(ended.session.state.get()).toEqual(signedOut);
  });
});

describe('why a session has ended', () => {
  it('SES-8: the server, shown the last token, reports it to the tabs, the hidden ones and the sign-in', async () => {
    const environment = createEnvironment();
    const [seen, hidden] = [await openStarted(environment), await openStarted(environment)];
    hidden.tab.hide();
    Object.assign(environment.provider, { person: null, ended: 'idle' });
    const held = await seen.session.bearer.token();
    await environment.clock.pass(lifetime);
    const asked = seen.server.received.filter(({ path }) => path === '/auth/token').at(-1);
    expect(asked?.headers.get('authorization')).toBe(`Bearer ${held}`);
    for (const { session } of [seen, hidden])
      expect(session.state.get()).toEqual({ status: 'signed-out', reason: 'idle' });
    expect([seen.went, readSignInReason(seen.dependencies.memory)]).toEqual([[loginHere], 'session-idle']);
    expect(hidden.went).toEqual([]);
  });

  it.each(['signed-out', 'provider'])(
    'SES-7: after %s the page stays and shows that, and no sign-in begins by itself',
    async (reason) => {
      const { environment, session, went } = await openStarted();
      Object.assign(environment.provider, { person: null, ended: reason });
      await environment.clock.pass(lifetime);
      expect([session.state.get(), went]).toEqual([{ status: 'signed-out', reason }, []]);
    },
  );

  it('SES-8: the reason from the stream holds unless the renewal gives a more exact one', async () => {
    for (const [published, answered, shown] of [
      ['password', null, 'password'],
      ['ended', 'lifetime', 'lifetime'],
      ['ended', 'unheard-of', 'ended'],
    ] as const) {
      const { environment, session } = await openStarted();
      Object.assign(environment.provider, { person: null, ended: answered });
      session.publishedEnded(published);
      await settled();
      expect(session.state.get()).toEqual({ status: 'signed-out', reason: shown });
    }
  });
});

describe('signing in again after a sign-out', () => {
  async function leftByOne(environment: ReturnType<typeof createEnvironment>) {
    const leaver = await openStarted(environment);
    const others = [await openStarted(environment), await openStarted(environment)] as const;
    await leaver.session.signOut();
    await settled();
    return others;
  }

  it('SES-1: signs the other tabs in automatically, a hidden one when it becomes visible', async () => {
    const environment = createEnvironment();
    const [seen, hidden] = await leftByOne(environment);
    hidden.tab.hide();
    Object.assign(environment.provider, { person: 'ada', session: 'second' });
    await openStarted(environment);
    await settled();
    expect([seen.session.person.get(), hidden.session.person.get()]).toEqual(['ada', null]);
    hidden.tab.show();
    await settled();
    expect(hidden.session.person.get()).toBe('ada');
    expect([seen.went, hidden.went, seen.page.startedOver]).toEqual([[], [], 0]);
  });

  it('SES-7: a token of the session that was left signs no one in, and a sign-in that ended at once leads nowhere', async () => {
    const environment = createEnvironment();
    const [seen] = await leftByOne(environment);
    const other = openTab(environment);
    const asked = seen.renewals();
    const pass = (session: string) =>
      other.dependencies.broadcast.post(tokenMessage(environment.clock, 98, session));
    pass('first');
    await settled();
    expect([seen.status(), seen.renewals()]).toEqual(['signed-out', asked]);
    environment.provider.ended = 'signed-out';
    pass('second');
    await settled();
    expect([seen.session.state.get(), seen.went]).toEqual([
      { status: 'signed-out', reason: 'signed-out' },
      [],
    ]);
  });

  it('SES-1: when it is another person every tab starts over, hidden or not, and explains it once', async () => {
    const environment = createEnvironment();
    const [seen, hidden] = await leftByOne(environment);
    hidden.tab.hide();
    Object.assign(environment.provider, { person: 'bob', session: 'second' });
    await openStarted(environment);
    await settled();
    expect([seen.page.startedOver, hidden.page.startedOver]).toEqual([1, 1]);
    expect([seen.session.person.get(), hidden.session.person.get()]).toEqual([null, null]);
    const next = createSession(seen.dependencies);
    expect([next.isOtherPerson, createSession(seen.dependencies).isOtherPerson]).toEqual([true, false]);
  });
});

describe('the map cookie', () => {
  it('SES-5: is set after sign-in and after each renewal, with that token', async () => {
    const { environment, server, session } = await openStarted();
    const first = await session.bearer.token();
    await environment.clock.pass(lifetime * 0.8);
    const second = await session.bearer.token();
    const sent = server.received.filter(({ path }) => path === '/cookies/token');
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([
      `Bearer ${first}`,
      `Bearer ${second}`,
    ]);
  });

  it('SES-5: its failure is recorded and blocks nothing', async () => {
    const environment = createEnvironment();
    const { status, recorded } = await openStarted(environment, {
      answer: (request) =>
        request.path === '/cookies/token' ? problemAnswer(500, 'INTERNAL') : environment.answer(request),
    });
    expect([status(), recorded()]).toEqual(['signed-in', ['session.map-cookie']]);
  });

  it('SES-6: outside production the same token goes to the develop geoserver too, with credentials', async () => {
    const environment = createEnvironment();
    const tab = await openStarted(environment, {
      develop: 'https://develop.test/geo',
      answer: (request) => (request.url.host === 'develop.test' ? nothing() : environment.answer(request)),
    });
    const token = await tab.session.bearer.token();
    expect(tab.server.calls()).toEqual([
      'POST /auth/token',
      'POST /cookies/token',
      'POST https://develop.test/geo/cookies/token',
    ]);
    const [, own, develop] = tab.server.received;
    expect(develop?.credentials).toBe('include');
    expect(develop?.headers.get('authorization')).toBe(`Bearer ${token}`);
    expect(own?.headers.get('authorization')).toBe(`Bearer ${token}`);
    expect(develop?.headers.has('x-time-offset')).toBe(false);
  });

  it.each([
    ['fails', () => new TypeError('Failed to fetch')],
    ['answers badly', () => new Response(null, { status: 502 })],
  ])('SES-6: a develop geoserver that %s is recorded and blocks nothing', async (_case, failing) => {
    const environment = createEnvironment();
    const { status, recorded } = await openStarted(environment, {
      develop: 'https://develop.test',
      answer: (request) => (request.url.host === 'develop.test' ? failing() : environment.answer(request)),
    });
    expect([status(), recorded()]).toEqual(['signed-in', ['session.develop-map-cookie']]);
  });

  it('SES-5: a failure that comes after the sign-out is not recorded', async () => {
    const environment = createEnvironment();
    const cookie = later();
    const { session, recorded } = await openStarted(environment, {
      answer: (request) =>
        request.path === '/cookies/token' && request.method === 'POST'
          ? cookie.promise
          : environment.answer(request),
    });
    await session.signOut();
    expect(recorded()).toEqual([]);
  });

  it('SES-6: in production nothing goes there', async () => {
    const { server } = await openStarted();
    expect(server.calls()).toEqual(['POST /auth/token', 'POST /cookies/token']);
  });
});

describe('sign-out', () => {
  it('SES-7: removes the map cookie, ends the session, then leaves for the address that the server gives', async () => {
    const { server, session, went, status } = await openStarted();
    server.received.length = 0;
    await session.signOut();
    expect(server.calls()).toEqual(['DELETE /cookies/token', 'POST /auth/logout']);
    expect(went).toEqual(['https://provider.test/end']);
    expect(status()).toBe('signing-out');
    await expect(session.bearer.token()).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  });

  it('SES-7: removes the map cookie with the token that it held, and asks for no new one', async () => {
    const { server, session, renewals } = await openStarted();
    const held = await session.bearer.token();
    await session.signOut();
    const removal = server.received.find(({ method }) => method === 'DELETE');
    expect(removal?.headers.get('authorization')).toBe(`Bearer ${held}`);
    expect(renewals()).toBe(1);
  });

  it('SES-7: a second request changes nothing', async () => {
    const { server, session, went } = await openStarted();
    await Promise.all([session.signOut(), session.signOut()]);
    await session.signOut();
    expect(server.calls().filter((call) => call === 'POST /auth/logout')).toHaveLength(1);
    expect(went).toEqual(['https://provider.test/end']);
  });

  it('SES-7: two tabs that sign out together both leave', async () => {
    const environment = createEnvironment();
    const tabs = [await openStarted(environment), await openStarted(environment)];
    await Promise.all(tabs.map(({ session }) => session.signOut()));
    await settled();
    expect(tabs.map(({ status, went }) => [status(), went])).toEqual([
      ['signing-out', ['https://provider.test/end']],
      ['signing-out', ['https://provider.test/end']],
    ]);
  });

  it('SES-7: goes on when the cookie cannot be removed within 3 s', async () => {
    const { environment, server, session, went } = await openStarted();
    server.answerWith((request) =>
      request.method === 'DELETE' ? later().promise : environment.answer(request),
    );
    const leaving = session.signOut();
    await environment.clock.pass(2_999);
    expect(server.calls()).not.toContain('POST /auth/logout');
    await environment.clock.pass(1);
    await leaving;
    expect(went).toEqual(['https://provider.test/end']);
  });

  it('SES-7: goes on when removing the cookie fails', async () => {
    const { environment, server, session, went } = await openStarted();
    server.answerWith((request) =>
      request.method === 'DELETE' ? problemAnswer(500, 'INTERNAL') : environment.answer(request),
    );
    await session.signOut();
    expect(went).toEqual(['https://provider.test/end']);
  });

  it('SES-7: a renewal in flight cannot bring the session back', async () => {
    const { environment, server, session, status } = await openStarted();
    const refused = await session.bearer.token();
    const answer = later();
    server.answerWith((request) =>
      request.path === '/auth/token' ? answer.promise : environment.answer(request),
    );
    const renewal = session.bearer.renewed(refused).catch((error: unknown) => error);
    await settled();
    const leaving = session.signOut();
    answer.resolve(json(tokenFor('ada', 99, environment.clock)));
    await leaving;
    expect(await renewal).toMatchObject({ code: 'SESSION_ENDED' });
    await environment.clock.pass(lifetime);
    expect(status()).toBe('signing-out');
    expect(server.calls().filter((call) => call === 'POST /cookies/token')).toHaveLength(1);
  });

  it('SES-7: stops renewals', async () => {
    const { environment, session, renewals } = await openStarted();
    await session.signOut();
    await environment.clock.pass(10 * lifetime);
    expect(renewals()).toBe(1);
  });

  it('SES-7: all tabs end signed out, none of them runs ahead to the sign-in', async () => {
    const environment = createEnvironment();
    const tabs = await Promise.all(Array.from({ length: 3 }, () => openStarted(environment)));
    const [first, ...others] = tabs;
    const leaving = first?.session.signOut();
    await settled();
    await leaving;
    const asked = tabs.map(({ renewals }) => renewals());
    for (const other of others) {
      expect(other.session.state.get()).toEqual(signedOut);
      expect(other.went).toEqual([]);
      other.tab.hide();
      other.tab.show();
    }
    await environment.clock.pass(10 * lifetime);
    expect(tabs.map(({ renewals }) => renewals())).toEqual(asked);
    expect(others.flatMap(({ went }) => went)).toEqual([]);
  });

  it("SES-7: another tab's renewal in flight signs no one in", async () => {
    const environment = createEnvironment();
    const leaver = await openStarted(environment);
    const renewer = await openStarted(environment);
    const watcher = await openStarted(environment);
    const refused = await renewer.session.bearer.token();
    const answer = later();
    renewer.server.answerWith((request) =>
      request.path === '/auth/token' ? answer.promise : environment.answer(request),
    );
    renewer.session.bearer.renewed(refused).catch(() => {});
    await settled();
    // The answer arrives in the other tab before the news that the session is over.
    answer.resolve(json(tokenFor('ada', 99, environment.clock)));
    await leaver.session.signOut();
    await settled();
    expect([leaver, renewer, watcher].map(({ session }) => session.person.get())).toEqual([null, null, null]);
    expect(watcher.renewals()).toBe(1);
  });

  it('SES-7: an end that cannot reach the server is not shown as done, and can be tried again', async () => {
    const { environment, server, session, went, status, recorded } = await openStarted();
    server.answerWith(() => new TypeError('Failed to fetch'));
    await session.signOut();
    expect(status()).toBe('sign-out-failed');
    expect(recorded()).toEqual(['session.map-cookie-removal', 'session.sign-out']);
    server.answerWith(environment.answer);
    await session.signOut();
    expect(went).toEqual(['https://provider.test/end']);
  });

  it('SES-7: a session that was already over ends as signed out here', async () => {
    const { server, session } = await openStarted();
    server.answerWith(({ method }) =>
      method === 'DELETE' ? nothing() : problemAnswer(401, 'SESSION_ENDED'),
    );
    await session.signOut();
    expect(session.state.get()).toEqual(signedOut);
  });

  it("SES-7: the browser's Back to a page that was left starts again", async () => {
    const { session, tab, page } = await openStarted();
    await session.signOut();
    tab.show();
    expect(page.reloads).toBe(1);
  });
});
