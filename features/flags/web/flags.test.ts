import type { Attributes } from '@growthbook/growthbook-react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openBroadcast } from '#web/platform/tabs/broadcast.ts';
import { createErrorRecord } from '#web/platform/record-error.ts';
import { createStore } from '#web/platform/state/store.ts';
import { createBrowser } from '#web/testing/browser.ts';
import { createFakeEventSource } from '#web/testing/event-source.ts';
import { createFakeServer, json, later, type Received } from '#web/testing/fake-server.ts';
import { createManualClock, settled } from '#web/testing/manual-clock.ts';
import { createFlags, type Flags, type FlagsDependencies, payloadMessage } from './flags.ts';

type PayloadMessage = Parameters<FlagsDependencies['broadcast']['post']>[0];

const payloadOf = (features: Record<string, unknown>, version = 1) => ({
  status: 200,
  features: Object.fromEntries(
    Object.entries(features).map(([key, value]) => [key, { defaultValue: value }]),
  ),
  dateUpdated: new Date(Date.UTC(2026, 10, 21) + version).toISOString(),
});

const streaming = { 'x-sse-support': 'enabled' };

const payload = (features: Record<string, unknown>, version = 1, headers: Record<string, string> = {}) =>
  json(payloadOf(features, version), { headers: { ...streaming, ...headers } });

let running: Flags[] = [];
afterEach(() => {
  for (const { growthbook } of running) growthbook.destroy();
  running = [];
  vi.unstubAllGlobals();
});

function setUp(
  more: Partial<Pick<FlagsDependencies, 'flags'>> & {
    person?: string | null;
    leads?: boolean;
    visible?: boolean;
    now?: number;
    random?: number;
  } = {},
) {
  const clock = createManualClock(more.now);
  const browser = createBrowser();
  const tab = browser.openTab({ visible: more.visible ?? true });
  const other = openBroadcast(browser.openTab().openChannel, 'flags', payloadMessage);
  const messages: PayloadMessage[] = [];
  other.subscribe((message) => messages.push(message));
  const streams: ReturnType<typeof createFakeEventSource>[] = [];
  const person = createStore<string | null>(more.person === undefined ? 'ada' : more.person);
  let currentToken = 'old';
  const enabled = createStore(false);
  const leader = createStore(more.leads ?? true);
  const attributes = createStore<Attributes>({ id: 'ada' });
  let screens = 0;
  // The same error on the same screen would be recorded once.
  const errors = createErrorRecord(clock.now, () => `/${(screens += 1)}`);
  const environment = { features: { NEW_SEARCH: true } as Record<string, unknown>, version: 1, etag: '"1"' };
  const server = createFakeServer(({ headers }) =>
    headers.get('if-none-match') === environment.etag
      ? new Response(null, { status: 304, headers: streaming })
      : payload(environment.features, environment.version, { etag: environment.etag }),
  );
  const flags = createFlags({
    flags: more.flags ?? { host: '', clientKey: 'sdk-web', kind: 'personal' },
    origin: 'https://portico.test',
    fetch: server.fetch,
    openEventSource(address) {
      const stream = createFakeEventSource(address);
      streams.push(stream);
      return stream as unknown as EventSource;
    },
    clock,
    random: () => more.random ?? 0.5,
    bearer: {
      token: () =>
        person.get() === null ? Promise.reject(new Error('nobody')) : Promise.resolve(currentToken),
      renewed: () => Promise.resolve((currentToken = 'new')),
    },
    person,
    enabled,
    attributes,
    leader,
    broadcast: openBroadcast(tab.openChannel, 'flags', payloadMessage),
    presence: tab.presence,
    errors,
  });
  running.push(flags);
  const change = (features: Record<string, unknown>) => {
    environment.version += 1;
    Object.assign(environment, { features, etag: `"${environment.version}"` });
  };
  const begin = async () => {
    enabled.set(true);
    await settled();
  };
  return {
    clock,
    tab,
    other,
    messages,
    streams,
    person,
    enabled,
    leader,
    attributes,
    environment,
    server,
    flags,
    change,
    begin,
    recorded: () => errors.recorded.get().map(({ what }) => what),
    errors: () => errors.recorded.get().map(({ error }) => error),
  };
}

async function setUpAndBegin(...how: Parameters<typeof setUp>) {
  const scene = setUp(...how);
  await scene.begin();
  return scene;
}

