import { expect, it } from 'vitest';
import { isolated, spoken } from './isolated.ts';

it('RIGHT-4: a name of another direction reorders nothing around it; any other is unchanged', () => {
  const plain = ['/staff/field', 'Büro 7 <b>', '🚚 movers', '地図', ''];
  expect(plain.map(isolated)).toEqual(plain);
  const turning = ['مجموعة', 'צוות 7', 'crew\u202Egnp.exe'];
  expect(turning.map(isolated)).toEqual(turning.map((name) => `\u2068${name}\u2069`));
});

it('RIGHT-3: of a long name only the beginning is announced, in whole letters', () => {
  expect(spoken('x'.repeat(60))).toBe('x'.repeat(60));
  expect(spoken('👩‍🚒'.repeat(61))).toBe(`\u2068${'👩‍🚒'.repeat(60)}…\u2069`);
});
