import { describe, expect, it } from 'vitest';
import { createApi } from '../../platform/call.ts';
import { openBroadcast } from '../../platform/broadcast.ts';
import { createErrorRecord } from '../../platform/record-error.ts';
import { createServerClock } from '../../platform/server-clock.ts';
import { leaveSignInNews, readSignInNews } from '../../platform/sign-in-news.ts';
import { createBrowser, type Browser } from '../../testing/browser.ts';
import {
  createFakeServer,
  json,
  later,
  nothing,
  problemAnswer,
  type Received,
} from '../../testing/fake-server.ts';
import { createManualClock, settled, type ManualClock } from '../../testing/manual-clock.ts';
import { createSession, readSessionMessage, type SessionEdges } from './session.ts';

const lifetime = 300_000;

/** A provider of sessions like the real one: a cookie shared by the tabs, a fresh token for each renewal. */
function createHouse() {
  const clock = createManualClock();
  const browser = createBrowser();
  const house = { person: 'ada' as string | null, tokens: 0 };
  const answer = ({ method, path }: Received) => {
    if (path === '/auth/token') {
      if (house.person === null) return problemAnswer(401, 'SESSION_ENDED');
      house.tokens += 1;
      return json(tokenFor(house.person, house.tokens, clock));
    }
    if (path === '/auth/logout') {
      house.person = null;
      return json({ next: 'https://provider.test/end' });
    }
    if (path === '/cookies/token' && (method === 'POST' || method === 'DELETE')) return nothing();
    throw new Error(`nobody answers ${method} ${path}`);
  };
  return { clock, browser, house, answer };
}

function tokenFor(person: string, number: number, clock: ManualClock) {
  const claims = btoa(JSON.stringify({ sub: person, jti: number }));
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
  } = {},
) {
  const tab = browser.openTab({ visible: more.visible ?? true });
  const server = createFakeServer(answer);
  const went: string[] = [];
  const page = { reloads: 0 };
  const errors = createErrorRecord(clock.now);
  const edges: SessionEdges = {
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
    broadcast: openBroadcast(tab.openChannel, 'session', readSessionMessage),
    presence: tab.presence,
    errors,
    memory: tab.memory,
    page: {
      address: () => '/map?layer=a#b',
      go: (address) => void went.push(address),
      reload: () => void (page.reloads += 1),
      stays: more.stays ?? (() => false),
    },
    geoserverDevelopUrl: more.develop ?? null,
  };
  const session = createSession(edges);
  return {
    tab,
    server,
    session,
    went,
    page,
    edges,
    status: () => session.state.get().status,
    recorded: () => errors.recorded.get().map(({ what }) => what),
    renewals: () => server.calls().filter((call) => call === 'POST /auth/token').length,
  };
}

async function openStarted(house: ReturnType<typeof createHouse>, more: Parameters<typeof openTab>[1] = {}) {
  const tab = openTab(house, more);
  tab.session.start();
  await settled();
  return tab;
}

const loginHere = `/auth/login?returnTo=${encodeURIComponent('/map?layer=a#b')}`;