/** Replaces what the browser stores for the next visit. */
function stubStorage(storage: Partial<Pick<Storage, 'getItem' | 'setItem'>>): void {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, ...storage });
}

const foreign = { host: 'https://flags.test', clientKey: 'sdk-abc', kind: 'plain' } as const;

describe('loading', () => {
  it('FLAG-8: asks with t_ in milliseconds, as the person who is signed in, and waits until that is known', async () => {
    const { clock, server, flags, begin } = setUp();
    await settled();
    expect(server.received).toEqual([]);
    await begin();
    expect(server.calls()).toEqual([`GET /api/features/sdk-web?t_=${clock.now()}`]);
    expect(server.received[0]?.headers.get('authorization')).toBe('Bearer old');
    expect(flags.state.get()).toMatchObject({ status: 'success', fresh: true });
    expect(flags.value('NEW_SEARCH', false)).toBe(true);
    expect(flags.value('UNKNOWN', 'fallback')).toBe('fallback');
  });

  it('FLAG-8: is loaded without a person where no one is signed in', async () => {
    const { server, flags } = await setUpAndBegin({ person: null });
    expect(server.received[0]?.headers.has('authorization')).toBe(false);
    expect(flags.state.get().status).toBe('success');
  });

  it('FLAG-8: an expired token is renewed once', async () => {
    const { server, environment, flags, begin } = setUp();
    server.answerWith(({ headers }) =>
      headers.get('authorization') === 'Bearer new'
        ? payload(environment.features)
        : new Response('{"status":401}', { status: 401 }),
    );
    await begin();
    expect(server.received).toHaveLength(2);
    expect(flags.state.get().status).toBe('success');
  });

  it('§8 Flag fetch non-OK status: is an error, recorded, and what was there stays (FLAG-8)', async () => {
    const { clock, server, flags, begin, recorded } = setUp();
    server.answerWith(() => new Response('{}', { status: 500 }));
    await begin();
    expect(flags.state.get()).toMatchObject({ status: 'error', features: {} });
    expect(recorded()).toEqual(['flags.load']);
    server.answerWith(() => payload({ A: true }));
    await clock.pass(10_000);
    expect(flags.value('A', false)).toBe(true);
    server.answerWith(() => new Response('{}', { status: 404 }));
    await clock.pass(120_000);
    expect(flags.state.get().status).toBe('success');
    expect(flags.value('A', false)).toBe(true);
    expect(recorded()).toEqual(['flags.load', 'flags.load']);
  });

  it('§8 Flag fetch failure: is recorded as it was, after one question', async () => {
    const { server, begin, errors } = setUp();
    server.answerWith(() => new TypeError('Failed to fetch'));
    await begin();
    expect(server.received).toHaveLength(1);
    expect(errors()).toMatchObject([{ name: 'ProblemError', status: 0 }]);
  });

  it('MAINT-2: the time of the payload in force is the time that its host gives it', async () => {
    const { flags } = await setUpAndBegin();
    expect(flags.state.get().changedAt).toBe(Date.UTC(2026, 10, 21) + 1);
  });

  it('FLAG-8: what is known of the person is not given to the SDK for a personal payload', async () => {
    const { flags, attributes } = await setUpAndBegin();
    attributes.set({ id: 'bob' });
    await settled();
    expect(flags.growthbook.getAttributes()).toEqual({});
  });

  it('FLAG-8: is polled every 60 s past the cache; an answer that nothing has changed is good', async () => {
    const { clock, server, environment, flags, change } = await setUpAndBegin();
    const { features } = flags.state.get();
    await clock.pass(59_999);
    expect(server.received).toHaveLength(1);
    await clock.pass(120_001);
    expect(server.received).toHaveLength(4);
    const held = server.received.slice(1).map(({ headers }) => headers.get('if-none-match'));
    expect(held.join()).toBe('"1","1","1"');
    expect(flags.state.get().features).toBe(features);
    change({ NEW_SEARCH: false });
    await clock.pass(60_000);
    expect(flags.value('NEW_SEARCH', true)).toBe(false);
    expect(environment.etag).toBe('"2"');
  });

  it('FLAG-1: a personal payload is loaded again for another person, though its version is the same', async () => {
    const { server, person, flags, begin } = setUp({ person: null });
    server.answerWith(({ headers }) =>
      payload({ ADMIN: headers.has('authorization') }, 1, {
        etag: headers.has('authorization') ? '"1-ada"' : '"1"',
      }),
    );
    await begin();
    expect(flags.value('ADMIN', false)).toBe(false);
    person.set('ada');
    await settled();
    expect(flags.value('ADMIN', false)).toBe(true);
    expect(server.received[1]?.headers.has('if-none-match')).toBe(false);
  });

  it('FLAG-1: a payload that is the same for all is not loaded again for another person', async () => {
    const { server, person } = await setUpAndBegin({ flags: foreign });
    person.set(null);
    await settled();
    expect(server.received).toHaveLength(1);
  });

  it('FLAG-8: what was asked for before a sign-out is not shown after', async () => {
    const { server, person, flags, begin, recorded } = setUp();
    const answer = later();
    server.answerWith(({ headers }) => (headers.has('authorization') ? answer.promise : payload({})));
    const shown: string[] = [];
    flags.state.subscribe(() => shown.push(...Object.keys(flags.state.get().features)));
    await begin();
    person.set(null);
    answer.resolve(payload({ ADMIN: true }));
    await settled();
    expect(shown).toEqual([]);
    expect(flags.state.get().status).toBe('success');
    expect(recorded()).toEqual([]);
  });

  it('FLAG-8: is loaded though the previous load was just aborted', async () => {
    const { server, enabled, flags, begin } = setUp();
    server.answerWith(() => later().promise);
    await begin();
    server.answerWith(() => payload({ A: true }));
    enabled.set(false);
    enabled.set(true);
    await settled();
    expect(flags.value('A', false)).toBe(true);
  });

  it('SES-7: a load that was aborted before its request requests nothing', async () => {
    const { server, enabled, begin, recorded } = setUp();
    server.answerWith(() => later().promise);
    await begin();
    enabled.set(false);
    enabled.set(true);
    enabled.set(false);
    await settled();
    expect([server.received.length, recorded()]).toEqual([1, []]);
  });

  it('SES-7: nothing is asked during a sign-out', async () => {
    const { clock, server, enabled } = await setUpAndBegin();
    enabled.set(false);
    await clock.pass(300_000);
    expect(server.received).toHaveLength(1);
  });

  it.each(['personal', 'remote-eval'] as const)(
    'FLAG-8: nothing of a %s payload is stored in the browser',
    async (kind) => {
      const stored: string[] = [];
      stubStorage({ setItem: (_key, value) => void stored.push(value) });
      const { server, begin } = setUp({ flags: { host: '', clientKey: 'sdk-web', kind } });
      server.answerWith(() => payload({ A: 1 }));
      await begin();
      expect(server.received).toHaveLength(1);
      expect(stored).toEqual([]);
    },
  );
});

