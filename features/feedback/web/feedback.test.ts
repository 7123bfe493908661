import { describe, expect, it } from 'vitest';
import { openBroadcast } from '#web/platform/tabs/broadcast.ts';
import { createErrorRecord } from '#web/platform/record-error.ts';
import { createSignal, createStore } from '#web/platform/state/store.ts';
import { createBrowser } from '#web/testing/browser.ts';
import { type Answer, createFakeServer, json, later, problemAnswer } from '#web/testing/fake-server.ts';
import { createManualClock, settled } from '#web/testing/manual-clock.ts';
import type { Draft, Reporter, WaitingReport } from './draft.ts';
import { createFeedback, type FeedbackOptions } from './feedback.ts';
import { feedbackMessage } from './report-place.ts';
import type { ReportStore } from './report-store.ts';
import type { RequiredFields } from './required-fields.ts';

const ada: Reporter = { email: 'ada@example.org', name: 'Ada Lovelace' };
const picture = { blob: new Blob(['png']), filename: 'screenshot.png', width: 3, height: 2 };
const stored = () => json({ id: 'r'.repeat(20), number: 1 }, { status: 201 });

/** The storage of one browser, shared by its pages. */
function createStorage() {
  const drafts = new Map<string, Draft>();
  const waiting = new Map<string, Map<string, WaitingReport>>();
  let fails = false;
  let left = 0;
  let writes = 0;
  const reads: (string | null)[] = [];
  const removals: (string | null)[] = [];
  const working = <T>(work: () => T): Promise<T> =>
    fails ? Promise.reject(new Error('no storage')) : Promise.resolve(work());
  const waitingOf = (person: string) => {
    const own = waiting.get(person) ?? new Map<string, WaitingReport>();
    waiting.set(person, own);
    return own;
  };
  const removeDraft = (person: string, eventId: string) => {
    if (drafts.get(person)?.eventId === eventId) drafts.delete(person);
  };
  const store: ReportStore = {
    read(person) {
      reads.push(person);
      return working(() => ({
        draft: drafts.get(person) ?? null,
        waiting: [...waitingOf(person).values()],
      }));
    },
    edit(person, draft) {
      writes += 1;
      return working(() => {
        drafts.set(person, draft);
        waitingOf(person).delete(draft.eventId);
      });
    },
    wait: (person, report) =>
      working(() => {
        removeDraft(person, report.draft.eventId);
        waitingOf(person).set(report.draft.eventId, report);
      }),
    remove(person, eventId) {
      removals.push(person);
      return working(() => {
        if (eventId === undefined) drafts.delete(person);
        else {
          removeDraft(person, eventId);
          waitingOf(person).delete(eventId);
        }
      });
    },
    leave: () => void (left += 1),
  };
  return {
    drafts,
    /** The messages of those that wait, by person. */
    waiting: (person = 'ada') => [...waitingOf(person).values()].map(({ draft }) => draft.message),
    store,
    /** How often a page that may end has asked for pending writes to be stored. */
    left: () => left,
    writes: () => writes,
    reads,
    removals,
    fail: () => {
      fails = true;
    },
  };
}

function createEnvironment() {
  const clock = createManualClock();
  const browser = createBrowser();
  const storage = createStorage();
  const server = createFakeServer(stored);
  let ids = 0;

  const required = createStore({ name: false, email: false });
  let refreshed = 0;
  const form: RequiredFields = {
    required,
    refresh: async () => void (refreshed += 1),
    refusedWithout: (fields) =>
      required.set({ name: fields.includes('name'), email: fields.includes('email') }),
  };

  function openPage(options: FeedbackOptions = {}) {
    const person = createStore<string | null>('ada');
    const reporter = createStore(ada);
    const errors = createErrorRecord(clock.now);
    const leaving = createSignal();
    const returned = createSignal();
    const page = { forgets: false, address: 'https://portico.test/flags?a=b#c', tab: browser.openTab() };
    const api = server.api({ sendCounted: server.sendCounted });
    const feedback = createFeedback({
      api,
      clock,
      errors,
      person,
      reporter,
      forgets: () => page.forgets,
      store: storage.store,
      broadcast: openBroadcast(page.tab.openChannel, 'feedback', feedbackMessage),
      onLeaving: leaving.subscribe,
      presence: { onReturn: returned.subscribe },
      locks: page.tab.locks,
      random: () => 0.5,
      surroundings: () => ({
        address: page.address,
        release: '1',
        browser: 'B',
        viewport: '1 × 1 @1',
        language: 'en',
        timeZone: 'UTC',
        time: clock.now(),
        event: '',
        errors: [],
        breadcrumbs: [],
        flags: [],
        rights: [],
      }),
      newEventId: () => String((ids += 1)).padStart(32, '0'),
      form,
      options,
    });
    const state = () => feedback.state.get();
    return {
      ...feedback,
      person,
      reporter,
      page,
      leave: () => leaving.publish(),
      /** The network is back, or the tab is visible again. */
      triggerReturn: () => returned.publish(),
      waiting: () =>
        state().waiting.map(({ draft, failed }) => [draft.message, failed?.final ? failed.code : null]),
      view: () => state().view,
      draft: () => state().draft,
      /** The outcome of the last try, in a word. */
      outcome() {
        const { problem } = state();
        return problem?.kind === 'failure' ? problem.error.failure : (problem?.kind ?? null);
      },
      recorded: () => errors.recorded.get().map(({ what }) => what),
    };
  }

  async function openForm(options?: FeedbackOptions) {
    const page = openPage(options);
    await page.open();
    return page;
  }

  /** A form that was filled in and submitted. */
  async function sendFrom(answer: () => Answer, options?: FeedbackOptions) {
    server.answerWith(answer);
    const page = await openForm(options);
    page.edit({ message: 'It is broken.' });
    page.submit();
    await settled();
    return page;
  }

  const bodies = () => server.received.map(({ body }) => body as Record<string, unknown>);
  const sentIds = () => bodies().map(({ eventId }) => eventId);
  /** Posts as another tab. */
  const postElsewhere = openBroadcast(browser.openTab().openChannel, 'feedback', feedbackMessage).post;
  return {
    clock,
    storage,
    server,
    openPage,
    openForm,
    sendFrom,
    bodies,
    sentIds,
    postElsewhere,
    required,
    refreshed: () => refreshed,
  };
}

