import { expect, it } from 'vitest';
import { waitAfter, waitAfterRequest } from './attempt-wait.ts';

it('SES-3: guesses wait for longer and longer, a quarter of an hour at most', () => {
  expect(Array.from({ length: 18 }, (_, guesses) => waitAfter(guesses) / 1000)).toEqual([
    0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900,
  ]);
  expect(waitAfter(1_000_000)).toBe(900_000);
});

it('SES-3: wishes for a new password wait from the second on, an hour at most', () => {
  expect(Array.from({ length: 9 }, (_, before) => waitAfterRequest(before + 1) / 60_000)).toEqual([
    1, 2, 4, 8, 16, 32, 60, 60, 60,
  ]);
});