describe('the token', () => {
  it('SES-2: is asked for at load, and every call waits for it', async () => {
    const { session, server } = await openStarted(createHouse());
    expect(session.state.get()).toEqual({ status: 'signed-in', personId: 'ada' });
    expect(server.calls()[0]).toBe('POST /auth/token');
    expect(await session.bearer.token()).toMatch(/^h\./);
    expect(server.calls().filter((call) => call === 'POST /auth/token')).toHaveLength(1);
  });

  it('SES-2: is renewed before it expires, whatever the clock of this computer says', async () => {
    const house = createHouse();
    const { renewals, session } = await openStarted(house);
    await house.clock.pass(lifetime * 0.7);
    expect(renewals()).toBe(1);
    await house.clock.pass(lifetime * 0.1);
    expect(renewals()).toBe(2);
    await house.clock.pass(3_600_000);
    expect(session.state.get()).toEqual({ status: 'signed-in', personId: 'ada' });
  });

  it('SES-2: after sleep, in which no timer ran, the next call renews it first', async () => {
    const house = createHouse();
    const { session, renewals } = await openStarted(house);
    const before = await session.bearer.token();
    house.clock.sleep(10 * lifetime);
    expect(renewals()).toBe(1);
    expect(await session.bearer.token()).not.toBe(before);
    expect(renewals()).toBe(2);
  });

  it('SES-2: on return a token that is due is renewed at once', async () => {
    const house = createHouse();
    const { tab, renewals } = await openStarted(house);
    tab.show();
    await settled();
    expect(renewals()).toBe(1);
    house.clock.sleep(lifetime);
    tab.show();
    await settled();
    expect(renewals()).toBe(2);
  });

  it('SES-2: many calls that need one at once lead to one renewal', async () => {
    const house = createHouse();
    const { session, renewals } = await openStarted(house);
    const refused = await session.bearer.token();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => session.bearer.renewed(refused)));
    expect(new Set(tokens).size).toBe(1);
    expect(renewals()).toBe(2);
  });

  it('SES-2: ten tabs that need one at the same moment ask once', async () => {
    const house = createHouse();
    const tabs = await Promise.all(Array.from({ length: 10 }, () => openStarted(house)));
    const started = house.house.tokens;
    const refused = await tabs[0]?.session.bearer.token();
    await Promise.all(tabs.map(({ session }) => session.bearer.renewed(refused ?? '')));
    expect(house.house.tokens - started).toBe(1);
    const held = await Promise.all(tabs.map(({ session }) => session.bearer.token()));
    expect(new Set(held).size).toBe(1);
  });

  it('SES-2: a tab that is frozen in the middle of a renewal does not stop the others', async () => {
    const house = createHouse();
    const first = await openStarted(house);
    const second = await openStarted(house);
    const refused = await second.session.bearer.token();
    first.server.answerWith(() => later().promise);
    first.session.bearer.renewed(refused).catch(() => {});
    await settled();
    first.tab.freeze();
    const renewed = second.session.bearer.renewed(refused);
    await house.clock.pass(3_000);
    expect(await renewed).not.toBe(refused);
  });

  it('SES-2: works without Web Locks', async () => {
    const { session } = await openStarted(createHouse(), { locks: false });
    expect(session.person.get()).toBe('ada');
  });

  it('SES-2: many calls that need one at once lead to one renewal, also without Web Locks', async () => {
    const { session, renewals } = await openStarted(createHouse(), { locks: false });
    const refused = await session.bearer.token();
    await Promise.all(Array.from({ length: 20 }, () => session.bearer.renewed(refused)));
    expect(renewals()).toBe(2);
  });

  it('SES-2: is not sent any more in the last five seconds of its life', async () => {
    const house = createHouse();
    const { session, renewals } = await openStarted(house);
    house.clock.sleep(lifetime - 5_001);
    await session.bearer.token();
    expect(renewals()).toBe(1);
    house.clock.sleep(1);
    await session.bearer.token();
    expect(renewals()).toBe(2);
  });

  it('SES-2: an older one that another tab passes on late does not replace it', async () => {
    const house = createHouse();
    const older = tokenFor('ada', 90, house.clock);
    await house.clock.pass(1_000);
    const tab = await openStarted(house);
    const other = openTab(house);
    const held = await tab.session.bearer.token();
    other.edges.broadcast.post({ type: 'token', ...older, receivedAt: house.clock.now() });
    await settled();
    expect(await tab.session.bearer.token()).toBe(held);
  });

  it('SES-2: one that came early puts the next renewal off', async () => {
    const house = createHouse();
    const { session, renewals } = await openStarted(house);
    await house.clock.pass(100_000);
    await session.bearer.renewed(await session.bearer.token());
    await house.clock.pass(lifetime * 0.7);
    expect(renewals()).toBe(2);
  });

  it('SES-2: a renewal is no news for what follows the session', async () => {
    const house = createHouse();
    const { session, renewals } = await openStarted(house);
    let news = 0;
    session.state.subscribe(() => (news += 1));
    await house.clock.pass(2 * lifetime);
    expect([renewals() > 2, news]).toEqual([true, 0]);
  });

  it('MAINT-5: brings the time of the server', async () => {
    const house = createHouse();
    const { edges } = await openStarted(house);
    expect(edges.serverClock.now() - house.clock.now()).toBe(3_600_000);
  });

  it.each([
    ['of no known type', { type: 'tokens' }],
    ['without a token', { type: 'token', expiresAt: 1, serverTime: 1, receivedAt: 1 }],
    ['without the time when it came', { type: 'token', accessToken: 'a', expiresAt: 1, serverTime: 1 }],
    [
      'with a token of another type',
      { type: 'told', accessToken: 'a', expiresAt: 1, serverTime: 1, receivedAt: 1 },
    ],
  ])('SES-2: a message of another tab %s is none', (_says, data) => {
    expect(readSessionMessage(data)).toBeNull();
  });
});

