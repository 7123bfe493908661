import { expect, it } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import { createServerClock } from './server-clock.ts';

it("MAINT-3: tells the server's time on a computer whose clock is wrong", async () => {
  const clock = createManualClock();
  const server = createServerClock(clock, { serverTime: clock.now() - 3_600_000, receivedAt: clock.now() });
  await clock.pass(1_000);
  expect(server.now()).toBe(clock.now() - 3_600_000);
  expect(server.offset()).toBe(-3_600_000);
});

it('MAINT-3: takes the time of an answer as read half-way between asking and hearing', async () => {
  const clock = createManualClock();
  const server = createServerClock(clock, { serverTime: clock.now(), receivedAt: clock.now() });
  const sentAt = clock.now();
  await clock.pass(400);
  server.observe(sentAt + 5_200, sentAt, clock.now());
  expect(server.offset()).toBe(5_000);
});