describe('a foreign host', () => {
  it('FLAG-8: never gets the bearer, whatever the kind of its key', async () => {
    const { server } = await setUpAndBegin({ flags: { ...foreign, kind: 'personal' } });
    expect(server.received[0]?.headers.has('authorization')).toBe(false);
  });

  it('FLAG-8: its version is the date of its payload, in a stream as in an answer', async () => {
    const { messages } = await setUpAndBegin({ flags: foreign });
    expect(messages).toMatchObject([{ version: '2026-11-21T00:00:00.001Z', value: { etag: '"1"' } }]);
  });

  it('FLAG-8: its definitions are decided here', async () => {
    const { server, attributes, flags, begin } = setUp({ flags: foreign });
    const rules = [{ condition: { id: 'ada' }, force: true }];
    server.answerWith(() =>
      json({
        status: 200,
        features: { A: { defaultValue: false, rules } },
        dateUpdated: '2026-01-01T00:00:00Z',
      }),
    );
    await begin();
    expect(server.received[0]?.path).toMatch(/^https:\/\/flags\.test\/api\/features\/sdk-abc\?t_=\d+$/);
    expect(flags.value('A', false)).toBe(true);
    attributes.set({ id: 'bob' });
    await settled();
    expect(flags.value('A', false)).toBe(false);
  });

  it('FLAG-8: a remote-evaluation key evaluates by POST, with attributes', async () => {
    const { server, flags, begin } = setUp({ flags: { ...foreign, kind: 'remote-eval' } });
    server.answerWith(() => payload({ A: 3 }));
    await begin();
    expect(server.calls()).toEqual(['POST https://flags.test/api/eval/sdk-abc']);
    expect(server.received[0]?.body).toEqual({
      attributes: { id: 'ada' },
      forcedVariations: {},
      forcedFeatures: [],
      url: '',
    });
    expect(flags.value('A', 0)).toBe(3);
  });

  it('MAINT-2: what the cache of an earlier visit holds is shown, but not as fresh, and is requested again', async () => {
    const { clock, server, flags, begin } = setUp({ flags: foreign });
    const entry = {
      data: payloadOf({ MAINTENANCE: true }),
      version: 'x',
      staleAt: new Date(clock.now() + 30_000),
    };
    stubStorage({ getItem: () => JSON.stringify([['https://flags.test||sdk-abc', entry]]) });
    const answer = later();
    server.answerWith(() => answer.promise);
    await begin();
    expect(flags.state.get().features).toHaveProperty('MAINTENANCE');
    expect(flags.state.get().fresh).toBe(false);
    answer.resolve(payload({ MAINTENANCE: false }, 2));
    await settled();
    expect(flags.state.get()).toMatchObject({ fresh: true, status: 'success' });
    expect(flags.value('MAINTENANCE', true)).toBe(false);
  });
});

