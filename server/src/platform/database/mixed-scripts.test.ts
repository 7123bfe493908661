import { expect, it } from 'vitest';
import { mixesScripts } from './mixed-scripts.ts';

it('RIGHT-3: knows addresses that mix scripts in one word, or hide a letter', () => {
  expect(['раula@example.org', 'pau\u200bla@example.org', 'paula@exаmple.org'].map(mixesScripts)).toEqual([
    true,
    true,
    true,
  ]);
  expect(
    ['paula@example.org', 'иван@example.org', 'zoë.müller+x@example.org', '田中@example.org', ''].map(
      mixesScripts,
    ),
  ).toEqual([false, false, false, false, false]);
});
