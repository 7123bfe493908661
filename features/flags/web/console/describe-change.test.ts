import type { FlagVersion } from '#features/flags/contract/flags.ts';
import { createInstance } from 'i18next';
import { expect, it } from 'vitest';
import { describeChange } from './describe-change.ts';
import { unmarked } from './describe-rule.ts';
import en from '../texts/en.json' with { type: 'json' };

type State = FlagVersion['flag'];
const before: State = {
  type: 'boolean',
  description: '',
  defaultValue: false,
  enabled: false,
  forSignedOut: false,
  killSwitch: false,
  rules: [],
  tags: [],
};
const role = { condition: { role: 'tester' }, force: true };
const ramp = (more: object) => ({
  force: true,
  schedule: { from: 0, zone: 'UTC' },
  ramp: { steps: [{ coverage: 0.2, minutes: 60 }, { coverage: 1 }], ...more },
});
const share = (coverage: number) => ({ force: true, coverage });

it.each<[Partial<State>, Partial<State>, string[]]>([
  [{}, {}, []],
  [{}, { enabled: true, defaultValue: true }, ['Turned on', 'Default value: false → true']],
  [{ type: 'string', tags: ['a'] }, { type: 'json', tags: [] }, ['Type: text → JSON', 'Tags: a → –']],
  [
    { description: 'x', forSignedOut: true },
    {},
    ['Purpose changed', 'No longer for visitors who are not signed in'],
  ],
  [{ rules: [role, share(0.2)] }, { rules: [role, share(0.5)] }, ['Rule 2: 20% → 50%']],
  [{ rules: [role, share(0.2)] }, { rules: [share(0.2), role] }, ['Rules in another order']],
  [{ rules: [ramp({})] }, { rules: [ramp({ paused: 5 })] }, ['Rule 1: paused at 20%']],
  [
    { rules: [ramp({ paused: 5 })] },
    { rules: [ramp({ anchor: { step: 0, since: 9 } })] },
    ['Rule 1: resumed at 20%'],
  ],
  [{ rules: [ramp({})] }, { rules: [ramp({ anchor: { step: 1, since: 9 } })] }, ['Rule 1: ended, 100%']],
  [
    { rules: [ramp({ anchor: { step: 1, since: 9 } })] },
    { rules: [ramp({ anchor: { step: 0, since: 19 }, paused: 19, held: 4 })] },
    ['Rule 1: taken back to 20%, since errors increased'],
  ],
  [{ rules: [role] }, { rules: [role, role] }, ['Rule 2 added: If role is tester']],
  [{ rules: [share(0.2), role] }, { rules: [role] }, ['Rule 1 removed: 20% of everyone, by id']],
  [{ rules: [role] }, { rules: [{ ...role, force: false }] }, ['Rule 1: true → false']],
  [{ rules: [role] }, { rules: [{ ...role, hashVersion: 2 }] }, ['Rule 1: further settings changed']],
  [
    { rules: [role] },
    { rules: [{ condition: { role: 'guest' }, force: true }] },
    ['Rule 1: If role is tester → If role is guest'],
  ],
])('FLAG-14: from %j to %j', async (was, is, sentences) => {
  const i18n = createInstance();
  await i18n.init({
    lng: 'en',
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
  });
  const found = describeChange({ ...before, ...was }, { ...before, ...is }, { t: i18n.t, locale: 'en' });
  expect(found.map((each) => unmarked(each).replaceAll(/[\u2066-\u2069]/g, ''))).toEqual(sentences);
});