describe('BUG-1: the form', () => {
  it('BUG-1: opens with name and email from the profile, and Cancel keeps what was written', async () => {
    const { openForm } = createEnvironment();
    const page = await openForm();
    expect(page.view()).toBe('form');
    expect(page.draft()).toMatchObject({ ...ada, message: '', picture: null });
    page.edit({ message: 'Half' });
    page.close();
    expect(page.view()).toBe('trigger');
    await page.open();
    expect(page.draft().message).toBe('Half');
  });

  it('BUG-1: a profile that loads later fills in fields that were not touched', async () => {
    const { openForm } = createEnvironment();
    const page = await openForm();
    page.reporter.set({ email: 'new@example.org', name: 'Ada King' });
    expect(page.draft()).toMatchObject({ email: 'new@example.org', name: 'Ada King' });
    page.edit({ name: 'Somebody' });
    page.reporter.set(ada);
    expect(page.draft()).toMatchObject({ email: 'new@example.org', name: 'Somebody' });
  });

  it('BUG-1: is sent with source, tags and the data of the page', async () => {
    const { sendFrom, bodies } = createEnvironment();
    await sendFrom(stored, { tags: { team: 'blue' } });
    expect(bodies()).toEqual([
      {
        ...ada,
        message: 'It is broken.',
        source: 'widget',
        tags: { team: 'blue' },
        url: 'https://portico.test/flags?a=b#c',
        eventId: expect.stringMatching(/^\d{32}$/) as string,
        context: expect.objectContaining({ release: '1', time: expect.any(Number) as number }) as object,
      },
    ]);
  });

  it('BUG-3: the picture goes as base64 with its name and type', async () => {
    const { openForm, bodies } = createEnvironment();
    const page = await openForm();
    page.edit({ message: 'Look', picture });
    page.submit();
    await settled();
    expect(bodies()[0]?.['attachments']).toEqual([
      { data: btoa('png'), filename: 'screenshot.png', contentType: 'image/png' },
    ]);
  });

  it('BUG-2: a form with mistakes is not sent', async () => {
    const { server, openForm } = createEnvironment();
    const page = await openForm({ isNameRequired: true, isEmailRequired: true });
    page.edit({ name: ' ', email: '' });
    page.submit();
    await settled();
    expect(page.state.get().problem).toEqual({
      kind: 'mistakes',
      mistakes: { missing: ['email', 'name', 'message'], wrong: {} },
      late: false,
    });
    expect(server.received).toEqual([]);
  });

  it('BUG-2: what the installation asks for is in force at once, and loses nothing that is typed', async () => {
    const { openForm, required, refreshed } = createEnvironment();
    const page = await openForm();
    expect(refreshed()).toBe(1);
    page.edit({ name: '\u200b', email: '', message: 'It is broken.' });
    required.set({ name: true, email: true });
    page.submit();
    const missing = () => {
      const { problem } = page.state.get();
      return problem?.kind === 'mistakes' ? problem.mistakes.missing : null;
    };
    expect(missing()).toEqual(['email', 'name']);
    required.set({ name: true, email: false });
    await settled();
    expect([missing(), page.draft().message, page.draft().name]).toEqual([
      ['name'],
      'It is broken.',
      '\u200b',
    ]);
  });

  it('BUG-2: a refusal for a missing field asks for it, and one of an empty message names that', async () => {
    const { sendFrom, required } = createEnvironment();
    const errors = [{ pointer: '/name', code: 'required', message: 'is missing' }];
    const page = await sendFrom(() => problemAnswer(422, 'FIELDS_REQUIRED', { errors }));
    await settled();
    expect(page.state.get().problem).toEqual({
      kind: 'mistakes',
      mistakes: { missing: ['name'], wrong: {} },
      late: false,
    });
    expect([required.get(), page.draft().message]).toEqual([{ name: true, email: false }, 'It is broken.']);

    const empty = await sendFrom(() => problemAnswer(422, 'EMPTY_MESSAGE'));
    await settled();
    expect(empty.outcome()).toBe('empty');
  });
});

