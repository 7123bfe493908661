import { describe, expect, it } from 'vitest';
import { openBroadcast } from '#web/platform/tabs/broadcast.ts';
import { createErrorRecord } from '#web/platform/record-error.ts';
import { createSignal, createStore } from '#web/platform/state/store.ts';
import { createBrowser } from '#web/testing/browser.ts';
import { createFakeServer, json, later, problemAnswer } from '#web/testing/fake-server.ts';
import { createManualClock, settled } from '#web/testing/manual-clock.ts';
import { fieldsOf } from './profile-fields.ts';
import { createOwnProfile, profileMessage } from './profile.ts';

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

function setUp(at = '2026-07-01T12:00Z', browser = createBrowser()) {
  const clock = createManualClock(Date.parse(at));
  const tab = browser.openTab();
  const server = createFakeServer(() => json(ada));
  const person = createStore<string | null>(null);
  const errors = createErrorRecord(clock.now);
  const api = server.api({ timeOffset: () => profile.timeOffset() });
  const broadcast = openBroadcast(tab.openChannel, 'profile', profileMessage);
  const pushed = createSignal();
  const profile = createOwnProfile({
    api,
    clock,
    person,
    presence: tab.presence,
    broadcast,
    errors,
    live: { onProfile: pushed.subscribe },
  });
  return {
    clock,
    tab,
    server,
    person,
    push: pushed.publish,
    broadcast,
    profile,
    recorded: () => errors.recorded.get().map(({ what }) => what),
  };
}

