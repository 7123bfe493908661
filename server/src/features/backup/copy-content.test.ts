import { expect, it } from 'vitest';
import { forEachOf } from './copy-content.ts';

it('RUN-4: works through a list, four at a time', async () => {
  const [begun, open] = [[] as number[], [] as (() => void)[]];
  const done = forEachOf([1, 2, 3, 4, 5, 6], (item) => {
    begun.push(item);
    return new Promise((resolve) => open.push(resolve));
  });
  expect(begun).toEqual([1, 2, 3, 4]);
  for (const next of [5, 6]) {
    open.shift()?.();
    await expect.poll(() => begun.at(-1)).toBe(next);
  }
  for (const finish of open) finish();
  await done;
});

it('RUN-4: after a failure begins nothing more, and fails once what was under way has ended', async () => {
  const begun: number[] = [];
  const slow = Promise.withResolvers<void>();
  let isOver = false;
  const outcome = forEachOf([1, 2, 3, 4, 5, 6], async (item) => {
    begun.push(item);
    if (item === 2) throw new Error('of the second');
    await slow.promise;
  }).then(
    () => 'done',
    (error: Error) => {
      isOver = true;
      return error.message;
    },
  );
  await expect.poll(() => begun.length).toBe(4);
  expect(isOver).toBe(false);
  slow.resolve();
  expect(await outcome).toBe('of the second');
  expect(begun).toEqual([1, 2, 3, 4]);
});
