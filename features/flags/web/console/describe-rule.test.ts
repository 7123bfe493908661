import type { FlagRule } from '#features/flags/contract/flags.ts';
import { createInstance } from 'i18next';
import { describe, expect, it } from 'vitest';
import { markedParts, describeRule, describeServedValues, shortValue, unmarked } from './describe-rule.ts';
import { servedValuesOf } from './flag-words.ts';
import de from '../texts/de.json' with { type: 'json' };
import en from '../texts/en.json' with { type: 'json' };
import fr from '../texts/fr.json' with { type: 'json' };

async function optionsIn(locale: 'en' | 'de' | 'fr') {
  const i18n = createInstance();
  await i18n.init({
    lng: locale,
    resources: { en: { translation: en }, de: { translation: de }, fr: { translation: fr } },
    interpolation: { escapeValue: false },
  });
  return { t: i18n.t, locale };
}

const role = { role: { $in: ['operator', 'support'] } };

describe('FLAG-10: rules as sentences', () => {
  it.each<[FlagRule, string]>([
    [{ condition: { $savedGroup: { id: 'grp_a' } }, force: 1 }, 'If in segment grp_a'],
    [
      { condition: { $and: [{ $not: { $savedGroup: { id: 'grp_a' } } }, { id: 'x' }] }, force: 1 },
      'If not in segment grp_a and id is x',
    ],
    [{ condition: role, force: true }, 'If role is operator or support'],
    [{ coverage: 0.2, force: true }, '20% of everyone, by id'],
    [{ coverage: 0.125, hashAttribute: 'company', force: true }, '12.5% of everyone, by company'],
    [{ force: 1 }, 'Everyone'],
    [
      {
        force: true,
        hashAttribute: 'id',
        schedule: { from: Date.UTC(2026, 10, 30, 8), until: Date.UTC(2027, 6, 1), zone: 'Europe/Berlin' },
        ramp: { steps: [{ coverage: 0.2, minutes: 1_440 }, { coverage: 0.5, minutes: 90 }, { coverage: 1 }] },
      },
      '20% of everyone, by id, from Monday, November 30, 2026 at 9:00 AM (Berlin), then 1 day later 50%, 1 hour, 30 minutes later 100%, until Thursday, July 1, 2027 at 2:00 AM (Berlin)',
    ],
    [
      {
        force: true,
        schedule: { from: Date.UTC(2026, 10, 30, 8), zone: 'UTC' },
        ramp: { steps: [{ coverage: 1 }], guard: { project: 2, events: 20, factor: 1.5, minutes: 90 } },
      },
      'Everyone, from Monday, November 30, 2026 at 8:00 AM (UTC); back one step if Project 2 has 20 errors within 1 hour, 30 minutes, 1.5 times as many as before',
    ],
    [{ variations: [1, 2], hashAttribute: 'id' }, 'Everyone, distributed by id'],
    [
      { condition: role, coverage: 0.5, force: 1 },
      'If role is operator or support: 50% of these people, by id',
    ],
    [
      { condition: { $or: [{ age: { $gte: 18 } }, { a: 'x', b: '2' }] }, force: 1 },
      'If age is at least 18 or (a is x and b is "2")',
    ],
    [{ condition: { $not: { id: 'x' } }, force: 1 }, 'If not (id is x)'],
    [
      { condition: { tags: { $elemMatch: { $in: ['x'] } } }, force: 1 },
      'If {"tags":{"$elemMatch":{"$in":["x"]}}}',
    ],
    [
      { parentConditions: [{ id: 'NEW_MAP', condition: { value: true } }], force: 1 },
      'If flag NEW_MAP is true',
    ],
    [{ namespace: ['n', 0, 0.5], force: 1 }, 'If namespace applies'],
  ])('FLAG-10: %j', async (rule, sentence) => {
    expect(unmarked(describeRule(rule, await optionsIn('en')))).toBe(sentence);
  });

  it('FLAG-10: say the same in German and French', async () => {
    const rule = { condition: role, coverage: 0.2, force: true };
    const said = async (locale: 'de' | 'fr') =>
      unmarked(describeRule(rule, await optionsIn(locale))).replaceAll(/\s/g, ' ');
    expect(await said('de')).toBe('Wenn role = operator oder support: 20 % dieser Personen, nach id');
    expect(await said('fr')).toBe('Si role est operator ou support : 20 % de ces personnes, selon id');
  });

  it('FLAG-10: names and values are told apart from the words', async () => {
    const parts = markedParts(describeRule({ condition: { role: 'x' }, force: 1 }, await optionsIn('en')));
    expect(parts.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'words: If ',
      'name: role',
      'words:  is ',
      'value: x',
    ]);
  });

  it('FLAG-10: a text that could be taken for something else has quotes', () => {
    expect(['x', 'true', '2', '', ' a', true, 2, null].map(shortValue)).toEqual([
      'x',
      '"true"',
      '"2"',
      '""',
      '" a"',
      'true',
      '2',
      'null',
    ]);
  });
});

describe('FLAG-10: what a flag serves, in the list', () => {
  it.each<[FlagRule[], string]>([
    [[], 'false for everyone'],
    [[{ force: true }], 'true for everyone'],
    [[{ coverage: 0.2, force: true }], '20% → true, otherwise false'],
    [[{ coverage: 0, force: true }], '0% → true, otherwise false'],
    [[{ condition: role, force: true }], '1 rule → true, otherwise false'],
    [
      [
        { condition: role, force: true },
        { coverage: 0.2, force: true },
      ],
      '2 rules → true, otherwise false',
    ],
    [[{ condition: role, force: false }, { force: true }], '1 rule → false, otherwise true'],
    [[{ condition: role, force: true }, { force: true }], 'true for everyone'],
    [[{ variations: [true, false], weights: [0.3, 0.7] }], '30% → true, 70% → false'],
    [[{ parentConditions: [{ id: 'A', condition: { value: true }, gate: true }] }], 'false for some'],
    [
      [1, 2, 3, 4].map((force) => ({ condition: role, force })),
      '1 rule → 1, 1 rule → 2, 2 more, otherwise false',
    ],
  ])('FLAG-10: %j', async (rules, served) => {
    expect(
      describeServedValues(servedValuesOf({ rules, defaultValue: false }, 0), await optionsIn('en')),
    ).toBe(served);
  });
});
