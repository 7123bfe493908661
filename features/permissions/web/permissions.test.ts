import { setMapCookie } from '#features/session/contract/session.ts';
import { describe, expect, it } from 'vitest';
import { openBroadcast } from '#web/platform/tabs/broadcast.ts';
import { createErrorRecord } from '#web/platform/record-error.ts';
import { createSignal, createStore } from '#web/platform/state/store.ts';
import { createBrowser, type Browser } from '#web/testing/browser.ts';
import { createFakeServer, json, later, problemAnswer, type Received } from '#web/testing/fake-server.ts';
import { createManualClock, settled, type ManualClock } from '#web/testing/manual-clock.ts';
import { readMessage, stillUnread } from './rights-change.ts';
import { createPermissions, permissionsMessage } from './permissions.ts';

type Environment = {
  clock: ManualClock;
  browser: Browser;
  rights: string[];
  answer: (request: Pick<Received, 'headers'>) => Response;
};

function createEnvironment(rights: string[] = ['A', 'B']): Environment {
  const environment: Environment = {
    clock: createManualClock(),
    browser: createBrowser(),
    rights,
    answer({ headers }) {
      const etag = `"${environment.rights.join()}"`;
      return headers.get('if-none-match') === etag
        ? new Response(null, { status: 304 })
        : json(environment.rights, { headers: { etag } });
    },
  };
  return environment;
}

function openTab(environment: Environment, { leads = true, localFlags = [] as string[] } = {}) {
  const tab = environment.browser.openTab();
  const server = createFakeServer(environment.answer);
  const api = server.api();
  const person = createStore<string | null>(null);
  const leader = createStore(leads);
  const features = createStore<Record<string, { defaultValue?: unknown }>>({});
  let screens = 0;
  // The same error on the same screen would be recorded once.
  const errors = createErrorRecord(environment.clock.now, () => `/${(screens += 1)}`);
  const pushed = createSignal<number>();
  const permissions = createPermissions({
    api,
    clock: environment.clock,
    random: () => 0.5,
    person,
    leader,
    presence: tab.presence,
    broadcast: openBroadcast(tab.openChannel, 'permissions', permissionsMessage),
    reads: openBroadcast(tab.openChannel, 'rights-read', readMessage),
    errors,
    live: { onRights: pushed.subscribe },
    localFlags,
    features,
  });
  return {
    tab,
    server,
    api,
    person,
    leader,
    features,
    push: pushed.publish,
    permissions,
    rights: () => permissions.state.get().rights,
    change: () => permissions.change.get(),
    polls: () => server.received.length,
    recorded: () => errors.recorded.get().map(({ what }) => what),
  };
}

async function openSignedIn(
  environment: Environment = createEnvironment(),
  options: Parameters<typeof openTab>[1] = {},
) {
  const tab = openTab(environment, options);
  tab.person.set('ada');
  await settled();
  return { ...tab, environment };
}

const minute = 60_000;
const down = () => new TypeError('Failed to fetch');