describe('streaming', () => {
  it('FLAG-8: the leading tab opens one stream, and a change is there at once', async () => {
    const { streams, server, flags, change } = await setUpAndBegin();
    expect(streams.map(({ address }) => address)).toEqual(['https://portico.test/sub/sdk-web']);
    streams[0]?.opens();
    change({ NEW_SEARCH: false });
    let notified = 0;
    flags.onStreamMessage(() => (notified += 1));
    streams[0]?.sends('features-updated');
    expect(notified).toBe(1);
    await settled();
    expect(server.received).toHaveLength(2);
    expect(flags.value('NEW_SEARCH', true)).toBe(false);
  });

  it('FLAG-8: a change during a fetch that was answered before it is not missed', async () => {
    const { streams, server, environment, flags, change } = await setUpAndBegin();
    const old = later();
    server.answerWith(() => old.promise);
    streams[0]?.sends('features-updated');
    await settled();
    change({ NEW_SEARCH: 'newest' });
    streams[0]?.sends('features-updated');
    server.answerWith(() => payload(environment.features, environment.version));
    old.resolve(payload({ NEW_SEARCH: 'old' }, 2));
    await settled();
    expect(flags.value('NEW_SEARCH', '')).toBe('newest');
  });

  it('FLAG-8: a payload in the stream is used as it is, and passed on to the other tabs', async () => {
    const { streams, server, flags, messages } = await setUpAndBegin({ flags: foreign });
    const text = JSON.stringify(payloadOf({ NEW_SEARCH: false }, 5));
    let notified = 0;
    flags.onStreamMessage(() => (notified += 1));
    streams[0]?.sends('features', text);
    expect(notified).toBe(1);
    await settled();
    expect(flags.value('NEW_SEARCH', true)).toBe(false);
    expect(flags.state.get()).toMatchObject({ fresh: true, changedAt: Date.UTC(2026, 10, 21) + 5 });
    expect(server.received).toHaveLength(1);
    expect(messages.at(-1)).toMatchObject({ value: { text } });
  });

  it('FLAG-8: a foreign stream that opens again may have missed something', async () => {
    const { streams, server } = await setUpAndBegin({ flags: foreign });
    streams[0]?.opens();
    await settled();
    expect(server.received).toHaveLength(2);
  });

  it('FLAG-8: a tab that does not lead has no stream, and gets one when it leads', async () => {
    const { streams, leader } = await setUpAndBegin({ leads: false });
    expect(streams).toEqual([]);
    leader.set(true);
    expect(streams).toHaveLength(1);
    leader.set(false);
    expect(streams[0]?.readyState).toBe(2);
  });

  it('FLAG-8: a stream that is refused is opened again by itself', async () => {
    const { clock, streams } = await setUpAndBegin();
    streams[0]?.fails();
    await clock.pass(1_000);
    expect(streams.map(({ readyState }) => readyState)).toEqual([2, 0]);
  });
});

