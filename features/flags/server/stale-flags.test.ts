import { expect, it } from 'vitest';
import { valueForEveryone } from './stale-flags.ts';

it('CON-2: a flag is stale only if its first rule, or its default, is for everyone', () => {
  expect(valueForEveryone(false, [])).toBe(false);
  expect(valueForEveryone(false, [{ id: 'a', force: true }, { condition: { role: 'x' } }])).toBe(true);
  expect(valueForEveryone(false, [{ force: true, coverage: 1, condition: {}, hashAttribute: 'id' }])).toBe(
    true,
  );
  for (const rule of [
    { force: true, condition: { role: 'operator' } },
    { force: true, coverage: 0.2, hashAttribute: 'id' },
    { force: true, parentConditions: [{ id: 'OTHER', condition: { value: true } }] },
    { variations: [true, false] },
    { force: true, unheardOf: 1 },
  ])
    expect([rule, valueForEveryone(false, [rule])]).toEqual([rule, undefined]);
});