describe('trouble', () => {
  it('SES-2: a network failure keeps the session and is tried again, later each time', async () => {
    const house = createHouse();
    const { server, session, renewals, recorded, went } = await openStarted(house);
    server.answerWith(() => new TypeError('Failed to fetch'));
    await house.clock.pass(lifetime);
    expect(session.state.get()).toEqual({ status: 'signed-in', personId: 'ada' });
    const tries = renewals();
    expect(tries).toBeGreaterThan(3);
    await house.clock.pass(600_000);
    expect(renewals() - tries).toBeLessThan(16);
    server.answerWith(house.answer);
    await house.clock.pass(90_000);
    expect(await session.bearer.token()).toMatch(/^h\./);
    expect(recorded()).toEqual(['session.renew']);
    expect(went).toEqual([]);
  });

  it.each([
    ['the network fails', () => new TypeError('Failed to fetch')],
    ['the server is in trouble', () => problemAnswer(500, 'INTERNAL')],
    ['there are too many', () => problemAnswer(429, 'TOO_MANY_REQUESTS')],
  ])('SES-2: at load, while %s, it says so and goes on by itself', async (_says, failing) => {
    const house = createHouse();
    const tab = openTab(house);
    tab.server.answerWith(failing);
    tab.session.start();
    await settled();
    expect(tab.status()).toBe('unreachable');
    await expect(tab.session.bearer.token()).rejects.toMatchObject({ name: 'ProblemError' });
    tab.server.answerWith(house.answer);
    await house.clock.pass(10_000);
    expect(tab.status()).toBe('signed-in');
    expect(tab.went).toEqual([]);
  });

  it('SES-2: after a failure it tries again in 1, 2, 4 … seconds, each up to a quarter shorter or longer', async () => {
    const house = createHouse();
    const tab = openTab(house, { random: () => 0.9 });
    tab.server.answerWith(() => new TypeError('Failed to fetch'));
    tab.session.start();
    await settled();
    for (const [tries, wait] of [1_200, 2_400, 4_800].entries()) {
      await house.clock.pass(wait - 1);
      expect(tab.renewals()).toBe(tries + 1);
      await house.clock.pass(1);
      expect(tab.renewals()).toBe(tries + 2);
    }
  });

  it('SES-2: on return a renewal that failed is tried again at once, although the token is still good', async () => {
    const house = createHouse();
    const { tab, server, session, renewals } = await openStarted(house);
    server.answerWith(() => new TypeError('Failed to fetch'));
    await session.bearer.renewed(await session.bearer.token()).catch(() => {});
    tab.show();
    await settled();
    expect(renewals()).toBe(3);
  });

  it('SES-2: waits as long as the server asks', async () => {
    const house = createHouse();
    const tab = openTab(house);
    tab.server.answerWith(() => {
      const answer = problemAnswer(503, 'UNAVAILABLE');
      answer.headers.set('retry-after', '40');
      return answer;
    });
    tab.session.start();
    await house.clock.pass(39_000);
    expect(tab.renewals()).toBe(1);
    await house.clock.pass(2_000);
    expect(tab.renewals()).toBe(2);
  });

  it('SES-2: retry tries at once', async () => {
    const house = createHouse();
    const tab = openTab(house);
    tab.server.answerWith(() => new TypeError('Failed to fetch'));
    tab.session.start();
    await settled();
    tab.server.answerWith(house.answer);
    tab.session.retry();
    await settled();
    expect(tab.status()).toBe('signed-in');
  });
});