describe('the limits of the cache', () => {
  const start = Date.UTC(2026, 10, 21, 12);

  type Stored = [key: string, entry: Record<string, unknown>][];

  /** What an earlier visit stored for the next one. */
  async function storedByVisit(): Promise<Stored> {
    let stored = '';
    stubStorage({ setItem: (_key, value) => void (stored = value) });
    await setUpAndBegin({ flags: foreign, now: start });
    return JSON.parse(stored) as Stored;
  }

  /** What is shown before the flag host has answered. */
  async function shownFrom(entries: Stored, now = start): Promise<string[]> {
    stubStorage({ getItem: () => JSON.stringify(entries) });
    const { server, flags, begin } = setUp({ flags: foreign, now });
    server.answerWith(() => later().promise);
    await begin();
    return Object.keys(flags.state.get().features);
  }

  it('FLAG-8 §9: what was fetched is stale after 1 minute', async () => {
    const [[, entry] = ['', {}]] = await storedByVisit();
    expect(entry['staleAt']).toBe(new Date(start + 60_000).toISOString());
  });

  it.each([
    [4 * 3_600_000 - 1, ['NEW_SEARCH']],
    [4 * 3_600_000, []],
  ])(
    'FLAG-8 §9: what an earlier visit fetched is shown until it is 4 hours old (%d ms)',
    async (age, shown) => {
      expect(await shownFrom(await storedByVisit(), start + age)).toEqual(shown);
    },
  );

  it.each([
    [9, ['NEW_SEARCH']],
    [10, []],
  ])(
    'FLAG-8 §9: at most 10 entries are stored, the oldest goes (with %d newer ones)',
    async (others, shown) => {
      const stored = await storedByVisit();
      const [[, entry] = ['', {}]] = stored;
      const newer: Stored = Array.from({ length: others }, (_, index) => [
        `https://flags.test||sdk-${index}`,
        { ...entry, staleAt: new Date(start + 61_000 + index) },
      ]);
      expect(await shownFrom([...stored, ...newer])).toEqual(shown);
    },
  );

  it('FLAG-8 §9: in a tab that is hidden the stream is closed after 20 s, and opened again on return', async () => {
    const { clock, tab, streams } = await setUpAndBegin({ flags: foreign });
    const states = () => streams.map(({ readyState }) => (readyState === 2 ? 'closed' : 'open'));
    tab.hide();
    await clock.pass(19_999);
    tab.show();
    await clock.pass(60_000);
    expect(states(), 'back in time').toEqual(['open']);
    tab.hide();
    await clock.pass(19_999);
    expect(states()).toEqual(['open']);
    await clock.pass(1);
    expect(states()).toEqual(['closed']);
    tab.show();
    expect(states()).toEqual(['closed', 'open']);
  });

  it('FLAG-8 §9: in a tab that is opened in the background the stream is closed after 20 s too', async () => {
    const { clock, streams } = await setUpAndBegin({ flags: foreign, visible: false });
    await clock.pass(20_000);
    expect(streams.map(({ readyState }) => readyState)).toEqual([2]);
  });

  it('FLAG-8 §9: a stream that fails is tried again later and later, at most 5 minutes apart', async () => {
    const { clock, streams } = await setUpAndBegin({ flags: foreign, random: 0 });
    const waits: number[] = [];
    while (waits.length < 10) {
      const failed = streams.length;
      streams.at(-1)?.fails();
      const at = clock.now();
      while (streams.length === failed && clock.now() - at < 900_000) await clock.pass(500);
      waits.push(clock.now() - at);
    }
    // Three times as long each time: below the cap as computed, above it 5 minutes to the millisecond.
    expect(waits.slice(-4)).toEqual([81_000, 243_000, 300_000, 300_000]);
  });
});

