import { expect, it, vi } from 'vitest';
import { afterThisTest } from '../../testing/fresh-database.ts';
import { createLogger } from '../log/logger.ts';
import { memoryOf } from './memory.ts';

/** A value whose readings the test answers one by one. */
async function held(readings: (() => Promise<string>)[]) {
  const listeners: (() => void)[] = [];
  const log: { msg: string }[] = [];
  const onRead = vi.fn<(value: string) => void>();
  const making = memoryOf({
    read: () => readings.shift()?.() ?? Promise.reject(new Error('read too often')),
    feed: { on: (_topic, listener) => listeners.push(listener as () => void) },
    topics: ['branding'],
    logger: createLogger('info', { write: (line) => log.push(JSON.parse(line) as { msg: string }) }),
    failure: 'it could not be read',
    onRead,
  });
  return {
    memory: async () => {
      const memory = await making;
      afterThisTest(memory.close);
      return memory;
    },
    change: () => listeners.forEach((listener) => listener()),
    onRead,
    log,
  };
}

const answers = (value: string) => () => Promise.resolve(value);

it('RUN-1: is read again after a change, once for all that come during a reading', async () => {
  const slow = Promise.withResolvers<string>();
  const { memory: made, change, onRead } = await held([answers('a'), () => slow.promise, answers('c')]);
  const memory = await made();
  expect(memory.current()).toBe('a');
  change();
  change();
  change();
  const caughtUp = memory.caughtUp();
  expect(memory.current()).toBe('a');
  slow.resolve('b');
  await caughtUp;
  expect(memory.current()).toBe('c');
  expect(onRead.mock.calls).toEqual([['b'], ['c']]);
});

it('RUN-1: a change during the first reading is read after it', async () => {
  const slow = Promise.withResolvers<string>();
  const { memory: made, change } = await held([() => slow.promise, answers('b')]);
  change();
  slow.resolve('a');
  const memory = await made();
  await memory.caughtUp();
  expect(memory.current()).toBe('b');
});

it('RUN-1: a reading that fails leaves what there is, and is repeated after a second', async () => {
  vi.useFakeTimers();
  afterThisTest(() => void vi.useRealTimers());
  const {
    memory: made,
    change,
    log,
  } = await held([answers('a'), () => Promise.reject(new Error('away')), answers('b')]);
  const memory = await made();
  change();
  await memory.caughtUp();
  expect([memory.current(), log.map(({ msg }) => msg)]).toEqual(['a', ['it could not be read']]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(memory.current()).toBe('b');
});

it('RUN-1: what is closed reads nothing more', async () => {
  const slow = Promise.withResolvers<string>();
  const { memory: made, change, onRead } = await held([answers('a'), () => slow.promise]);
  const memory = await made();
  change();
  memory.close();
  slow.resolve('b');
  await memory.caughtUp();
  change();
  await memory.caughtUp();
  expect([memory.current(), onRead.mock.calls]).toEqual(['a', []]);
});
