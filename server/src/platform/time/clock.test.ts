import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { afterThisTest } from '#server/testing/fresh-database.ts';
import { within } from './clock.ts';

it('FLAG-21 RUN-2: who waits for a time gives up a late answer, but not for a standstill of their own', async () => {
  const { port1, port2 } = new MessageChannel();
  afterThisTest(() => port1.close());
  const answer: Promise<unknown> = once(port1, 'message');
  expect(await within(1, answer, 'late')).toBe('late');
  // From here on timers are looked at before messages.
  await new Promise((done) => setImmediate(done));
  const waited = within(20, answer, 'late');
  port2.postMessage('in time');
  const end = performance.now() + 50;
  while (performance.now() < end);
  expect(await waited).toEqual(['in time']);
});