describe('loading and polling', () => {
  it('RIGHT-5 §9: loads after sign-in, then every 60000 ms', async () => {
    const environment = createEnvironment();
    const tab = openTab(environment);
    await environment.clock.pass(minute);
    expect(tab.polls()).toBe(0);
    tab.person.set('ada');
    await settled();
    expect(tab.server.calls()).toEqual(['GET /v2/users/current/permissions']);
    expect(tab.permissions.state.get()).toEqual({ status: 'success', rights: ['A', 'B'] });
    await environment.clock.pass(59_999);
    expect(tab.polls()).toBe(1);
    await environment.clock.pass(2 * minute + 1);
    expect(tab.polls()).toBe(4);
  });

  it('RIGHT-1: polls with the ETag that it holds', async () => {
    const { environment, server, rights } = await openSignedIn();
    await environment.clock.pass(minute);
    expect(server.received.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"A,B"']);
    expect(rights()).toEqual(['A', 'B']);
  });

  it('RIGHT-5: polls at once after a call was refused for a missing right, but not for each of many', async () => {
    const { environment, api, server, change, polls } = await openSignedIn();
    server.answerWith(({ method }) =>
      method === 'POST' ? problemAnswer(403, 'RIGHT_MISSING') : json(environment.rights),
    );
    const isRefused = (times: number) =>
      Promise.all(Array.from({ length: times }, () => api.call(setMapCookie, {}).catch(() => {})));
    environment.rights = ['A'];
    await isRefused(1);
    await environment.clock.pass(0);
    expect(change()).toEqual({ gained: [], lost: ['B'] });
    const before = polls();
    await isRefused(20);
    await environment.clock.pass(5_000);
    expect(polls() - before - 20).toBe(1);
  });

  it('RIGHT-5: polls as soon as the server publishes that they have changed, spread where it concerns many', async () => {
    const environment = createEnvironment();
    const tab = await openSignedIn(environment);
    environment.rights = ['A', 'C'];
    tab.push(0);
    await environment.clock.pass(0);
    expect(tab.change()).toEqual({ gained: ['C'], lost: ['B'] });
    environment.rights = ['A'];
    tab.push(8_000);
    // Another event before the first is answered.
    tab.push(8_000);
    await environment.clock.pass(3_999);
    expect(tab.rights()).toEqual(['A', 'C']);
    await environment.clock.pass(1);
    expect([tab.rights(), tab.polls()]).toEqual([['A'], 3]);
  });

  it('RIGHT-5: a published change is asked for until it is known', async () => {
    const environment = createEnvironment();
    const tab = await openSignedIn(environment);
    const { answer } = environment;
    tab.server.answerWith(down);
    environment.rights = ['A'];
    tab.push(0);
    await environment.clock.pass(9_000);
    expect([tab.rights(), tab.polls()]).toEqual([['A', 'B'], 3]);
    tab.server.answerWith(answer);
    await environment.clock.pass(11_000);
    expect(tab.rights()).toEqual(['A']);
    const polls = tab.polls();
    await environment.clock.pass(50_000);
    expect(tab.polls()).toBe(polls);
  });

  it('RIGHT-5: of many tabs that receive it one asks; the others only where it does not answer', async () => {
    const environment = createEnvironment();
    const leading = await openSignedIn(environment);
    const other = await openSignedIn(environment, { leads: false });
    const asked = other.polls();
    environment.rights = ['A'];
    leading.push(0);
    other.push(0);
    await environment.clock.pass(3_000);
    expect([leading.rights(), other.rights(), other.polls()]).toEqual([['A'], ['A'], asked]);

    leading.tab.freeze();
    environment.rights = [];
    other.push(0);
    await environment.clock.pass(3_000);
    expect([other.rights(), other.polls()]).toEqual([[], asked + 1]);
  });

  it('§8 Permissions load failure: returns an empty list, is recorded, and what was good stays in force (RIGHT-5)', async () => {
    const { server, permissions, rights, recorded } = await openSignedIn();
    expect(await permissions.loadPermissions()).toEqual(['A', 'B']);
    server.answerWith(() => problemAnswer(500, 'INTERNAL'));
    expect(await permissions.loadPermissions()).toEqual([]);
    expect(rights()).toEqual(['A', 'B']);
    expect(recorded()).toEqual(['permissions.load']);
    expect(await permissions.loadPermissions()).toEqual([]);
    expect(recorded(), 'recorded again while it goes on').toEqual(['permissions.load']);
    server.answerWith(() => json(['A', 'B']));
    await permissions.loadPermissions();
    server.answerWith(() => problemAnswer(500, 'INTERNAL'));
    await permissions.loadPermissions();
    expect(recorded()).toHaveLength(2);
  });

  it('RIGHT-5: a failed re-poll is no change, and neither is the same list after it', async () => {
    const { environment, server, rights, change, permissions } = await openSignedIn();
    server.answerWith(down);
    await environment.clock.pass(2 * minute);
    expect([rights(), change(), permissions.state.get().status]).toEqual([['A', 'B'], null, 'success']);
    server.answerWith(() => json(['A', 'B']));
    await environment.clock.pass(minute);
    expect(change()).toBeNull();
  });

  it('RIGHT-5: an empty list is not a failure', async () => {
    const { environment, rights, change } = await openSignedIn();
    environment.rights = [];
    await environment.clock.pass(minute);
    expect(rights()).toEqual([]);
    expect(change()).toEqual({ gained: [], lost: ['A', 'B'] });
  });

  it('RIGHT-5: the first success after a failed first load is no change, and comes soon', async () => {
    const environment = createEnvironment();
    const tab = openTab(environment);
    tab.server.answerWith(down);
    tab.person.set('ada');
    await settled();
    expect(tab.permissions.state.get()).toEqual({ status: 'error', rights: [] });
    tab.server.answerWith(() => json(['A']));
    await environment.clock.pass(6_000);
    expect([tab.rights(), tab.change()]).toEqual([['A'], null]);
  });

  it('SES-7: stops and forgets when the person leaves', async () => {
    const { environment, person, permissions, polls, server, change } = await openSignedIn();
    person.set(null);
    await environment.clock.pass(5 * minute);
    expect(polls()).toBe(1);
    expect(permissions.can.get()('A')).toBe(false);
    environment.rights = ['ROOT'];
    person.set('bob');
    await settled();
    expect(permissions.state.get().rights).toEqual(['ROOT']);
    expect([server.received[1]?.headers.get('if-none-match'), change()]).toEqual([null, null]);
  });
});

describe('many tabs', () => {
  it('RIGHT-5: of many tabs one polls, and all receive its list', async () => {
    const environment = createEnvironment();
    const leading = await openSignedIn(environment);
    const others = await Promise.all([1, 2, 3].map(() => openSignedIn(environment, { leads: false })));
    environment.rights = ['A'];
    await environment.clock.pass(5 * minute);
    expect(leading.polls()).toBe(6);
    for (const other of others) {
      expect(other.polls()).toBe(1);
      expect([other.rights(), other.change()]).toEqual([['A'], { gained: [], lost: ['B'] }]);
    }
  });

  it("RIGHT-5: another person's list is ignored", async () => {
    const environment = createEnvironment();
    const tab = await openSignedIn(environment, { leads: false });
    const other = openTab(environment);
    other.server.answerWith(() => json(['ROOT']));
    other.person.set('bob');
    await settled();
    expect(other.rights()).toEqual(['ROOT']);
    expect(tab.rights()).toEqual(['A', 'B']);
  });

  it('RIGHT-5: an answer for the previous person is ignored', async () => {
    const environment = createEnvironment();
    const tab = await openSignedIn(environment);
    const slow = later();
    tab.server.answerWith(() => slow.promise);
    const loading = tab.permissions.loadPermissions();
    tab.server.answerWith(() => json(['B']));
    tab.person.set(null);
    tab.person.set('bob');
    await settled();
    slow.resolve(json(['ROOT']));
    expect(await loading).toEqual([]);
    expect([tab.rights(), tab.change()]).toEqual([['B'], null]);
  });

  it('RIGHT-5: a load that fails after the person has left is neither recorded nor shown', async () => {
    const environment = createEnvironment();
    const tab = openTab(environment);
    const slow = later();
    tab.server.answerWith(() => slow.promise);
    tab.person.set('ada');
    await settled();
    tab.person.set(null);
    await settled();
    expect([tab.permissions.state.get().status, tab.recorded()]).toEqual(['pending', []]);
    expect(await tab.permissions.loadPermissions()).toEqual([]);
    expect(tab.polls()).toBe(1);
  });

  it.each([
    ['no person', { value: { rights: ['A'], etag: null } }],
    ['no list', { of: 'ada', value: { rights: 'A', etag: null } }],
    ['a list of other things', { of: 'ada', value: { rights: ['A', 1], etag: null } }],
  ])('RIGHT-5: a message of another tab with %s is ignored', (_case, data) => {
    expect(permissionsMessage.safeParse({ version: 'A', ...data }).success).toBe(false);
  });

  it('RIGHT-5: a message is accepted with its ETag, or without', () => {
    for (const etag of ['"1"', null]) {
      const message = { of: 'ada', version: 'A', value: { rights: ['A'], etag } };
      expect(permissionsMessage.parse(message)).toEqual(message);
    }
  });

  it('RIGHT-5: a tab that does not lead passes on only what is new', async () => {
    const environment = createEnvironment();
    const other = await openSignedIn(environment);
    const tab = await openSignedIn(environment, { leads: false });
    other.server.answerWith(down);
    await environment.clock.pass(40_000);
    const asked = other.polls();
    // A list that is passed on counts as the leader's own poll, which is then postponed.
    await tab.permissions.refresh();
    await environment.clock.pass(30_000);
    expect(other.polls()).toBe(asked + 1);
  });

  it('RIGHT-6: the warning that is closed in one tab is closed in all, but for what it did not name', async () => {
    const environment = createEnvironment();
    const first = await openSignedIn(environment);
    const second = await openSignedIn(environment, { leads: false });
    environment.rights = ['A', 'C'];
    await first.permissions.refresh();
    await settled();
    expect(second.change()).toEqual(first.change());
    expect(first.change()).not.toBeNull();
    first.permissions.acknowledge();
    await settled();
    expect([first.change(), second.change()]).toEqual([null, null]);
    expect(stillUnread({ gained: ['C', 'D'], lost: [] }, { gained: ['C'], lost: ['B'] })).toEqual({
      gained: ['D'],
      lost: [],
    });
  });

  it('RIGHT-6: an answer that is older than what another tab has passed on warns of nothing', async () => {
    const environment = createEnvironment();
    const first = await openSignedIn(environment);
    const second = await openSignedIn(environment, { leads: false });
    const slow = later();
    second.server.answerWith(() => slow.promise);
    const polling = second.permissions.refresh();
    environment.rights = ['A'];
    await first.permissions.refresh();
    await settled();
    second.permissions.acknowledge();
    second.server.answerWith(() => json(['A']));
    slow.resolve(json(['A', 'B']));
    await polling;
    expect([second.rights(), second.change()]).toEqual([['A'], null]);
  });

  it('RIGHT-5: ten tabs that return together do not set each other off', async () => {
    const environment = createEnvironment();
    const tabs = await Promise.all(
      Array.from({ length: 10 }, (_, index) => openSignedIn(environment, { leads: index === 0 })),
    );
    const before = tabs.reduce((sum, { polls }) => sum + polls(), 0);
    const answers = tabs.map(() => later());
    tabs.forEach(({ server }, index) => server.answerWith(() => answers[index]?.promise ?? down()));
    for (const { tab } of tabs) tab.show();
    await settled();
    for (const answer of answers) {
      answer.resolve(json(environment.rights));
      await settled();
    }
    const after = tabs.reduce((sum, { polls }) => sum + polls(), 0);
    expect(after - before).toBe(10);
  });
});

describe('what is held', () => {
  it('RIGHT-6: changes that are not acknowledged add up; acknowledged, they are gone and the next starts from the beginning', async () => {
    const { environment, permissions, change } = await openSignedIn();
    const become = (rights: string[]) => {
      environment.rights = rights;
      return permissions.refresh();
    };
    await become(['A']);
    expect(change()).toEqual({ gained: [], lost: ['B'] });
    await become(['A', 'C']);
    expect(change()).toEqual({ gained: ['C'], lost: ['B'] });
    await become(['A', 'B', 'C']);
    expect(change()).toEqual({ gained: ['C'], lost: [] });
    await become(['A', 'B']);
    expect(change(), 'all of it was taken back').toBeNull();
    await become(['A']);
    permissions.acknowledge();
    expect(change()).toBeNull();
    await become(['A', 'B']);
    expect(change()).toEqual({ gained: ['B'], lost: [] });
  });

  it('RIGHT-6: while FF_MAINTENANCE is held a change is silent, then and after', async () => {
    const { environment, permissions, change, features, rights } = await openSignedIn();
    features.set({ MAINTENANCE: { defaultValue: true } });
    environment.rights = ['A'];
    await permissions.refresh();
    features.set({ MAINTENANCE: { defaultValue: false } });
    await permissions.refresh();
    expect([rights(), change()]).toEqual([['A'], null]);
  });

  it('RIGHT-7: rights from flags come and go with the flags, and warn of nothing', async () => {
    const environment = createEnvironment(['A']);
    const { permissions, change, features } = await openSignedIn(environment, { localFlags: ['LOCAL'] });
    const published: string[][] = [];
    permissions.held.subscribe(() => published.push([...permissions.held.get()]));
    features.set({ NEW: { defaultValue: true } });
    features.set({ NEW: { defaultValue: true }, OTHER: { defaultValue: 'x' } });
    features.set({});
    await permissions.refresh();
    expect(published).toEqual([
      ['A', 'FF_LOCAL', 'FF_NEW'],
      ['A', 'FF_LOCAL'],
    ]);
    expect(change()).toBeNull();
  });

  it('RIGHT-8: what is held can be asked for, and the answer follows', async () => {
    const environment = createEnvironment(['A']);
    const { permissions } = await openSignedIn(environment);
    expect(permissions.can.get()('A')).toBe(true);
    environment.rights = [];
    await permissions.refresh();
    expect(permissions.can.get()('A')).toBe(false);
  });
});