describe('BUG-4: sending', () => {
  it('BUG-4: thanks for 5000 ms, then the trigger again', async () => {
    const { clock, sendFrom } = createEnvironment();
    const page = await sendFrom(stored);
    expect(page.view()).toBe('thanks');
    await clock.pass(4999);
    expect(page.view()).toBe('thanks');
    await clock.pass(1);
    expect(page.view()).toBe('trigger');
    await page.open();
    expect(page.draft()).toMatchObject({ ...ada, message: '' });
  });

  it('BUG-4: the thanks end with the next form, also that of the next person', async () => {
    const { clock, sendFrom } = createEnvironment();
    const page = await sendFrom(stored);
    await page.open();
    await clock.pass(5000);
    expect(page.view()).toBe('form');

    const other = await sendFrom(stored);
    await clock.pass(4000);
    other.person.set('bob');
    await other.open();
    await clock.pass(1000);
    expect(other.view()).toBe('form');
  });

  it('BUG-4: closing the form does not close the thanks', async () => {
    const { sendFrom } = createEnvironment();
    const page = await sendFrom(stored);
    page.close();
    expect(page.view()).toBe('thanks');
  });

  it('BUG-4: the thanks stand still while a pointer rests on them', async () => {
    const { clock, sendFrom } = createEnvironment();
    const page = await sendFrom(stored);
    await clock.pass(3000);
    page.holdThanks();
    await clock.pass(60_000);
    expect(page.view()).toBe('thanks');
    page.releaseThanks();
    await clock.pass(1999);
    expect(page.view()).toBe('thanks');
    await clock.pass(1);
    expect(page.view()).toBe('trigger');
  });

  it.each([
    ['network', () => new TypeError('Failed to fetch')],
    ['domain', () => problemAnswer(403, 'ORIGIN_NOT_ALLOWED')],
    ['other', () => problemAnswer(500, 'INTERNAL')],
    ['other', () => problemAnswer(503, 'UNAVAILABLE')],
  ])('BUG-4 BUG-5: a failure (%s) is shown, recorded, and loses nothing', async (failure, answer) => {
    const { storage, sendFrom } = createEnvironment();
    const page = await sendFrom(answer);
    expect([page.view(), page.outcome()]).toEqual(['form', failure]);
    expect(page.state.get().problem).toMatchObject({ late: false });
    expect(page.state.get().sending).toBeNull();
    expect(page.draft().message).toBe('It is broken.');
    expect(storage.drafts.get('ada')?.message).toBe('It is broken.');
    expect(page.recorded()).toEqual(['feedback.send']);
  });

  it('BUG-4: undetermined after 5000 ms; a late success is shown as success', async () => {
    const { clock, server, sendFrom, storage } = createEnvironment();
    const answer = later();
    const page = await sendFrom(() => answer.promise);
    await clock.pass(4999);
    expect(page.outcome()).toBeNull();
    expect(page.state.get().sending).toEqual({ progress: null, awaited: true });
    await clock.pass(1);
    expect(page.outcome()).toBe('undetermined');
    expect(page.state.get().problem).toMatchObject({ late: false });
    expect(page.state.get().sending).toEqual({ progress: null, awaited: false });
    expect(server.received[0]?.signal?.aborted).toBe(false);
    await clock.pass(60_000);
    answer.resolve(stored());
    await settled();
    expect(page.view()).toBe('thanks');
    expect(storage.drafts.size).toBe(0);
    expect(server.received).toHaveLength(1);
  });

  it('BUG-4: undetermined after 5000 ms; a late failure is shown with its message', async () => {
    const { clock, sendFrom } = createEnvironment();
    const answer = later();
    const page = await sendFrom(() => answer.promise);
    await clock.pass(5000);
    answer.resolve(problemAnswer(403, 'ORIGIN_NOT_ALLOWED'));
    await settled();
    expect(page.outcome()).toBe('domain');
    expect(page.state.get().problem).toMatchObject({ late: true });
  });

  it('BUG-4: a second press while one is under way sends nothing twice', async () => {
    const { clock, server, sendFrom } = createEnvironment();
    const answer = later();
    const page = await sendFrom(() => answer.promise);
    await clock.pass(3000);
    page.submit();
    await clock.pass(2000);
    expect(page.outcome()).toBe('undetermined');
    page.submit();
    expect(page.outcome()).toBeNull();
    expect(page.state.get().sending?.awaited).toBe(true);
    await clock.pass(4999);
    expect(page.outcome()).toBeNull();
    await clock.pass(1);
    expect(page.outcome()).toBe('undetermined');
    answer.resolve(stored());
    await settled();
    expect(page.view()).toBe('thanks');
    expect(server.received).toHaveLength(1);
  });

  it('BUG-4: the sending of a picture reports its progress', async () => {
    const { server, openForm } = createEnvironment();
    const answer = later();
    server.answerWith(() => answer.promise);
    const page = await openForm();
    page.edit({ message: 'Look', picture });
    page.submit();
    await settled();
    expect(page.state.get().sending?.progress).toBeCloseTo(0.5, 1);
  });

  it('BUG-4: goes on after the form was closed, and its outcome is reported', async () => {
    const { sendFrom } = createEnvironment();
    const good = later();
    const page = await sendFrom(() => good.promise);
    page.close();
    good.resolve(stored());
    await settled();
    expect(page.view()).toBe('thanks');

    const bad = later();
    const other = await sendFrom(() => bad.promise);
    other.close();
    bad.resolve(problemAnswer(500, 'INTERNAL'));
    await settled();
    expect([other.view(), other.outcome()]).toEqual(['trigger', 'other']);
  });
});