describe('the end of a session', () => {
  it('SES-1: without one the way leads to the sign-in and back to this screen', async () => {
    const house = createHouse();
    house.house.person = null;
    const { went, status } = await openStarted(house);
    expect(went).toEqual([loginHere]);
    expect(status()).toBe('signed-out');
  });

  it('SES-8: a person who was blocked is out at the next renewal, and reads why where they are', async () => {
    const house = createHouse();
    const { went, server, session } = await openStarted(house);
    server.answerWith(() => problemAnswer(403, 'PERSON_BLOCKED'));
    await session.bearer.renewed(await session.bearer.token()).catch(() => {});
    expect([session.state.get(), went]).toEqual([{ status: 'signed-out', reason: 'blocked' }, []]);
  });

  it.each(['blocked', 'erased'] as const)(
    'SES-8, BUG-10: when the server says that the person was %s, they read so, whatever it says to the renewal',
    async (reason) => {
      const house = createHouse();
      const { went, session } = await openStarted(house);
      house.house.person = null;
      session.toldEnded(reason);
      await house.clock.pass(2_000);
      expect([session.state.get(), went]).toEqual([{ status: 'signed-out', reason }, []]);
    },
  );

  it('SES-8: when the server says that it has ended, it is over in every tab as soon as the server has confirmed it', async () => {
    const house = createHouse();
    const tabs = [await openStarted(house), await openStarted(house)];
    house.house.person = null;
    for (const { session } of tabs) session.toldEnded('ended');
    await settled();
    expect(tabs.map(({ status, went }) => [status(), went])).toEqual([
      ['signed-out', []],
      ['signed-out', []],
    ]);
    await house.clock.pass(1_000);
    expect(tabs.map(({ status, went }) => [status(), went])).toEqual([
      ['signed-out', [loginHere]],
      ['signed-out', [loginHere]],
    ]);
  });

  it('SES-8: what a renewal brings that was under way when the session ended is not believed', async () => {
    const house = createHouse();
    const { server, session, status } = await openStarted(house);
    const granted = later();
    server.answerWith(() => granted.promise);
    session.bearer.renewed(await session.bearer.token()).catch(() => {});
    await settled();
    session.toldEnded('ended');
    server.answerWith(() => problemAnswer(403, 'PERSON_BLOCKED'));
    granted.resolve(json(tokenFor('ada', 9, house.clock)));
    await settled();
    expect(status()).toBe('signed-out');
  });

  it('SES-8: an end that is not of the session that goes on ends nothing, and sends nothing with the doubted token', async () => {
    const house = createHouse();
    const { session, status, went } = await openStarted(house);
    const doubted = await session.bearer.token();
    session.toldEnded('ended');
    expect(await session.bearer.token()).not.toBe(doubted);
    await house.clock.pass(60_000);
    expect([status(), went]).toEqual(['signed-in', []]);
  });

  it('SES-1: a sign-in that ends the session before it is not disturbed by the page that it leaves', async () => {
    const house = createHouse();
    const leaving = await openStarted(house);
    house.house.person = null;
    leaving.session.toldEnded('ended');
    await settled();
    expect(leaving.status()).toBe('signed-out');
    house.house.person = 'ada';
    await openStarted(house);
    await house.clock.pass(5_000);
    expect([leaving.status(), leaving.went]).toEqual(['signed-in', []]);
  });

  it('SES-8: an end that the server cannot confirm is one, and the page stays', async () => {
    const house = createHouse();
    const { server, session, status, went } = await openStarted(house);
    server.answerWith(() => new TypeError('Failed to fetch'));
    session.toldEnded('ended');
    await house.clock.pass(4_999);
    expect(status()).toBe('signed-in');
    await house.clock.pass(1);
    expect([session.state.get(), went]).toEqual([{ status: 'signed-out', reason: 'ended' }, []]);
    await house.clock.pass(60_000);
    expect(went).toEqual([]);
  });

  it('SES-7: what the server says of a session that the person has ended already changes nothing', async () => {
    const house = createHouse();
    const first = await openStarted(house);
    const second = await openStarted(house);
    await first.session.signOut();
    await settled();
    second.session.toldEnded('blocked');
    await house.clock.pass(10_000);
    expect(second.session.state.get()).toEqual({ status: 'signed-out', reason: 'signed-out' });
  });

  it('SES-1: a tab that begins anew is not led to the sign-in meanwhile', async () => {
    const house = createHouse();
    const { tab, server, session, status, went } = await openStarted(house);
    house.house.person = null;
    session.toldEnded('ended');
    await settled();
    const slow = later();
    server.answerWith(() => slow.promise);
    tab.show();
    await house.clock.pass(2_000);
    expect([status(), went]).toEqual(['starting', []]);
  });

  it('SES-8: an end that could not be confirmed at first is none when the session goes on', async () => {
    const house = createHouse();
    const { server, session, status } = await openStarted(house);
    server.answerWith(() => new TypeError('Failed to fetch'));
    session.toldEnded('ended');
    await house.clock.pass(500);
    server.answerWith(house.answer);
    await house.clock.pass(60_000);
    expect(status()).toBe('signed-in');
  });

  it('SES-8: when one tab finds the session ended, the others see for themselves', async () => {
    const house = createHouse();
    const first = await openStarted(house);
    const second = await openStarted(house);
    house.house.person = null;
    await first.session.bearer.renewed(await first.session.bearer.token()).catch(() => {});
    await settled();
    expect([first.status(), second.status()]).toEqual(['signed-out', 'signed-out']);
    expect(second.went).toEqual([loginHere]);
  });

  it('SES-8: a tab with a session that goes on is not led out by what another tab found', async () => {
    const house = createHouse();
    const first = await openStarted(house);
    const second = await openStarted(house);
    first.edges.broadcast.post({ type: 'ended' });
    await settled();
    expect([second.status(), second.went]).toEqual(['signed-in', []]);
  });

  it('SES-1: a sign-in that leads back without a session is not gone to again and again', async () => {
    const house = createHouse();
    house.house.person = null;
    const first = await openStarted(house);
    expect(first.went).toHaveLength(1);
    const back = openTab(house);
    back.edges.memory.write('portico.left-for-sign-in', first.edges.memory.read('portico.left-for-sign-in'));
    back.session.start();
    await settled();
    expect(back.went).toEqual([]);
    expect(back.session.state.get()).toEqual({ status: 'signed-out', reason: 'ended' });
    back.session.signIn();
    expect(back.went).toEqual([loginHere]);
  });

  it('SES-1: a session that ends soon after a good sign-in leads to the sign-in again', async () => {
    const house = createHouse();
    const { session, went, edges } = await openStarted(house, { visible: true });
    edges.memory.write('portico.left-for-sign-in', String(house.clock.now()));
    await session.bearer.renewed(await session.bearer.token());
    house.house.person = null;
    await session.bearer.renewed(await session.bearer.token()).catch(() => {});
    expect(went).toEqual([loginHere]);
  });

  it('SES-1: a tab that nobody looks at stays where it is, and goes on when the person has signed in again', async () => {
    const house = createHouse();
    const { tab, went, status, session } = await openStarted(house);
    tab.hide();
    house.house.person = null;
    await house.clock.pass(lifetime);
    expect([status(), went]).toEqual(['signed-out', []]);
    house.house.person = 'ada';
    tab.show();
    await settled();
    expect([session.person.get(), went]).toEqual(['ada', []]);
  });

  it('SES-1: the sign-in says that the session has ended to whoever had one, until they are signed in', async () => {
    const house = createHouse();
    house.house.person = null;
    expect(readSignInNews((await openStarted(house)).edges.memory)).toBe(null);

    house.house.person = 'ada';
    const { session, went, edges } = await openStarted(house, { visible: true });
    house.house.person = null;
    await session.bearer.renewed(await session.bearer.token()).catch(() => {});
    expect(went).toEqual([loginHere]);
    expect(readSignInNews(edges.memory)).toBe('session-ended');

    house.house.person = 'ada';
    const back = openTab(house);
    leaveSignInNews(back.edges.memory, 'session-ended');
    back.session.start();
    await settled();
    expect(readSignInNews(back.edges.memory)).toBe(null);
  });

  it('MAINT-3: on the maintenance page a session that ends leads nowhere, until it is over', async () => {
    const house = createHouse();
    let closed = true;
    const { went, status, session } = await openStarted(house, { stays: () => closed });
    house.house.person = null;
    await house.clock.pass(lifetime);
    expect([status(), went]).toEqual(['signed-out', []]);
    closed = false;
    session.retry();
    await settled();
    expect(went).toEqual([loginHere]);
  });

  it('SES-1: when somebody else signs in through another tab this one begins anew', async () => {
    const house = createHouse();
    const first = await openStarted(house);
    house.house.person = 'bob';
    const second = await openStarted(house);
    await settled();
    expect(second.session.person.get()).toBe('bob');
    expect(first.page.reloads).toBe(1);
    expect(first.session.person.get()).toBeNull();
  });

  it("SES-1: a call of the person before is not repeated with the next person's token", async () => {
    const house = createHouse();
    const { session, page } = await openStarted(house);
    const refused = await session.bearer.token();
    house.house.person = 'bob';
    await expect(session.bearer.renewed(refused)).rejects.toMatchObject({ code: 'SESSION_ENDED' });
    expect(page.reloads).toBe(1);
  });
});

