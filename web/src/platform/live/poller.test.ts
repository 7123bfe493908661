import { expect, it } from 'vitest';
import { createBrowser } from '../../testing/browser.ts';
import { createManualClock, settled } from '../../testing/manual-clock.ts';
import { createPoller } from './poller.ts';
import { createStore } from '../state/store.ts';

const minute = 60_000;

function setUp({ known = false, leads = true, on = true, works = true, random = (): number => 0.5 } = {}) {
  const clock = createManualClock();
  const start = clock.now();
  const tab = createBrowser().openTab();
  const leader = createStore(leads);
  const enabled = createStore(on);
  const polls: number[] = [];
  const environment = {
    works,
    start,
    signals: [] as AbortSignal[],
    answer: null as (() => Promise<boolean>) | null,
  };
  const poller = createPoller(
    { clock, random, leader, presence: tab.presence },
    {
      every: minute,
      enabled,
      ...(known ? { known } : {}),
      poll: (signal) => {
        polls.push(clock.now() - start);
        environment.signals.push(signal);
        return environment.answer?.() ?? Promise.resolve(environment.works);
      },
    },
  );
  return { clock, tab, leader, enabled, polls, environment, poller };
}

it('RIGHT-5: polls at once, then at regular times', async () => {
  const { clock, polls } = setUp();
  await clock.pass(3 * minute);
  expect(polls).toEqual([0, minute, 2 * minute, 3 * minute]);
});

it('MAINT-2: what came with the page is polled after one interval', async () => {
  const { clock, polls, poller } = setUp({ known: true });
  await clock.pass(minute);
  expect(polls).toEqual([minute]);
  await poller.now();
  expect(polls).toHaveLength(2);
});

it('MAINT-2: what came with the page is old once it had to stop', async () => {
  const { enabled, polls } = setUp({ known: true });
  enabled.set(false);
  enabled.set(true);
  await settled();
  expect(polls).toEqual([0]);
});

it('RIGHT-5: after a change it polls until it knows, sooner than usual, also where it does not lead', async () => {
  const { clock, leader, polls, environment, poller } = setUp();
  await settled();
  leader.set(false);
  environment.works = false;
  await poller.now();
  await clock.pass(15_000);
  expect(polls).toEqual([0, 0, 5_000, 15_000]);
  environment.works = true;
  await clock.pass(20_000);
  expect(polls).toEqual([0, 0, 5_000, 15_000, 35_000]);
  await clock.pass(minute);
  expect(polls).toHaveLength(5);
});

it.each([
  [0, 57_000],
  [1, 63_000],
])(
  'FLAG-8 RIGHT-5: the first wait is spread by a twentieth (%d), all later ones are exact',
  async (random, after) => {
    const { clock, polls } = setUp({ random: () => random });
    await clock.pass(after + 3 * minute);
    expect(polls).toEqual([0, after, after + minute, after + 2 * minute, after + 3 * minute]);
  },
);

it('RIGHT-5: the time that an answer takes does not move the next poll', async () => {
  const { clock, polls, environment } = setUp();
  environment.answer = () => new Promise((resolve) => clock.after(7_000, () => resolve(true)));
  await clock.pass(3 * minute);
  expect(polls).toEqual([0, minute, 2 * minute, 3 * minute]);
});

it('RIGHT-5: a tab that begins to lead polls at once when a poll is due, else when it is', async () => {
  const late = setUp({ leads: false });
  await settled();
  late.clock.sleep(5 * minute);
  late.leader.set(true);
  await settled();
  expect(late.polls).toEqual([0, 5 * minute]);

  const early = setUp({ leads: false });
  await early.clock.pass(30_000);
  early.leader.set(true);
  await early.clock.pass(31_000);
  expect(early.polls).toEqual([0, minute]);

  const due = setUp({ leads: false });
  await due.clock.pass(minute);
  due.leader.set(true);
  await settled();
  expect(due.polls).toEqual([0, minute]);
});