describe('BUG-5: the event id', () => {
  it('BUG-5: is the same for every try of the unedited report, with all that is sent, and another after an edit', async () => {
    const { clock, sendFrom, bodies, sentIds, openForm } = createEnvironment();
    const page = await sendFrom(() => new TypeError('Failed to fetch'));
    await clock.pass(1000);
    page.page.address = 'https://portico.test/people';
    page.submit();
    await settled();
    // Also after a reload.
    const reloaded = await openForm();
    reloaded.submit();
    await settled();
    expect(bodies()[1]).toEqual(bodies()[0]);
    expect(bodies()[2]).toMatchObject({ message: 'It is broken.', eventId: sentIds()[0] });
    reloaded.edit({ message: 'It is still broken.' });
    reloaded.submit();
    await settled();
    const ids = sentIds();
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(ids[3]).not.toBe(ids[0]);
  });

  it('BUG-5: an edit while it is under way is another report, and is not lost when the first arrives', async () => {
    const { clock, storage, sendFrom, server } = createEnvironment();
    const answer = later();
    const page = await sendFrom(() => answer.promise);
    await clock.pass(5000);
    page.edit({ message: 'It is broken, and how.' });
    await clock.pass(300);
    answer.resolve(stored());
    await settled();
    expect([page.view(), page.outcome()]).toEqual(['form', 'sent-before-edit']);
    expect(storage.drafts.get('ada')?.message).toBe('It is broken, and how.');
    server.answerWith(stored);
    page.submit();
    await settled();
    expect(page.view()).toBe('thanks');
    expect(server.received).toHaveLength(2);
  });

  it.each([
    ['arrives', stored],
    ['fails', () => problemAnswer(500, 'INTERNAL')],
  ])(
    'BUG-5: of two reports under way, the first one that %s changes nothing for the second',
    async (_case, outcome) => {
      const { clock, sendFrom, server } = createEnvironment();
      const first = later();
      const second = later();
      const page = await sendFrom(() => first.promise);
      await clock.pass(5000);
      page.edit({ message: 'It is broken, and how.' });
      server.answerWith(() => second.promise);
      page.submit();
      await settled();
      first.resolve(outcome());
      await settled();
      expect([page.view(), page.outcome(), page.state.get().sending?.awaited]).toEqual(['form', null, true]);
      await clock.pass(5000);
      expect(page.outcome()).toBe('undetermined');
      second.resolve(stored());
      await settled();
      expect(page.view()).toBe('thanks');
    },
  );

  it('BUG-5: of two reports under way, each is waited for as long as a person waits', async () => {
    const { clock, sendFrom, server } = createEnvironment();
    const page = await sendFrom(() => later().promise);
    await clock.pass(1000);
    page.edit({ message: 'It is broken, and how.' });
    server.answerWith(() => later().promise);
    page.submit();
    await clock.pass(4000);
    expect(page.outcome()).toBeNull();
    await clock.pass(1000);
    expect(page.outcome()).toBe('undetermined');
  });

  it('BUG-5: a report that takes too long is not shown to the next person', async () => {
    const { clock, sendFrom } = createEnvironment();
    const page = await sendFrom(() => later().promise);
    page.person.set('bob');
    await page.open();
    await clock.pass(5000);
    expect(page.outcome()).toBeNull();
  });

  it.each([
    ['arrives', stored],
    ['fails', () => problemAnswer(500, 'INTERNAL')],
  ])(
    'BUG-5: a report that %s after its person has left is not shown to the next one',
    async (_case, answer) => {
      const { sendFrom } = createEnvironment();
      const slow = later();
      const page = await sendFrom(() => slow.promise);
      page.person.set('bob');
      await settled();
      await page.open();
      page.edit({ message: 'Mine' });
      slow.resolve(answer());
      await settled();
      expect([page.view(), page.outcome(), page.draft().message]).toEqual(['form', null, 'Mine']);
    },
  );

  it('BUG-5: what the server already has under this id is sent', async () => {
    const { sendFrom } = createEnvironment();
    const page = await sendFrom(() => problemAnswer(409, 'EVENT_ID_USED'));
    expect(page.view()).toBe('thanks');
  });
});

