import { expect, it, vi } from 'vitest';
import { createApi } from '../platform/calls/call.ts';
import { createServerClock } from '../platform/time/server-clock.ts';
import { createStore } from '../platform/state/store.ts';
import { openBroadcast } from '../platform/tabs/broadcast.ts';
import { createBrowser } from '../testing/browser.ts';
import { createFakeServer, json } from '../testing/fake-server.ts';
import { createManualClock, settled } from '../testing/manual-clock.ts';
import { createEmbedStatus, embedStatusMessage } from './page.ts';
import { createEmbedSession } from './session.ts';

// The address of the script, which a test does not have.
vi.mock('./base.ts', () => ({ address: 'https://portico.test/portico', base: '/portico' }));

/** A page in which a person is signed in, and a server that refuses to renew its token. */
function createPage(problem: object) {
  const clock = createManualClock();
  const serverClock = createServerClock(clock.now, { serverTime: clock.now(), sentAt: 0, receivedAt: 1e9 });
  const ask = vi.fn<() => void>();
  const server = createFakeServer(() => json(problem, { status: 401 }));
  const session = createEmbedSession({
    api: () => api,
    clock,
    serverClock,
    ask,
    locks: undefined,
    go: () => {},
  });
  const api = createApi({ fetch: server.fetch, bearer: session.bearer, timeOffset: () => null });
  const now = clock.now();
  session.found('mia', { accessToken: 't1', expiresAt: now + 300_000, serverTime: now });
  return { clock, session, server, ask };
}

const refusal = (code: string, reason?: string) => ({ type: 'p', title: 't', status: 401, code, reason });

it.each([
  [refusal('SESSION_ENDED', 'idle'), 'idle'],
  [refusal('SESSION_ENDED', 'lifetime'), 'lifetime'],
  [refusal('SESSION_ENDED'), 'ended'],
  [refusal('SESSION_ENDED', 'of another release'), 'ended'],
  [refusal('PERSON_BLOCKED'), 'blocked'],
])('SES-8: a page of an application knows why its session has ended: %j', async (problem, reason) => {
  const { clock, session, server, ask } = createPage(problem);
  await clock.pass(301_000);
  await expect(session.bearer.token()).rejects.toMatchObject({ code: problem.code });
  expect(server.received.at(-1)?.headers.get('authorization')).toBe('Bearer t1');
  expect(ask).toHaveBeenCalledOnce();
  expect(session.state.get()).toEqual({ status: 'signed-in', personId: 'mia' });
  session.found(null, null);
  expect(session.state.get()).toEqual({ status: 'signed-out', reason });
  await settled();
});

it('SES-8: what the server has published counts, and no token is sent any more', async () => {
  const { session } = createPage(refusal('SESSION_ENDED', 'idle'));
  session.publishedEnded('operator');
  session.found(null, null);
  expect(session.state.get()).toEqual({ status: 'signed-out', reason: 'operator' });
  await expect(session.bearer.token()).rejects.toMatchObject({ code: 'SESSION_ENDED' });
});

it('GATE-3: without events the leading tab asks every 15 s, and the others ask nothing while it does', async () => {
  const [clock, browser] = [createManualClock(), createBrowser()];
  const off = { mode: 'off', text: '', texts: {}, severity: 'INFO', expectedEnd: null, since: null };
  const answer = {
    user: { id: 'mia', email: 'm', firstName: '', lastName: '', language: null, timeZone: null },
    token: null,
    rights: [],
    rightLabels: {},
    flags: {},
    maintenance: { ...off, upcoming: null, returnWithin: 0, changedAt: 5, serverTime: 5 },
    branding: { product: 'P', css: null },
    provider: null,
    reports: true,
    eventId: '1',
    language: 'en',
    release: '1',
  };
  const open = (leads: boolean) => {
    const { openChannel, ...tab } = browser.openTab();
    const server = createFakeServer(() => json(answer));
    createEmbedStatus({
      ...tab,
      api: server.api(),
      clock,
      leader: createStore(leads),
      connected: createStore(false),
      serverClock: createServerClock(clock.now, { serverTime: 0, sentAt: 0, receivedAt: 1 }),
      broadcast: openBroadcast(openChannel, 'embed', embedStatusMessage),
      onAnswer() {},
      onError() {},
    });
    return server.received;
  };
  const [leading, other] = [open(true), open(false)];
  await clock.pass(600_000);
  expect([leading.length > 35, other.length < 3]).toEqual([true, true]);
});