/** The same once the profile of Ada has been loaded. */
async function signedIn(...how: Parameters<typeof setUp>) {
  const scene = setUp(...how);
  scene.person.set('ada');
  await settled();
  return scene;
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

it('§8 Profile load failure: goes from pending to error, is recorded and yields null', async () => {
  const { clock, server, person, profile, recorded } = setUp();
  server.answerWith(() => problemAnswer(500, 'INTERNAL'));
  person.set('ada');
  await settled();
  expect(profile.state.get()).toEqual({ status: 'error', currentUser: null });
  expect(recorded()).toEqual(['profile.load']);
  expect(await profile.reload()).toBeNull();
  // Loaded again when a person does something, not by itself.
  await clock.pass(120_000);
  expect(server.received).toHaveLength(2);
});

it('PRO-2: where no one is signed in nothing is loaded, and nothing that is answered is shown', async () => {
  const { server, profile } = setUp();
  expect(await profile.reload()).toBeNull();
  expect(server.received).toEqual([]);
  await profile.update(fieldsOf(ada), 1);
  expect(profile.state.get()).toEqual({ status: 'pending', currentUser: null });
});

it('PRO-2: is loaded again when the server publishes that it has changed, until that succeeds', async () => {
  const { clock, server, person, profile, push } = setUp();
  push();
  await settled();
  expect(server.received).toEqual([]);
  person.set('ada');
  await settled();
  server.answerWith(() => new TypeError('Failed to fetch'));
  push();
  await clock.pass(16_000);
  expect([server.received.length, profile.currentUser.get()]).toEqual([4, ada]);
  server.answerWith(() => json({ ...ada, firstName: 'Augusta', version: 2 }));
  await clock.pass(20_000);
  expect([server.received.length, profile.currentUser.get()?.firstName]).toEqual([5, 'Augusta']);
  await clock.pass(120_000);
  expect(server.received).toHaveLength(5);
});

it.each(['push', 'reload'] as const)(
  'PRO-2: a load that comes before the next try takes its place (%s)',
  async (by) => {
    const { clock, server, profile, push } = await signedIn();
    server.answerWith(() => new TypeError('Failed to fetch'));
    push();
    await clock.pass(2_000);
    server.answerWith(() => json(ada));
    if (by === 'push') push();
    else await profile.reload();
    await clock.pass(120_000);
    expect(server.received).toHaveLength(3);
  },
);

it('PRO-2: is not tried again for a person who has left', async () => {
  const { clock, server, person, push } = await signedIn();
  server.answerWith(() => new TypeError('Failed to fetch'));
  push();
  await settled();
  person.set(null);
  await clock.pass(120_000);
  expect(server.received).toHaveLength(2);
});

it('PRO-2: an answer of the same version counts: what others maintain, such as the address, is newer in it', async () => {
  const { server, profile } = await signedIn();
  server.answerWith(() => json({ ...ada, email: 'ada@lovelace.example' }));
  await profile.reload();
  expect(profile.currentUser.get()?.email).toBe('ada@lovelace.example');
});

it('PRO-2: a profile that cannot be loaded again stays as it was last', async () => {
  const { server, profile, recorded } = await signedIn();
  server.answerWith(() => new TypeError('Failed to fetch'));
  expect(await profile.reload()).toBeNull();
  expect(profile.state.get()).toEqual({ status: 'success', currentUser: ada });
  expect(recorded()).toEqual(['profile.load']);
});

it('PRO-2: after an error it is loaded again when the person or the network returns', async () => {
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

it('PRO-2: an answer whose end comes after the person has left is not shown', async () => {
  const { server, person, profile } = setUp();
  const end = later();
  server.answerWith(() => {
    const answer = json(ada);
    answer.json = () => end.promise.then((whole) => whole.json());
    return answer;
  });
  person.set('ada');
  await settled();
  person.set(null);
  end.resolve(json(ada));
  await settled();
  expect(profile.state.get()).toEqual({ status: 'pending', currentUser: null });
});

it('PRO-3: every call after the load carries the offset of that time, none before it', async () => {
  const { clock, server, profile } = await signedIn('2026-10-24T12:00Z');
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

const changed = { ...ada, phone: '+49 30 1', timeZone: 'Asia/Tokyo', version: 2 };

describe('PRO-1 PRO-2: changing the profile', () => {
  it('§8 Profile update success: sends every field with the version that was read, and what is answered counts at once', async () => {
    const { server, profile, recorded } = await signedIn();
    server.answerWith(() => json(changed));
    const fields = { ...fieldsOf(ada), phone: '+49 30 1', timeZone: 'Asia/Tokyo' };
    expect(await profile.update(fields, 1)).toEqual({ status: 'saved', profile: changed });
    expect(server.received[1]).toMatchObject({
      method: 'PUT',
      path: '/v1/users/current/profile',
      body: { ...fields, version: 1 },
    });
    expect(profile.currentUser.get()).toEqual(changed);
    // Tokyo, PRO-3.
    expect(profile.timeOffset()).toBe(540);
    expect(recorded()).toEqual([]);
  });

  it.each([
    ['the server is in trouble', () => problemAnswer(500, 'INTERNAL'), 'failed'],
    ['nothing may be written now', () => problemAnswer(503, 'MAINTENANCE'), 'failed'],
    ['the network fails', () => new TypeError('Failed to fetch'), 'failed'],
    ['a field is refused', () => problemAnswer(422, 'INVALID_BODY', { errors: [] }), 'invalid'],
  ])('§8 Profile update failure: is recorded and changes nothing when %s', async (_case, answer, status) => {
    const { server, profile, recorded } = await signedIn();
    server.answerWith(answer);
    expect(await profile.update(fieldsOf(ada), 1)).toMatchObject({ status });
    expect(profile.currentUser.get()).toEqual(ada);
    expect(recorded()).toEqual(['profile.update']);
  });

  it('PRO-1: a conflict brings what was saved elsewhere', async () => {
    const { server, profile, recorded } = await signedIn();
    server.answerWith(({ method }) =>
      method === 'PUT' ? problemAnswer(409, 'VERSION_CONFLICT') : json(changed),
    );
    const outcome = await profile.update({ ...fieldsOf(ada), jobTitle: 'Analyst' }, 1);
    expect(outcome).toMatchObject({ status: 'conflict', theirs: changed });
    expect(recorded()).toEqual(['profile.update']);
  });

  it('PRO-2: an older answer that comes late does not undo a change', async () => {
    const { server, profile } = await signedIn();
    const answer = later();
    server.answerWith(({ method }) => (method === 'PUT' ? json(changed) : answer.promise));
    const loading = profile.reload();
    await profile.update(fieldsOf(changed), 1);
    answer.resolve(json(ada));
    await loading;
    expect(profile.currentUser.get()).toEqual(changed);
  });

  it('PRO-2: a change that is answered after the person has left shows nothing', async () => {
    const { server, person, profile } = await signedIn();
    const answer = later();
    server.answerWith(() => answer.promise);
    const updating = profile.update(fieldsOf(changed), 1);
    await settled();
    person.set(null);
    answer.resolve(json(changed));
    await updating;
    expect(profile.state.get()).toEqual({ status: 'pending', currentUser: null });
  });

  it('PRO-2: other tabs of the same person load it again, once, and no others do', async () => {
    const browser = createBrowser();
    const [here, there, stranger] = [1, 2, 3].map(() => setUp(undefined, browser));
    if (here === undefined || there === undefined || stranger === undefined) throw new Error('no tabs');
    here.person.set('ada');
    there.person.set('ada');
    stranger.person.set('bob');
    await settled();
    for (const { server } of [here, there, stranger]) server.answerWith(() => json(changed));
    await here.profile.update(fieldsOf(changed), 1);
    await settled();
    expect(there.profile.currentUser.get()).toEqual(changed);
    expect(there.server.calls()).toHaveLength(2);
    expect(stranger.server.calls()).toHaveLength(1);
  });
});

describe('PRO-2: what another tab sends', () => {
  it('PRO-2: a version that is known is not loaded again, a newer one is', async () => {
    const browser = createBrowser();
    const { broadcast } = setUp(undefined, browser);
    const { server } = await signedIn(undefined, browser);
    broadcast.post({ personId: 'ada', version: 1 });
    await settled();
    expect(server.received).toHaveLength(1);
    broadcast.post({ personId: 'ada', version: 2 });
    await settled();
    expect(server.received).toHaveLength(2);
  });

  it('PRO-2: counts also while the first load is under way', async () => {
    const browser = createBrowser();
    const { broadcast } = setUp(undefined, browser);
    const { server, person, profile } = setUp(undefined, browser);
    const answer = later();
    server.answerWith(() => answer.promise);
    person.set('ada');
    await settled();
    broadcast.post({ personId: 'ada', version: 2 });
    await settled();
    server.answerWith(() => json(changed));
    answer.resolve(json(ada));
    await settled();
    expect(profile.currentUser.get()).toEqual(changed);
  });

  it.each([{ personId: 'ada' }, { version: 1 }, { personId: 1, version: 1 }, {}])(
    'PRO-2: %j is no message',
    (data) => {
      expect(profileMessage.safeParse(data).success).toBe(false);
    },
  );
});

describe('PRO-1: changing some fields in the background', () => {
  it('PRO-1: leaves the others as they are', async () => {
    const { server, profile } = await signedIn();
    server.answerWith(() => json(changed));
    await profile.amend({ locale: 'de' });
    expect(server.received[1]?.body).toEqual({ ...fieldsOf(ada), locale: 'de', version: 1 });
  });

  it('PRO-1: after a conflict it is tried once more on what is there now', async () => {
    const { server, profile, recorded } = await signedIn();
    const refused: unknown[] = [];
    server.answerWith(({ method, body }) => {
      if (method === 'GET') return json(changed);
      if ((body as { version: number }).version === 2) return json({ ...changed, locale: 'de', version: 3 });
      refused.push(body);
      return problemAnswer(409, 'VERSION_CONFLICT');
    });
    expect(await profile.amend({ locale: 'de' })).toMatchObject({ status: 'saved' });
    expect(server.received.at(-1)?.body).toEqual({ ...fieldsOf(changed), locale: 'de', version: 2 });
    expect([refused.length, recorded()]).toEqual([1, []]);
  });

  it('PRO-1: a second conflict is a failure, recorded once', async () => {
    const { server, profile, recorded } = await signedIn();
    server.answerWith(({ method }) =>
      method === 'PUT' ? problemAnswer(409, 'VERSION_CONFLICT') : json(changed),
    );
    expect(await profile.amend({ locale: 'de' })).toMatchObject({ status: 'conflict' });
    expect(server.calls().filter((call) => call.startsWith('PUT'))).toHaveLength(2);
    expect(recorded()).toEqual(['profile.update']);
  });

  it('PRO-1: when the profile cannot be loaded it is a failure, recorded, and nothing is sent', async () => {
    const { server, person, profile, recorded } = setUp();
    server.answerWith(() => new TypeError('Failed to fetch'));
    person.set('ada');
    await settled();
    expect(await profile.amend({ locale: 'de' })).toMatchObject({ status: 'failed' });
    expect(server.calls().some((call) => call.startsWith('PUT'))).toBe(false);
    expect(recorded()).toEqual(['profile.load', 'profile.update']);
  });

  it('PRO-1: a conflict whose newer profile cannot be loaded is reported, and not retried', async () => {
    const { server, profile, recorded } = await signedIn();
    server.answerWith(({ method }) =>
      method === 'PUT' ? problemAnswer(409, 'VERSION_CONFLICT') : new TypeError('Failed to fetch'),
    );
    expect(await profile.amend({ locale: 'de' })).toMatchObject({ status: 'conflict', theirs: null });
    expect(recorded()).toEqual(['profile.load', 'profile.update']);
  });
});