it('RIGHT-5: what another tab has polled counts', async () => {
  const { clock, polls, poller } = setUp({ leads: false });
  for (let turn = 0; turn < 10; turn += 1) {
    await clock.pass(minute);
    poller.polledElsewhere();
  }
  expect(polls).toEqual([0]);
});

it('RIGHT-5: what another tab has polled ends the tries after a change', async () => {
  const { clock, polls, environment, poller } = setUp({ leads: false });
  await settled();
  environment.works = false;
  await poller.now();
  poller.polledElsewhere();
  await clock.pass(minute);
  expect(polls).toEqual([0, 0]);
});

it('RIGHT-5: before the first success it tries again sooner, then later each time, at most as often as always', async () => {
  const { clock, polls, environment } = setUp({ works: false });
  await clock.pass(5 * minute);
  expect(polls.map((at) => at / 1000)).toEqual([0, 5, 15, 35, 75, 135, 195, 255]);
  environment.works = true;
  await clock.pass(minute);
  environment.works = false;
  polls.length = 0;
  await clock.pass(2 * minute);
  expect(polls).toHaveLength(2);
});

it('SES-7: polls only while it may, and at once when it may again', async () => {
  const { clock, tab, enabled, polls, poller } = setUp();
  await clock.pass(minute);
  enabled.set(false);
  await poller.now();
  tab.show();
  await clock.pass(10 * minute);
  expect(polls).toHaveLength(2);
  enabled.set(true);
  expect(polls).toHaveLength(3);
});

it('SES-7: what was before it had to stop, and what was under way then, counts for nothing afterwards', async () => {
  const { clock, enabled, polls, environment } = setUp({ works: false });
  const slow = Promise.withResolvers<boolean>();
  await clock.pass(16_000);
  environment.answer = () => slow.promise;
  await clock.pass(20_000);
  expect(polls).toEqual([0, 5_000, 15_000, 35_000]);
  enabled.set(false);
  slow.resolve(true);
  await settled();
  environment.answer = null;
  enabled.set(true);
  await clock.pass(20_000);
  // It knows nothing yet, and the waits start again.
  expect(polls.slice(4)).toEqual([36_000, 41_000, 51_000]);
});

it('RIGHT-5: a tab that does not lead waits for the leader, but not for long, and then as long again', async () => {
  const { clock, polls } = setUp({ leads: false });
  await clock.pass(5 * minute);
  expect(polls).toEqual([0, 2 * minute, 4 * minute]);

  const slept = setUp({ leads: false });
  await settled();
  slept.clock.sleep(0.8 * minute);
  await slept.clock.pass(minute);
  expect(slept.polls).toEqual([0, 1.8 * minute]);
});

it('RIGHT-5: on return it polls at once, and then after one interval', async () => {
  const { clock, tab, polls } = setUp();
  await clock.pass(10_000);
  tab.show();
  await settled();
  expect(polls).toEqual([0, 10_000]);
  await clock.pass(minute);
  expect(polls).toEqual([0, 10_000, 10_000 + minute]);
});

it('SES-7: what another tab has polled does not count where it may not poll itself', async () => {
  const { clock, enabled, polls, poller, environment } = setUp({ on: false });
  environment.works = false;
  poller.polledElsewhere();
  await clock.pass(minute);
  enabled.set(true);
  await clock.pass(5_000);
  expect(polls).toEqual([minute, minute + 5_000]);
});

it('SES-7: a tab that begins to lead does not poll where it may not', async () => {
  const { clock, leader, polls } = setUp({ on: false, leads: false });
  await clock.pass(2 * minute);
  leader.set(true);
  await settled();
  expect(polls).toEqual([]);
});

it('RIGHT-5: a clock that is put back during a poll does not delay the next one', async () => {
  const { clock, polls, environment } = setUp();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  environment.answer = () => promise;
  await clock.pass(minute);
  clock.sleep(-60 * minute);
  resolve(true);
  await clock.pass(1.1 * minute);
  expect(polls).toHaveLength(3);
});