describe('passing on', () => {
  const ofAda = 'https://portico.test sdk-web ada';
  const text = JSON.stringify(payloadOf({ NEW_SEARCH: 'passed on' }, 7));
  const passedOn = (of = ofAda): PayloadMessage => ({
    of,
    version: '"7"',
    value: { text, version: '"7"', etag: '"7"' },
  });

  it('FLAG-8: the leader passes its payload on, then only its version', async () => {
    const { clock, messages, change } = await setUpAndBegin();
    await clock.pass(60_000);
    change({ NEW_SEARCH: false });
    await clock.pass(60_000);
    expect(messages.map(({ value }) => value !== null)).toEqual([true, false, true]);
    expect(messages[0]?.of).toBe(ofAda);
  });

  it('FLAG-8: another tab takes what is passed on, without asking the server', async () => {
    const { server, other, flags, messages, tab } = await setUpAndBegin({ leads: false });
    other.post(passedOn());
    await settled();
    expect(flags.value('NEW_SEARCH', '')).toBe('passed on');
    expect(server.received).toHaveLength(1);
    expect(messages).toEqual([]);
    tab.show();
    await settled();
    expect(server.received[1]?.headers.get('if-none-match')).toBe('"7"');
  });

  it('FLAG-8: what is passed on stays in force while the host is asked again', async () => {
    const { server, other, flags, tab } = await setUpAndBegin({ flags: foreign, leads: false });
    other.post(passedOn('https://flags.test sdk-abc '));
    await settled();
    server.answerWith(() => later().promise);
    tab.show();
    await settled();
    expect(server.received).toHaveLength(2);
    expect(flags.value('NEW_SEARCH', '')).toBe('passed on');
  });

  it('FLAG-8: a tab that learns from the leader that nothing has changed does not ask itself', async () => {
    const { clock, server, other } = await setUpAndBegin({ leads: false });
    for (let minute = 0; minute < 5; minute += 1) {
      await clock.pass(60_000);
      other.post({ of: ofAda, version: '"1"', value: null });
    }
    await settled();
    expect(server.received).toHaveLength(1);
  });

  it('FLAG-8: what was passed on during a load, and is newer, is what the next one asks by', async () => {
    const { server, other, begin, tab } = setUp({ leads: false });
    const slow = later();
    server.answerWith(() => slow.promise);
    await begin();
    other.post(passedOn());
    await settled();
    slow.resolve(payload({ NEW_SEARCH: 'own' }, 1, { etag: '"1"' }));
    await settled();
    tab.show();
    await settled();
    expect(server.received[1]?.headers.get('if-none-match')).toBe('"7"');
  });

  it.each([
    ["another person's", 'https://portico.test sdk-web bob'],
    ["another host's", 'https://elsewhere.test sdk-web ada'],
  ])('FLAG-9: %s payload is ignored', async (_case, of) => {
    const { other, flags } = await setUpAndBegin({ leads: false });
    other.post(passedOn(of));
    await settled();
    expect(flags.value('NEW_SEARCH', '')).toBe(true);
  });

  it('FLAG-8: an older payload than its own is ignored', async () => {
    const { other, environment, flags, begin } = setUp({ leads: false });
    environment.version = 9;
    await begin();
    other.post(passedOn());
    await settled();
    expect(flags.value('NEW_SEARCH', '')).toBe(true);
  });

  it.each([
    ['older, what was passed on holds', 1, 'passed on', 1],
    ['newer, its own holds', 9, 'own', 1],
    ['of the same date, it asks once more', 7, 'newest', 2],
  ])('FLAG-8: where what a tab has fetched since is %s', async (_case, version, shown, asked) => {
    const { server, other, flags, begin } = setUp({ leads: false });
    const slow = later();
    server.answerWith(() => slow.promise);
    await begin();
    other.post(passedOn());
    await settled();
    server.answerWith(() => payload({ NEW_SEARCH: 'newest' }, 7, { etag: '"7"' }));
    slow.resolve(payload({ NEW_SEARCH: 'own' }, version));
    await settled();
    expect(flags.value('NEW_SEARCH', '')).toBe(shown);
    expect(server.received).toHaveLength(asked);
  });

  it('FLAG-8: a tab that holds another version than the leader asks the server, once', async () => {
    const { server, other } = await setUpAndBegin({ leads: false });
    other.post({ of: ofAda, version: '"1"', value: null });
    await settled();
    expect(server.received).toHaveLength(1);
    other.post({ of: ofAda, version: '"7"', value: null });
    await settled();
    expect(server.received).toHaveLength(2);
  });

  it('FLAG-8: the leader ignores the other tabs', async () => {
    const { server, other, flags } = await setUpAndBegin();
    other.post({ of: ofAda, version: '"7"', value: null });
    other.post(passedOn());
    await settled();
    expect(server.received).toHaveLength(1);
    expect(flags.value('NEW_SEARCH', '')).toBe(true);
  });

  it('FLAG-8: evaluated for what each tab claims, only that something changed is passed on', async () => {
    const { other, server, begin, messages, leader } = setUp({ flags: { ...foreign, kind: 'remote-eval' } });
    const answer = (_request: Received) => payload({ A: true }, 3);
    server.answerWith(answer);
    await begin();
    expect(messages.map(({ value }) => value)).toEqual([null]);
    leader.set(false);
    other.post({ of: 'https://flags.test sdk-abc ', version: 'newer', value: null });
    await settled();
    expect(server.received).toHaveLength(2);
  });
});