describe('a tab whose session has ended', () => {
  it('SES-1: asks the server when another tab passes a token on, and not before somebody looks at it', async () => {
    const house = createHouse();
    const ended = await openStarted(house);
    ended.tab.hide();
    house.house.person = null;
    await house.clock.pass(lifetime);
    expect(ended.status()).toBe('signed-out');
    const asked = ended.renewals();
    house.house.person = 'ada';
    await openStarted(house);
    await settled();
    expect([ended.status(), ended.renewals()]).toEqual(['signed-out', asked]);
    ended.tab.show();
    await settled();
    expect([ended.status(), ended.renewals()]).toEqual(['signed-in', asked + 1]);
  });

  it('SES-7: takes no token that another tab passes on after the person has signed out', async () => {
    const house = createHouse();
    const first = await openStarted(house);
    const second = await openStarted(house);
    await first.session.signOut();
    await settled();
    first.edges.broadcast.post({
      type: 'token',
      ...tokenFor('ada', 99, house.clock),
      receivedAt: house.clock.now(),
    });
    await settled();
    expect(second.session.state.get()).toEqual({ status: 'signed-out', reason: 'signed-out' });
    await expect(second.session.bearer.token()).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  });

  it('SES-7: says that the person has signed out when they do so in another tab', async () => {
    const house = createHouse();
    const ended = await openStarted(house);
    const other = openTab(house);
    house.house.person = null;
    await ended.session.bearer.renewed(await ended.session.bearer.token()).catch(() => {});
    expect(ended.session.state.get()).toEqual({ status: 'signed-out', reason: 'ended' });
    other.edges.broadcast.post({ type: 'signed-out' });
    await settled();
    expect(ended.session.state.get()).toEqual({ status: 'signed-out', reason: 'signed-out' });
  });
});