describe('BUG-5: the draft is stored', () => {
  it('BUG-5: as it is typed, and is there again after a reload', async () => {
    const { clock, storage, openForm } = createEnvironment();
    const page = await openForm();
    page.edit({ message: 'H' });
    await clock.pass(200);
    page.edit({ message: 'He', email: 'other@example.org', name: 'Other', picture });
    await clock.pass(100);
    expect(storage.drafts.get('ada')?.message).toBe('He');
    const reloaded = await openForm();
    expect(reloaded.draft()).toEqual(page.draft());
  });

  it('BUG-5: a picture at once, since a page that ends has no time for it', async () => {
    const { storage, openForm } = createEnvironment();
    const page = await openForm();
    page.edit({ picture });
    await settled();
    expect(storage.drafts.get('ada')?.picture).toBe(picture);
  });

  type Page = Awaited<ReturnType<ReturnType<typeof createEnvironment>['openForm']>>;
  it.each<[when: string, end: (page: Page) => void]>([
    ['the page may end', (page) => page.leave()],
    ['the form is closed', (page) => page.close()],
    ['the session expires', (page) => page.person.set(null)],
  ])('BUG-5: at once when %s, and not a second time', async (_when, end) => {
    const { clock, storage, openForm } = createEnvironment();
    const page = await openForm();
    page.edit({ message: 'Quick' });
    expect(storage.drafts.size).toBe(0);
    end(page);
    expect(storage.drafts.get('ada')?.message).toBe('Quick');
    page.close();
    page.leave();
    await clock.pass(1000);
    expect(storage.writes()).toBe(1);
    expect(storage.left()).toBeGreaterThan(0);
  });

  it('BUG-5: what is typed is stored every 300 ms, not with each letter', async () => {
    const { clock, storage, openForm } = createEnvironment();
    const page = await openForm();
    for (const message of ['Q', 'Qu', 'Qui']) {
      page.edit({ message });
      await clock.pass(100);
    }
    expect(storage.writes()).toBe(1);
    await clock.pass(50);
    page.edit({ message: 'Quic' });
    await clock.pass(299);
    expect(storage.writes()).toBe(1);
    await clock.pass(1);
    expect(storage.drafts.get('ada')?.message).toBe('Quic');
  });

  it('BUG-5: what is written after the thanks is stored as well', async () => {
    const { clock, storage, sendFrom } = createEnvironment();
    const answer = later();
    const page = await sendFrom(() => answer.promise);
    await clock.pass(1000);
    answer.resolve(stored());
    await settled();
    await page.open();
    page.edit({ message: 'One more thing' });
    await clock.pass(300);
    expect(storage.drafts.get('ada')?.message).toBe('One more thing');
  });

  it('BUG-5: without a person nothing is stored', async () => {
    const { clock, storage, openForm } = createEnvironment();
    const page = await openForm();
    page.person.set(null);
    await page.open();
    page.edit({ message: 'Quick' });
    await clock.pass(1000);
    expect([storage.writes(), page.draft().message]).toEqual([0, 'Quick']);
    page.submit();
    await settled();
    expect([page.view(), storage.reads, storage.removals]).toEqual(['thanks', ['ada'], []]);
  });

  it('BUG-5: a sign-out does not touch what the next person has stored', async () => {
    const { clock, storage, openForm } = createEnvironment();
    const before = await openForm();
    before.person.set('bob');
    before.edit({ message: 'Of Bob' });
    await clock.pass(300);
    const page = await openForm();
    page.edit({ message: 'Of Ada' });
    page.page.forgets = true;
    page.person.set('bob');
    await page.open();
    await clock.pass(1000);
    expect([page.draft().message, storage.writes()]).toEqual(['Of Bob', 1]);
  });

  it('BUG-5: nothing is stored of a form that was only looked at, or emptied again', async () => {
    const { clock, storage, openForm } = createEnvironment();
    const page = await openForm();
    page.close();
    page.edit({ message: 'x' });
    await clock.pass(300);
    expect(storage.drafts.size).toBe(1);
    page.edit({ message: '' });
    await clock.pass(300);
    expect(storage.drafts.size).toBe(0);
  });

  it('BUG-5: through a session that expires, and for the same person alone', async () => {
    const { openForm } = createEnvironment();
    const page = await openForm();
    page.edit({ message: 'Of Ada', picture });
    page.person.set(null);
    await settled();
    expect([page.view(), page.draft().message]).toEqual(['trigger', '']);
    page.person.set('bob');
    await page.open();
    expect(page.draft()).toMatchObject({ message: '', picture: null });
    page.person.set(null);
    page.person.set('ada');
    await page.open();
    expect(page.draft()).toMatchObject({ message: 'Of Ada', picture });
  });

  it('BUG-5: what was sent before the session expired is gone when it has arrived', async () => {
    const { storage, sendFrom } = createEnvironment();
    const answer = later();
    const page = await sendFrom(() => answer.promise);
    page.person.set(null);
    await settled();
    expect(storage.drafts.size).toBe(1);
    answer.resolve(stored());
    await settled();
    expect(storage.drafts.size).toBe(0);
    expect(page.view()).toBe('trigger');
  });

  it('BUG-5: not through a sign-out', async () => {
    const { clock, storage, openForm } = createEnvironment();
    const page = await openForm();
    page.edit({ message: 'Of Ada' });
    page.page.forgets = true;
    page.person.set(null);
    await clock.pass(1000);
    page.leave();
    expect([storage.drafts.size, storage.left()]).toEqual([0, 0]);
  });

  it('BUG-5: where the browser stores nothing it works in memory', async () => {
    const { clock, storage, server, openPage } = createEnvironment();
    storage.fail();
    const page = openPage();
    await page.open();
    page.edit({ message: 'In memory' });
    await clock.pass(300);
    page.close();
    await page.open();
    expect(page.draft().message).toBe('In memory');
    page.submit();
    await settled();
    expect(page.view()).toBe('thanks');
    expect(server.received).toHaveLength(1);
    expect(page.recorded()).toEqual(['feedback.draft']);
  });

  it('BUG-5: a draft that is read late does not replace what was written before', async () => {
    const { clock, storage, openForm, openPage } = createEnvironment();
    const before = await openForm();
    before.edit({ message: 'Old' });
    await clock.pass(300);
    const { read } = storage.store;
    const late = Promise.withResolvers<void>();
    storage.store.read = async (person) => {
      const found = await read(person);
      await late.promise;
      return found;
    };
    const page = openPage();
    const opening = page.open();
    await clock.pass(1000);
    await opening;
    page.edit({ message: 'New' });
    await clock.pass(300);
    late.resolve();
    await settled();
    expect(page.draft().message).toBe('New');
    expect(storage.drafts.get('ada')?.message).toBe('New');
  });

  it('BUG-5: a browser that never answers a read delays nothing', async () => {
    const { clock, storage, openPage } = createEnvironment();
    storage.store.read = () => new Promise(() => {});
    const page = openPage();
    const opening = page.open();
    await clock.pass(1000);
    await opening;
    expect(page.view()).toBe('form');
  });
});

