import { expect, it } from 'vitest';
import { ProblemError } from '#web/platform/calls/problem-error.ts';
import { createBrowser } from '#web/testing/browser.ts';
import { later } from '#web/testing/fake-server.ts';
import { createManualClock, settled } from '#web/testing/manual-clock.ts';
import type { Draft, WaitingReport } from './draft.ts';
import { sendingError } from './feedback-error.ts';
import { createOutbox } from './outbox.ts';

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

const unavailable = () => sendingError(new ProblemError({ status: 503, code: 'UNAVAILABLE', title: '' }));

/** An outbox whose database answers one reading later, with what it held when it was asked. */
function createEnvironment(...reports: WaitingReport[]) {
  const rows = new Map(reports.map((one) => [one.draft.eventId, one]));
  const delivered: string[] = [];
  let held: ReturnType<typeof later> | null = null;
  let fails: Promise<never> | null = null;
  const outbox = createOutbox({
    clock: createManualClock(),
    random: () => 0.5,
    locks: createBrowser().openTab().locks,
    drafts: {
      async readWaiting() {
        const found = [...rows.values()];
        const before = held;
        held = null;
        if (before !== null) await before.promise;
        return found;
      },
      putWaiting: async (_person, one) => void rows.set(one.draft.eventId, one),
      removeWaiting: async (_person, eventId) => void rows.delete(eventId),
    },
    async deliver({ eventId }) {
      const failure = fails;
      fails = null;
      if (failure !== null) await failure;
      delivered.push(eventId);
    },
    onChange: () => {},
    onSent: () => {},
    onRefused: () => {},
    onLoss: (error) => {
      throw error;
    },
  });
  return {
    outbox,
    delivered,
    rows,
    waiting: () => outbox.waiting.get().map(({ draft }) => draft.eventId),
    /** The next try fails as where no server is reached when the returned function is called. */
    failSlowly() {
      const failure = Promise.withResolvers<never>();
      fails = failure.promise;
      return () => failure.reject(unavailable());
    },
    /** Reads; the answer arrives when the returned function is called. */
    readSlowly() {
      const answer = later();
      held = answer;
      const reading = outbox.read();
      return async () => {
        answer.resolve(new Response());
        await reading;
        await settled();
      };
    },
  };
}

it('BUG-5: a report that was sent while the list was being read is not listed again', async () => {
  const { outbox, delivered, readSlowly, waiting } = createEnvironment(report('1'));
  await outbox.belongTo('ada');
  const finish = readSlowly();
  await outbox.drain();
  expect(delivered).toEqual(['1']);
  await finish();
  expect(waiting()).toEqual([]);
  await outbox.drain();
  expect(delivered).toEqual(['1']);
});

it('BUG-5: a report that was added while the list was being read stays in it', async () => {
  const { outbox, readSlowly, waiting } = createEnvironment(report('1'));
  await outbox.belongTo('ada');
  const finish = readSlowly();
  await outbox.add(report('2'));
  await finish();
  expect(waiting()).toEqual(['1', '2']);
});

it('BUG-5: the network that returns during a try, which then fails, is not missed', async () => {
  const { outbox, delivered, failSlowly } = createEnvironment(report('1'), report('2'));
  await outbox.belongTo('ada');
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
  await outbox.belongTo('ada');
  await outbox.sendNow('3');
  expect(delivered).toEqual(['3', '1', '2']);
  expect(waiting()).toEqual([]);
});

it('BUG-5: while it is sent it is listed as such; why it waits is stored with it', async () => {
  const { outbox, delivered, failSlowly, rows } = createEnvironment(report('1'));
  await outbox.belongTo('ada');
  const fail = failSlowly();
  const tried = outbox.sendNow('1');
  await settled();
  expect(outbox.trying()).toEqual(['1']);
  // A second press does nothing.
  await outbox.sendNow('1');
  fail();
  await tried;
  expect(outbox.trying()).toEqual([]);
  expect(delivered).toEqual([]);
  expect(rows.get('1')?.failed).toMatchObject({ status: 503, code: 'UNAVAILABLE', final: false });
  expect(outbox.waiting.get()[0]?.failed).toMatchObject({ status: 503, code: 'UNAVAILABLE', final: false });
});

it('BUG-5: what is discarded while it is sent in vain does not wait again', async () => {
  const { outbox, failSlowly, rows, waiting } = createEnvironment(report('1'));
  await outbox.belongTo('ada');
  const fail = failSlowly();
  const tried = outbox.drain();
  await settled();
  await outbox.remove('1');
  fail();
  await tried;
  expect(waiting()).toEqual([]);
  expect(rows.size).toBe(0);
});
