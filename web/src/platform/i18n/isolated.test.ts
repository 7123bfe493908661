import { expect, it } from 'vitest';
import { isolated } from './isolated.ts';

it('RIGHT-4: a name of another direction turns nothing around it; any other stays as it is', () => {
  const plain = ['/staff/field', 'Büro 7 <b>', '🚚 movers', '地図', ''];
  expect(plain.map(isolated)).toEqual(plain);
  const turning = ['مجموعة', 'צוות 7', 'crew\u202Egnp.exe'];
  expect(turning.map(isolated)).toEqual(turning.map((name) => `\u2068${name}\u2069`));
});