describe('the map cookie', () => {
  it('SES-5: is set after sign-in and after each renewal, with that token', async () => {
    const house = createHouse();
    const { server, session } = await openStarted(house);
    const first = await session.bearer.token();
    await house.clock.pass(lifetime * 0.8);
    const second = await session.bearer.token();
    const sent = server.received.filter(({ path }) => path === '/cookies/token');
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([
      `Bearer ${first}`,
      `Bearer ${second}`,
    ]);
  });

  it('SES-5: its failure is recorded and blocks nothing', async () => {
    const house = createHouse();
    const tab = openTab(house);
    tab.server.answerWith((request) =>
      request.path === '/cookies/token' ? problemAnswer(500, 'INTERNAL') : house.answer(request),
    );
    tab.session.start();
    await settled();
    expect(tab.status()).toBe('signed-in');
    expect(tab.recorded()).toEqual(['session.map-cookie']);
  });

  it('SES-6: outside production the same token goes to the develop geoserver too, with credentials', async () => {
    const house = createHouse();
    const tab = openTab(house, { develop: 'https://develop.test/geo' });
    tab.server.answerWith((request) =>
      request.url.host === 'develop.test' ? nothing() : house.answer(request),
    );
    tab.session.start();
    await settled();
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
  ])('SES-6: a develop geoserver that %s is recorded and blocks nothing', async (_says, failing) => {
    const house = createHouse();
    const tab = openTab(house, { develop: 'https://develop.test' });
    tab.server.answerWith((request) =>
      request.url.host === 'develop.test' ? failing() : house.answer(request),
    );
    tab.session.start();
    await settled();
    expect(tab.status()).toBe('signed-in');
    expect(tab.recorded()).toEqual(['session.develop-map-cookie']);
  });

  it('SES-5: a failure that comes after the sign-out is not recorded', async () => {
    const house = createHouse();
    const tab = openTab(house);
    const cookie = later();
    tab.server.answerWith((request) =>
      request.path === '/cookies/token' && request.method === 'POST' ? cookie.promise : house.answer(request),
    );
    tab.session.start();
    await settled();
    await tab.session.signOut();
    expect(tab.recorded()).toEqual([]);
  });

  it('SES-6: in production nothing goes there', async () => {
    const { server } = await openStarted(createHouse());
    expect(server.calls()).toEqual(['POST /auth/token', 'POST /cookies/token']);
  });
});

