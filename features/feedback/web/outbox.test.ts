import { expect, it } from 'vitest';
import { ProblemError } from '#web/platform/calls/problem-error.ts';
import { createErrorRecord } from '#web/platform/record-error.ts';
import { createStore } from '#web/platform/state/store.ts';
import { openBroadcast } from '#web/platform/tabs/broadcast.ts';
import { createBrowser } from '#web/testing/browser.ts';
import { createManualClock, settled } from '#web/testing/manual-clock.ts';
import type { Draft, WaitingReport } from './draft.ts';
import { createOutbox } from './outbox.ts';
import { feedbackMessage } from './report-place.ts';

function report(eventId: string): WaitingReport {
  const draft: Draft = {
    eventId,
    email: 'ada@example.org',
    name: 'Ada',
    message: `Report ${eventId}.`,
    picture: null,
    leftOut: [],
    leftOutCrumbs: [],
    sentAlong: { url: '', context: {} },
  };
  return { draft, at: Number(eventId), failed: null };
}

const unavailable = () => new ProblemError({ status: 503, code: 'UNAVAILABLE', title: '' });

/** An outbox whose database answers one reading later, and changes nothing until then, as IndexedDB does. */
function createEnvironment(...reports: WaitingReport[]) {
  const rows = new Map(reports.map((one) => [one.draft.eventId, one]));
  const delivered: string[] = [];
  let held: Promise<void> | null = null;
  let fails: Promise<never> | null = null;
  const read = async () => {
    if (held === null) return;
    await held;
    await settled();
  };
  const clock = createManualClock();
  const browser = createBrowser();
  const elsewhere = openBroadcast(browser.openTab().openChannel, 'feedback', feedbackMessage);
  const tab = browser.openTab();
  const outbox = createOutbox({
    api: {
      // Only reports are sent.
      async call(_route: unknown, { body }: { body: { eventId: string } }) {
        const failure = fails;
        fails = null;
        if (failure !== null) await failure;
        delivered.push(body.eventId);
      },
    } as never,
    clock,
    errors: createErrorRecord(clock.now),
    random: () => 0.5,
    locks: tab.locks,
    store: {
      async read() {
        const waiting = [...rows.values()];
        await held;
        return { draft: null, waiting };
      },
      edit: () => Promise.resolve(),
      wait: async (_person, one) => void (await read(), rows.set(one.draft.eventId, one)),
      remove: async (_person, eventId = '') => void (await read(), rows.delete(eventId)),
      leave: () => {},
    },
    broadcast: openBroadcast(tab.openChannel, 'feedback', feedbackMessage),
    reporter: createStore({ email: '', name: '' }),
    newEventId: () => 'new',
    forgets: () => false,
    onLeaving: () => {},
  });
  return {
    outbox,
    delivered,
    rows,
    waiting: () => outbox.state.get().waiting.map(({ draft }) => draft.eventId),
    /** The next try fails as where no server is reached when the returned function is called. */
    failSlowly() {
      const failure = Promise.withResolvers<never>();
      fails = failure.promise;
      return () => failure.reject(unavailable());
    },
    /** Reads, since another tab has changed the list; the answer arrives when the returned function is called. */
    async readSlowly() {
      const answer = Promise.withResolvers<void>();
      held = answer.promise;
      elsewhere.post({ type: 'waiting', person: 'ada' });
      await settled();
      return async () => {
        answer.resolve();
        await settled();
      };
    },
  };
}

it('BUG-5: a report that is discarded while the list is being read is not listed again', async () => {
  const { outbox, rows, readSlowly, waiting } = createEnvironment(report('1'));
  await outbox.switchTo('ada');
  const finish = await readSlowly();
  const discarding = outbox.discard('1');
  expect(waiting()).toEqual([]);
  await finish();
  await discarding;
  expect([waiting(), rows.size]).toEqual([[], 0]);
});

it('BUG-5: a report that was added while the list was being read stays in it', async () => {
  const { outbox, readSlowly, waiting } = createEnvironment(report('1'));
  await outbox.switchTo('ada');
  const finish = await readSlowly();
  void outbox.storeDraft({ draft: report('2').draft });
  outbox.moveFromForm();
  await settled();
  await finish();
  expect(waiting()).toEqual(['1', '2']);
});

it('BUG-5: the network that returns during a try, which then fails, is not missed', async () => {
  const { outbox, delivered, failSlowly } = createEnvironment(report('1'), report('2'));
  await outbox.switchTo('ada');
  const fail = failSlowly();
  const tried = outbox.drain();
  await settled();
  outbox.drainOnReturn();
  fail();
  await tried;
  await settled();
  expect(delivered).toEqual(['1', '2']);
});

it('BUG-5: one is sent now on request, before those that are older, and the others follow', async () => {
  const { outbox, delivered, waiting } = createEnvironment(report('1'), report('2'), report('3'));
  await outbox.switchTo('ada');
  await outbox.sendNow('3');
  expect(delivered).toEqual(['3', '1', '2']);
  expect(waiting()).toEqual([]);
});

it('BUG-5: while it is sent it is listed as such; why it waits is stored with it', async () => {
  const { outbox, delivered, failSlowly, rows } = createEnvironment(report('1'));
  await outbox.switchTo('ada');
  const fail = failSlowly();
  const tried = outbox.sendNow('1');
  await settled();
  expect(outbox.state.get().trying).toEqual(['1']);
  // A second press does nothing.
  await outbox.sendNow('1');
  fail();
  await tried;
  expect(outbox.state.get().trying).toEqual([]);
  expect(delivered).toEqual([]);
  expect(rows.get('1')?.failed).toMatchObject({ status: 503, code: 'UNAVAILABLE', final: false });
  expect(outbox.state.get().waiting[0]?.failed).toMatchObject({
    status: 503,
    code: 'UNAVAILABLE',
    final: false,
  });
});

it('BUG-5: what is discarded while it is sent in vain does not wait again', async () => {
  const { outbox, failSlowly, rows, waiting } = createEnvironment(report('1'));
  await outbox.switchTo('ada');
  const fail = failSlowly();
  const tried = outbox.drain();
  await settled();
  await outbox.discard('1');
  fail();
  await tried;
  expect(waiting()).toEqual([]);
  expect(rows.size).toBe(0);
});
