import { expect, it } from 'vitest';
import { createApi } from '../../platform/call.ts';
import { createErrorRecord } from '../../platform/record-error.ts';
import { createStore } from '../../platform/store.ts';
import { createBrowser } from '../../testing/browser.ts';
import { createFakeServer, json, later, problemAnswer } from '../../testing/fake-server.ts';
import { createManualClock, settled } from '../../testing/manual-clock.ts';
import { createOwnProfile } from './profile.ts';

const ada = {
  id: 'ada',
  email: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '',
  organisation: '',
  jobTitle: '',
  locale: null,
  timeZone: 'Europe/Berlin' as string | null,
  avatar: null,
  createdAt: 0,
  version: 1,
};

function setUp(at = '2026-07-01T12:00Z') {
  const clock = createManualClock(Date.parse(at));
  const tab = createBrowser().openTab();
  const server = createFakeServer(() => json(ada));
  const person = createStore<string | null>(null);
  const errors = createErrorRecord(clock.now);
  const api = createApi({
    fetch: server.fetch,
    bearer: { token: () => Promise.resolve('t'), renewed: () => Promise.resolve('t') },
    timeOffset: () => profile.timeOffset(),
  });
  const profile = createOwnProfile({ api, clock, person, presence: tab.presence, errors });
  return {
    clock,
    tab,
    server,
    person,
    profile,
    recorded: () => errors.recorded.get().map(({ what }) => what),
  };
}

it('PRO-2: goes from pending to success', async () => {
  const { server, person, profile } = setUp();
  const answer = later();
  server.answerWith(() => answer.promise);
  person.set('ada');
  expect(profile.state.get()).toEqual({ status: 'pending', currentUser: null });
  answer.resolve(json(ada));
  await settled();
  expect(profile.state.get()).toEqual({ status: 'success', currentUser: ada });
  expect(server.calls()).toEqual(['GET /v1/users/current/profile']);
});

it('PRO-2: goes from pending to error, recorded, and yields null', async () => {
  const { server, person, profile, recorded } = setUp();
  server.answerWith(() => problemAnswer(500, 'INTERNAL'));
  person.set('ada');
  await settled();
  expect(profile.state.get()).toEqual({ status: 'error', currentUser: null });
  expect(recorded()).toEqual(['profile.load']);
});

it('PRO-2: after an error it is loaded again when the person or the network comes back', async () => {
  const { server, person, profile, tab } = setUp();
  server.answerWith(() => new TypeError('Failed to fetch'));
  person.set('ada');
  await settled();
  server.answerWith(() => json(ada));
  tab.show();
  await settled();
  expect(profile.currentUser.get()).toEqual(ada);
  tab.show();
  await settled();
  expect(server.received).toHaveLength(2);
});

it('PRO-2: is forgotten when the person leaves, and an answer that comes late is not shown', async () => {
  const { server, person, profile, recorded } = setUp();
  const answer = later();
  server.answerWith(() => answer.promise);
  person.set('ada');
  await settled();
  person.set(null);
  answer.resolve(json(ada));
  await settled();
  expect(profile.state.get()).toEqual({ status: 'pending', currentUser: null });
  expect(recorded()).toEqual([]);
});

it('PRO-3: every call after the load carries the offset of that moment, none before it', async () => {
  const { clock, server, person, profile } = setUp('2026-10-24T12:00Z');
  person.set('ada');
  await settled();
  await profile.reload();
  await clock.pass(24 * 3_600_000);
  await profile.reload();
  const sent = server.received.map(({ headers }) => headers.get('x-time-offset'));
  expect(sent).toEqual([null, '120', '60']);
});

it("PRO-3: where the profile has no time zone it is the browser's", async () => {
  const { clock, server, person, profile } = setUp();
  server.answerWith(() => json({ ...ada, timeZone: null }));
  person.set('ada');
  await settled();
  expect(profile.timeOffset()).toBe(0 - new Date(clock.now()).getTimezoneOffset());
});