describe('sign-out', () => {
  it('SES-7: removes the map cookie, ends the session, then leaves for where the server says', async () => {
    const { server, session, went, status } = await openStarted(createHouse());
    server.received.length = 0;
    await session.signOut();
    expect(server.calls()).toEqual(['DELETE /cookies/token', 'POST /auth/logout']);
    expect(went).toEqual(['https://provider.test/end']);
    expect(status()).toBe('signing-out');
    await expect(session.bearer.token()).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  });

  it('SES-7: removes the map cookie with the token that it held, and asks for no new one', async () => {
    const { server, session, renewals } = await openStarted(createHouse());
    const held = await session.bearer.token();
    await session.signOut();
    const removal = server.received.find(({ method }) => method === 'DELETE');
    expect(removal?.headers.get('authorization')).toBe(`Bearer ${held}`);
    expect(renewals()).toBe(1);
  });

  it('SES-7: asked for twice it happens once', async () => {
    const { server, session, went } = await openStarted(createHouse());
    await Promise.all([session.signOut(), session.signOut()]);
    await session.signOut();
    expect(server.calls().filter((call) => call === 'POST /auth/logout')).toHaveLength(1);
    expect(went).toEqual(['https://provider.test/end']);
  });

  it('SES-7: two tabs that sign out together both leave', async () => {
    const house = createHouse();
    const tabs = [await openStarted(house), await openStarted(house)];
    await Promise.all(tabs.map(({ session }) => session.signOut()));
    await settled();
    expect(tabs.map(({ status, went }) => [status(), went])).toEqual([
      ['signing-out', ['https://provider.test/end']],
      ['signing-out', ['https://provider.test/end']],
    ]);
  });

  it('SES-7: goes on when the cookie cannot be removed within 3 s', async () => {
    const house = createHouse();
    const { server, session, went } = await openStarted(house);
    server.answerWith((request) => (request.method === 'DELETE' ? later().promise : house.answer(request)));
    const leaving = session.signOut();
    await house.clock.pass(2_999);
    expect(server.calls()).not.toContain('POST /auth/logout');
    await house.clock.pass(1);
    await leaving;
    expect(went).toEqual(['https://provider.test/end']);
  });

  it('SES-7: goes on when removing the cookie fails', async () => {
    const house = createHouse();
    const { server, session, went } = await openStarted(house);
    server.answerWith((request) =>
      request.method === 'DELETE' ? problemAnswer(500, 'INTERNAL') : house.answer(request),
    );
    await session.signOut();
    expect(went).toEqual(['https://provider.test/end']);
  });

  it('SES-7: a renewal in flight cannot bring the session back', async () => {
    const house = createHouse();
    const { server, session, status } = await openStarted(house);
    const refused = await session.bearer.token();
    const answer = later();
    server.answerWith((request) => (request.path === '/auth/token' ? answer.promise : house.answer(request)));
    const renewal = session.bearer.renewed(refused).catch((error: unknown) => error);
    await settled();
    const leaving = session.signOut();
    answer.resolve(json(tokenFor('ada', 99, house.clock)));
    await leaving;
    expect(await renewal).toMatchObject({ code: 'SESSION_ENDED' });
    await house.clock.pass(lifetime);
    expect(status()).toBe('signing-out');
    expect(server.calls().filter((call) => call === 'POST /cookies/token')).toHaveLength(1);
  });

  it('SES-7: stops renewals', async () => {
    const house = createHouse();
    const { session, renewals } = await openStarted(house);
    await session.signOut();
    await house.clock.pass(10 * lifetime);
    expect(renewals()).toBe(1);
  });

  it('SES-7: all tabs end signed out, none of them runs ahead to the sign-in', async () => {
    const house = createHouse();
    const tabs = await Promise.all(Array.from({ length: 3 }, () => openStarted(house)));
    const [first, ...others] = tabs;
    const leaving = first?.session.signOut();
    await settled();
    await leaving;
    const asked = tabs.map(({ renewals }) => renewals());
    for (const other of others) {
      expect(other.session.state.get()).toEqual({ status: 'signed-out', reason: 'signed-out' });
      expect(other.went).toEqual([]);
      other.tab.hide();
      other.tab.show();
    }
    await house.clock.pass(10 * lifetime);
    expect(tabs.map(({ renewals }) => renewals())).toEqual(asked);
    expect(others.flatMap(({ went }) => went)).toEqual([]);
  });

  it("SES-7: another tab's renewal in flight brings nobody back", async () => {
    const house = createHouse();
    const leaver = await openStarted(house);
    const renewer = await openStarted(house);
    const watcher = await openStarted(house);
    const refused = await renewer.session.bearer.token();
    const answer = later();
    renewer.server.answerWith((request) =>
      request.path === '/auth/token' ? answer.promise : house.answer(request),
    );
    renewer.session.bearer.renewed(refused).catch(() => {});
    await settled();
    // The answer arrives in the other tab before the news that the session is over.
    answer.resolve(json(tokenFor('ada', 99, house.clock)));
    await leaver.session.signOut();
    await settled();
    expect([leaver, renewer, watcher].map(({ session }) => session.person.get())).toEqual([null, null, null]);
    expect(watcher.renewals()).toBe(1);
  });

  it('SES-7: an end that the server cannot be told of is not shown as done, and can be tried again', async () => {
    const house = createHouse();
    const { server, session, went, status, recorded } = await openStarted(house);
    server.answerWith(() => new TypeError('Failed to fetch'));
    await session.signOut();
    expect(status()).toBe('sign-out-failed');
    expect(recorded()).toEqual(['session.map-cookie-removal', 'session.sign-out']);
    server.answerWith(house.answer);
    await session.signOut();
    expect(went).toEqual(['https://provider.test/end']);
  });

  it('SES-7: where the session was already over it ends signed out here', async () => {
    const house = createHouse();
    const { server, session } = await openStarted(house);
    server.answerWith(({ method }) =>
      method === 'DELETE' ? nothing() : problemAnswer(401, 'SESSION_ENDED'),
    );
    await session.signOut();
    expect(session.state.get()).toEqual({ status: 'signed-out', reason: 'signed-out' });
  });

  it("SES-7: the browser's Back to a page that was left begins anew", async () => {
    const { session, tab, page } = await openStarted(createHouse());
    await session.signOut();
    tab.show();
    expect(page.reloads).toBe(1);
  });
});