describe('BUG-5: several tabs', () => {
  it('BUG-5: the last edit wins, whole', async () => {
    const { clock, storage, openForm } = createEnvironment();
    const first = await openForm();
    const second = await openForm();
    first.edit({ message: 'First', picture });
    await clock.pass(300);
    expect(second.draft()).toEqual(first.draft());
    second.edit({ message: 'Second', picture: null });
    await clock.pass(300);
    expect(first.draft()).toMatchObject({ message: 'Second', picture: null });
    expect(storage.drafts.get('ada')).toEqual(second.draft());
  });

  it('BUG-5: of two that are edited at once the later one is stored, never a mix', async () => {
    const { clock, storage, openForm } = createEnvironment();
    const first = await openForm();
    const second = await openForm();
    first.edit({ message: 'First', name: 'One' });
    await clock.pass(100);
    second.edit({ message: 'Second', email: 'two@example.org' });
    await clock.pass(1000);
    expect(first.draft()).toEqual(second.draft());
    expect(storage.drafts.get('ada')).toMatchObject({
      message: 'Second',
      name: 'Ada Lovelace',
      email: 'two@example.org',
    });
  });

  it('BUG-5: one that is emptied in one tab is empty in the others', async () => {
    const { clock, openForm } = createEnvironment();
    const first = await openForm();
    const second = await openForm();
    first.edit({ message: 'First' });
    await clock.pass(300);
    second.edit({ message: '' });
    await clock.pass(300);
    expect(first.draft().message).toBe('');
  });

  it('BUG-5: one that was sent in another tab is not sent again by this one', async () => {
    const { clock, server, openForm } = createEnvironment();
    const first = await openForm();
    const second = await openForm();
    first.edit({ message: 'Once' });
    await clock.pass(300);
    first.submit();
    await settled();
    expect(second.draft().message).toBe('');
    expect(second.view()).toBe('trigger');
    await second.open();
    second.submit();
    await settled();
    expect(second.outcome()).toBe('mistakes');
    expect(server.received).toHaveLength(1);
  });

  it('BUG-5: two tabs that send the same one send it under one id, with the same data', async () => {
    const { clock, server, openForm, bodies } = createEnvironment();
    const answers = [later(), later()] as const;
    server.answerWith(() => answers[server.received.length - 1]?.promise ?? stored());
    const first = await openForm();
    const second = await openForm();
    second.page.address = 'https://portico.test/elsewhere';
    first.edit({ message: 'Once' });
    await clock.pass(300);
    first.submit();
    await clock.pass(100);
    second.submit();
    await settled();
    // One after the other.
    expect(server.received).toHaveLength(1);
    for (const answer of answers) answer.resolve(stored());
    await settled();
    expect(bodies()[1]).toEqual(bodies()[0]);
    expect([first.view(), second.view()]).toEqual(['thanks', 'thanks']);
  });

  it('BUG-5: what another tab has sent does not touch what was written here since', async () => {
    const { clock, openForm } = createEnvironment();
    const first = await openForm();
    const second = await openForm();
    first.edit({ message: 'Once' });
    await clock.pass(300);
    second.edit({ message: 'Once, and more' });
    first.submit();
    await clock.pass(1000);
    expect(first.view()).toBe('thanks');
    expect([second.view(), second.draft().message]).toEqual(['form', 'Once, and more']);
  });

  it('BUG-5: the thanks are shown in every tab that waits for it, and in no other', async () => {
    const { clock, server, openForm } = createEnvironment();
    const [first, second] = [later(), later()];
    const writing = await openForm();
    writing.edit({ message: 'It is broken.' });
    await clock.pass(300);
    const pages = [writing, await openForm(), await openForm()] as const;
    server.answerWith(() => first.promise);
    pages[0].submit();
    await settled();
    server.answerWith(() => second.promise);
    pages[1].submit();
    await settled();
    first.resolve(stored());
    await settled();
    expect(pages.map(({ view }) => view())).toEqual(['thanks', 'thanks', 'trigger']);
  });

  it('BUG-5: a tab with newer words does not rely on what another tab has stored', async () => {
    const { clock, storage, openForm } = createEnvironment();
    const [first, second] = [await openForm(), await openForm()];
    second.edit({ message: 'Mine' });
    first.edit({ message: 'Quick' });
    const reads = storage.reads.length;
    first.close();
    await settled();
    expect(storage.reads).toHaveLength(reads + 1);
    await clock.pass(300);
    expect(storage.drafts.get('ada')?.message).toBe('Mine');
  });

  it('BUG-5: a draft that another tab stores again unchanged removes no message from the form', async () => {
    const { clock, openForm, postElsewhere } = createEnvironment();
    const page = await openForm({ isNameRequired: true });
    page.edit({ message: 'It is broken.', name: '' });
    await clock.pass(300);
    page.submit();
    expect(page.outcome()).toBe('mistakes');
    postElsewhere({ type: 'written', person: 'ada' });
    await settled();
    expect(page.outcome()).toBe('mistakes');
  });

  it('BUG-5: the try that another tab stores removes no message from the form of this one', async () => {
    const { clock, server, openForm } = createEnvironment();
    const [first, second] = [await openForm(), await openForm()];
    first.edit({ message: 'It is broken.' });
    await clock.pass(300);
    server.answerWith(() => new TypeError('Failed to fetch'));
    first.submit();
    await settled();
    second.submit();
    await settled();
    expect([first.outcome(), second.outcome()]).toEqual(['network', 'network']);
  });

  it("BUG-5: one person's draft does not come to another who is signed in at the same time", async () => {
    const { clock, storage, openForm } = createEnvironment();
    const first = await openForm();
    const second = await openForm();
    second.person.set('bob');
    await second.open();
    const before = storage.reads.length;
    first.edit({ message: 'Of Ada' });
    await clock.pass(1000);
    expect(second.draft().message).toBe('');
    expect(storage.reads).toHaveLength(before);
  });
});

