import { expect, it } from 'vitest';
import { settled } from '../../testing/manual-clock.ts';
import { createRefresher } from './refresher.ts';

function setUp() {
  const runs: { signal: AbortSignal; finish: () => void }[] = [];
  const refresher = createRefresher(
    (signal) => new Promise((resolve) => runs.push({ signal, finish: () => resolve() })),
  );
  return { runs, refresher };
}

it('RIGHT-5: what is asked for during a run joins it', async () => {
  const { runs, refresher } = setUp();
  const both = Promise.all([refresher.run(), refresher.run()]);
  runs[0]?.finish();
  await both;
  expect(runs).toHaveLength(1);
});

it('RIGHT-5: a change during a run leads to exactly one more run, which its callers wait for', async () => {
  const { runs, refresher } = setUp();
  const first = refresher.run();
  let wished = 0;
  for (let wish = 0; wish < 5; wish += 1) void refresher.again().then(() => (wished += 1));
  runs[0]?.finish();
  await settled();
  expect([runs.length, wished]).toEqual([2, 0]);
  runs[1]?.finish();
  await first;
  await settled();
  expect([runs.length, wished]).toEqual([2, 5]);
});

it('SES-7: a cancelled run leads to no other, and does not block the next', async () => {
  const { runs, refresher } = setUp();
  void refresher.run();
  void refresher.again();
  refresher.cancel();
  expect(runs[0]?.signal.aborted).toBe(true);
  const next = refresher.run();
  runs[0]?.finish();
  await settled();
  void refresher.run();
  expect(runs).toHaveLength(2);
  runs[1]?.finish();
  await next;
  expect(runs).toHaveLength(2);
});
