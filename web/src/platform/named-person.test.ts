import { expect, it } from 'vitest';
import { initials } from './named-person.ts';

it.each([
  ['Ada Lovelace', 'AL'],
  ['Ada King Lovelace', 'AL'],
  ['Ada', 'A'],
  ['ada.lovelace@example.org', 'AL'],
  ['élise', 'É'],
  ['𝒜da', '𝒜'],
  ['', ' '],
])('LOOK-1: “%s” is drawn as “%s”', (name, expected) => {
  expect(initials(name)).toBe(expected);
});