describe('BUG-5: a report that could not be sent waits', () => {
  const unreachable = () => new TypeError('Failed to fetch');

  /** A report that could not be sent, after its form was closed. */
  async function createWaiting(answer: () => Answer = unreachable) {
    const environment = createEnvironment();
    const page = await environment.sendFrom(answer);
    page.close();
    await settled();
    return { ...environment, page };
  }

  it('BUG-5: once its form is closed it waits, and the form is free for another', async () => {
    const { storage, page } = await createWaiting();
    expect(page.waiting()).toEqual([['It is broken.', null]]);
    expect([storage.waiting(), storage.drafts.size]).toEqual([['It is broken.'], 0]);
    await page.open();
    expect([page.draft().message, page.outcome()]).toEqual(['', null]);
    page.edit({ message: 'And this.' });
    page.submit();
    await settled();
    page.close();
    await settled();
    expect(page.waiting()).toEqual([
      ['It is broken.', null],
      ['And this.', null],
    ]);
  });

  it('BUG-5: is sent when the network is back, under the same id with the same data, and the person is notified', async () => {
    const { storage, server, bodies, page } = await createWaiting();
    server.answerWith(stored);
    page.page.address = 'https://portico.test/elsewhere';
    page.triggerReturn();
    await settled();
    expect(bodies()).toHaveLength(2);
    expect(bodies()[1]).toEqual(bodies()[0]);
    expect([page.waiting(), storage.waiting(), page.state.get().delivered]).toEqual([[], [], 1]);
    page.acknowledge();
    page.triggerReturn();
    await settled();
    expect([server.received.length, page.state.get().delivered]).toEqual([2, 0]);
  });

  it('BUG-5: also from the form, while it is unchanged', async () => {
    const { sendFrom, server, sentIds } = createEnvironment();
    const page = await sendFrom(unreachable);
    server.answerWith(stored);
    page.triggerReturn();
    await settled();
    expect(page.view()).toBe('thanks');
    expect(new Set(sentIds()).size).toBe(1);
    const other = await sendFrom(unreachable);
    other.edit({ message: 'Something else' });
    server.answerWith(stored);
    other.triggerReturn();
    await settled();
    expect(other.view()).toBe('form');
  });

  it('BUG-5: without a change of the network it is retried with growing waits, and when the server asks for it', async () => {
    const { clock, server, page } = await createWaiting();
    expect(server.received).toHaveLength(1);
    await clock.pass(14_999);
    expect(server.received).toHaveLength(1);
    await clock.pass(1);
    expect(server.received).toHaveLength(2);
    server.answerWith(() => new Response('', { status: 503, headers: { 'retry-after': '600' } }));
    await clock.pass(30_000);
    expect(server.received).toHaveLength(3);
    await clock.pass(599_999);
    expect(server.received).toHaveLength(3);
    server.answerWith(stored);
    await clock.pass(1);
    expect(server.received).toHaveLength(4);
    expect(page.waiting()).toEqual([]);
    await clock.pass(3_600_000);
    expect(server.received).toHaveLength(4);
  });

  it('BUG-5: on the next page too, for its person alone', async () => {
    const { storage, server, openPage, sentIds } = await createWaiting();
    server.answerWith(unreachable);
    const next = openPage();
    await next.resume(false);
    expect(next.waiting()).toEqual([['It is broken.', null]]);
    next.person.set('bob');
    server.answerWith(stored);
    await settled();
    next.triggerReturn();
    await settled();
    expect(next.waiting()).toEqual([]);
    expect([storage.waiting(), server.received.length]).toEqual([['It is broken.'], 2]);
    next.person.set('ada');
    await settled();
    expect([storage.waiting(), server.received.length]).toEqual([[], 3]);
    expect(new Set(sentIds()).size).toBe(1);
  });

  it('BUG-5: a page that ended while it was under way, or with the form open, leaves it to the next one', async () => {
    const { sendFrom, server, openPage, storage } = createEnvironment();
    await sendFrom(() => later().promise);
    expect(storage.drafts.size).toBe(1);
    server.answerWith(stored);
    const reopened = openPage();
    void reopened.resume(true);
    await reopened.open();
    expect(reopened.draft().message).toBe('It is broken.');
    expect(server.received).toHaveLength(1);
  });

  it('BUG-5: of several tabs one sends it, and all of them know', async () => {
    const { clock, server, page, openPage } = await createWaiting();
    const others = [openPage(), openPage()];
    await Promise.all(others.map((one) => one.resume(false)));
    await settled();
    const before = server.received.length;
    const answer = later();
    server.answerWith(() => answer.promise);
    for (const one of [page, ...others]) one.triggerReturn();
    await clock.pass(1000);
    expect(server.received.length - before).toBe(1);
    answer.resolve(stored());
    await settled();
    await clock.pass(1000);
    expect(server.received.length - before).toBe(1);
    for (const one of [page, ...others]) expect([one.waiting(), one.state.get().delivered]).toEqual([[], 1]);
  });

  it('BUG-5: what the server refuses for good is reported, stored and not tried again, and can be corrected', async () => {
    const { server, storage, page, sentIds } = await createWaiting();
    server.answerWith(() => problemAnswer(422, 'INVALID_BODY'));
    page.triggerReturn();
    await settled();
    expect([page.waiting(), page.outcome()]).toEqual([[['It is broken.', 'INVALID_BODY']], 'other']);
    page.triggerReturn();
    await settled();
    expect(server.received).toHaveLength(2);
    expect(storage.waiting()).toEqual(['It is broken.']);

    await page.openNews();
    expect([page.view(), page.draft().message, page.outcome()]).toEqual(['form', 'It is broken.', 'other']);
    expect(page.waiting()).toEqual([]);
    page.close();
    await settled();
    expect(page.waiting()).toEqual([['It is broken.', 'INVALID_BODY']]);
    await page.openNews();
    server.answerWith(stored);
    page.edit({ message: 'It is broken, truly.' });
    page.submit();
    await settled();
    expect([page.view(), page.waiting(), storage.waiting()]).toEqual(['thanks', [], []]);
    expect(new Set(sentIds()).size).toBe(2);
  });

  it('BUG-5: one that is refused delays no other, and one that is discarded is gone', async () => {
    const { server, page, storage } = await createWaiting();
    await page.open();
    page.edit({ message: 'And this.' });
    page.submit();
    await settled();
    page.close();
    await settled();
    server.answerWith(() => (server.received.length % 2 === 1 ? problemAnswer(413, 'TOO_LARGE') : stored()));
    page.triggerReturn();
    await settled();
    expect(page.waiting()).toEqual([['It is broken.', 'TOO_LARGE']]);
    await page.discardWaiting(page.state.get().waiting[0]?.draft.eventId ?? '');
    expect([page.waiting(), storage.waiting()]).toEqual([[], []]);
  });

  it('BUG-5: the draft in the form waits while another is opened, and is not sent', async () => {
    const { server, page } = await createWaiting();
    await page.open();
    page.edit({ message: 'Half of' });
    await page.moveToForm(page.state.get().waiting[0]?.draft.eventId ?? '');
    await settled();
    expect(page.draft().message).toBe('It is broken.');
    expect(page.waiting()).toEqual([['Half of', null]]);
    server.answerWith(stored);
    page.submit();
    await settled();
    page.triggerReturn();
    await settled();
    expect([server.received.length, page.waiting()]).toEqual([2, [['Half of', null]]]);
  });

  it('BUG-5: where the browser stores nothing it waits in the page', async () => {
    const { storage, sendFrom, server } = createEnvironment();
    storage.fail();
    const page = await sendFrom(unreachable);
    page.close();
    await settled();
    expect(page.waiting()).toEqual([['It is broken.', null]]);
    server.answerWith(stored);
    page.triggerReturn();
    await settled();
    expect([page.waiting(), server.received.length]).toEqual([[], 2]);
  });

  it('BUG-5: where there is no space for it twice, what is stored of it stays, in the form or among those that wait', async () => {
    const { storage, sendFrom } = createEnvironment();
    const page = await sendFrom(unreachable);
    await settled();
    storage.store.wait = () => Promise.reject(new Error('full'));
    page.close();
    await settled();
    expect(page.waiting()).toEqual([['It is broken.', null]]);
    expect(storage.drafts.get('ada')?.message).toBe('It is broken.');

    const other = await createWaiting();
    other.storage.store.edit = () => Promise.reject(new Error('full'));
    await other.page.moveToForm(other.page.state.get().waiting[0]?.draft.eventId ?? '');
    await settled();
    expect(other.page.draft().message).toBe('It is broken.');
    expect(other.storage.waiting()).toEqual(['It is broken.']);
  });

  it('BUG-5: is never sent without a person, nor stored after a sign-out', async () => {
    const { server, page, storage } = await createWaiting();
    page.person.set(null);
    server.answerWith(stored);
    page.triggerReturn();
    await settled();
    expect([server.received.length, page.waiting(), storage.waiting()]).toEqual([1, [], ['It is broken.']]);
  });
});

