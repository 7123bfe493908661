import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createServerClock, pageObservation } from './server-clock.ts';

const hour = 3_600_000;

/** A browser whose server is `ahead` of its local time; each request takes time there and back. */
function setUp(ahead = hour, firstTrip = 0) {
  const clock = createManualClock();
  const server = { ahead };
  const serverTime = clock.now() + ahead - firstTrip / 2;
  const serverClock = createServerClock(clock.now, {
    serverTime,
    sentAt: clock.now() - firstTrip,
    receivedAt: clock.now(),
  });
  return {
    clock,
    server,
    error: () => serverClock.now() - (clock.now() + server.ahead),
    async ask(there: number, back: number) {
      const measured = serverClock.asking();
      await clock.pass(there);
      const read = clock.now() + server.ahead;
      await clock.pass(back);
      measured(read);
    },
  };
}

describe('MAINT-5: the time of the server', () => {
  it('MAINT-5: is taken as read half-way between request and answer, and runs on', async () => {
    const { clock, ask, error } = setUp();
    await ask(200, 200);
    expect(error()).toBe(0);
    await clock.pass(hour);
    expect(error()).toBe(0);
  });

  it('MAINT-5: is taken from the shortest of the recent round trips', async () => {
    const { clock, ask, error } = setUp(hour, 800);
    await ask(10, 40);
    expect(error()).toBe(-15);
    await ask(0, 1_000);
    expect(error()).toBe(-15);
    // By then the good observation is too old to count.
    await clock.pass(16 * 60_000);
    await ask(0, 1_000);
    expect(error()).toBe(-500);
  });

  it('MAINT-5: is never further off than half the shortest round trip', async () => {
    const trip = fc.tuple(fc.nat(3_000), fc.nat(3_000));
    await fc.assert(
      fc.asyncProperty(fc.array(trip, { minLength: 1, maxLength: 8 }), async (trips) => {
        const { ask, error } = setUp(hour, 10_000);
        for (const [there, back] of trips) await ask(there, back);
        const shortest = Math.min(...trips.map(([there, back]) => there + back));
        expect(Math.abs(error())).toBeLessThanOrEqual(shortest / 2);
      }),
    );
  });

  it('MAINT-5: follows when the server’s clock is set, or this computer slept, at the next answer', async () => {
    const { server, ask, error } = setUp();
    await ask(5, 5);
    server.ahead += 90_000;
    await ask(300, 300);
    expect(error()).toBe(0);
    server.ahead -= 2 * hour;
    await ask(300, 300);
    expect(error()).toBe(0);
  });

  it('MAINT-5: comes with the page, whatever the clock of the computer shows', () => {
    const timing = (entry: object[]) =>
      ({ getEntriesByType: () => entry, now: () => 900, timeOrigin: 5 }) as unknown as Performance;
    expect(pageObservation(timing([{ requestStart: 40, responseStart: 100 }]), 7_000)).toEqual({
      serverTime: 7_000,
      sentAt: 40,
      receivedAt: 100,
    });
    expect(pageObservation(timing([]), 7_000)).toEqual({ serverTime: 7_000, sentAt: 0, receivedAt: 900 });
  });
});