describe('BUG-1: Cancel leaves a draft, which only another press sends', () => {
  const unreachable = () => new TypeError('Failed to fetch');
  const ended = () => problemAnswer(401, 'SESSION_ENDED');

  /** Triggers everything that sends by itself, and expects that nothing is sent: time, the network, another page. */
  async function expectNothingSent({
    clock,
    server,
    storage,
    openPage,
  }: ReturnType<typeof createEnvironment>) {
    const { length } = server.received;
    server.answerWith(stored);
    await clock.pass(3_600_000);
    const next = openPage();
    await next.resume(false);
    next.triggerReturn();
    await clock.pass(3_600_000);
    expect(server.received).toHaveLength(length);
    expect([storage.drafts.get('ada')?.message, storage.waiting()]).toEqual(['It is broken.', []]);
    return next;
  }

  it.each([
    ['without a network', unreachable],
    ['after the session has ended', ended],
    ['refused', () => problemAnswer(403, 'ORIGIN_NOT_ALLOWED')],
  ])('BUG-1 BUG-5: of a report that could not be sent, %s', async (_why, answer) => {
    const environment = createEnvironment();
    const page = await environment.sendFrom(answer);
    page.cancel();
    page.triggerReturn();
    await settled();
    expect([page.view(), page.waiting()]).toEqual(['trigger', []]);
    const next = await expectNothingSent(environment);
    await next.open();
    expect([next.draft().message, next.outcome()]).toEqual(['It is broken.', null]);
    next.submit();
    await settled();
    expect(next.view()).toBe('thanks');
    expect(new Set(environment.sentIds()).size).toBe(1);
  });

  it.each(['cancel', 'close'] as const)(
    'BUG-1 BUG-5: of one that is in the form again after a reload or a sign-in, by %s',
    async (leave) => {
      const environment = createEnvironment();
      await environment.sendFrom(ended);
      const back = environment.openPage();
      await back.resume(true);
      await back.open();
      expect(back.draft().message).toBe('It is broken.');
      back[leave]();
      await settled();
      await expectNothingSent(environment);
    },
  );

  it('BUG-1 BUG-5: of one that is in the form again when the person has signed in in the same page', async () => {
    const environment = createEnvironment();
    const page = await environment.sendFrom(ended);
    page.person.set(null);
    await settled();
    page.person.set('ada');
    await settled();
    await page.open();
    page.close();
    await settled();
    await expectNothingSent(environment);
  });

  it('BUG-1 BUG-4: of a try under way that fails; one that arrives is thanked for', async () => {
    const environment = createEnvironment();
    const bad = later();
    const page = await environment.sendFrom(() => bad.promise);
    page.cancel();
    bad.resolve(problemAnswer(500, 'INTERNAL'));
    await settled();
    expect([page.view(), page.outcome(), page.waiting()]).toEqual(['trigger', 'other', []]);
    await expectNothingSent(environment);

    const good = later();
    environment.server.answerWith(() => good.promise);
    await page.open();
    page.submit();
    await settled();
    page.cancel();
    good.resolve(stored());
    await settled();
    expect([page.view(), environment.storage.drafts.size]).toEqual(['thanks', 0]);
  });

  it('BUG-1 BUG-5: of one whose form is open in another tab too, which then does not send it either', async () => {
    const environment = createEnvironment();
    const page = await environment.sendFrom(unreachable);
    const other = await environment.openForm();
    other.cancel();
    await settled();
    expect(page.outcome()).toBeNull();
    page.triggerReturn();
    await settled();
    page.close();
    await expectNothingSent(environment);
  });

  it('BUG-1 BUG-5: of one that waited, and was opened in the form again', async () => {
    const environment = createEnvironment();
    const page = await environment.sendFrom(unreachable);
    page.close();
    await settled();
    await page.open();
    await page.moveToForm(page.state.get().waiting[0]?.draft.eventId ?? '');
    page.cancel();
    await settled();
    await expectNothingSent(environment);
  });
});

it('BUG-7: a report is about the page that its picture shows, and says from which other one it was sent', async () => {
  const { bodies, openForm } = createEnvironment();
  const page = await openForm();
  page.edit({ message: 'It is broken.', picture: { ...picture, address: 'https://portico.test/map' } });
  page.close();
  await page.open();
  page.submit();
  await settled();
  expect(bodies().at(-1)).toMatchObject({
    url: 'https://portico.test/map',
    context: { sentFrom: 'https://portico.test/flags?a=b#c' },
  });

  await page.open();
  page.edit({ message: 'Again.', picture: { ...picture, address: page.page.address } });
  page.submit();
  await settled();
  expect(bodies().at(-1)?.['url']).toBe(page.page.address);
  expect(bodies().at(-1)?.['context']).not.toHaveProperty('sentFrom');

  await page.open();
  page.edit({
    message: 'Without.',
    leftOut: ['address'],
    picture: { ...picture, address: 'https://portico.test/map' },
  });
  page.submit();
  await settled();
  expect(bodies().at(-1)?.['url']).toBe('');
  expect(bodies().at(-1)?.['context']).not.toHaveProperty('sentFrom');
});
