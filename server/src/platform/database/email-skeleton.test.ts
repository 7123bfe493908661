import { describe, expect, it } from 'vitest';
import { emailSkeleton, mixesScripts } from './email-skeleton.ts';

describe('the look of email addresses', () => {
  it.each([
    ['раulа@example.org', 'paula@example.org'],
    ['paula@exаmple.org', 'paula@example.org'],
    ['PAULA@example.org', 'paula@example.org'],
    ['pau1a@example.org', 'paula@example.org'],
    ['rnaria@example.org', 'maria@example.org'],
    ['z0e@example.org', 'zoe@example.org'],
    ['zoë@example.org', 'zoe@example.org'],
    ['pau\u200bla@example.org', 'paula@example.org'],
    ['ραula@example.org', 'paula@example.org'],
    ['ｐａｕｌａ@example.org', 'paula@example.org'],
  ])('RIGHT-3: %s looks like %s', (one, other) => {
    expect(emailSkeleton(one)).toBe(emailSkeleton(other));
  });

  it.each([
    ['paula@example.org', 'paul@example.org'],
    ['paula@example.org', 'paula@example.com'],
    ['anna.b@example.org', 'annab@example.org'],
    ['liv@example.org', 'lia@example.org'],
    ['иван@example.org', 'ivan@example.org'],
  ])('RIGHT-3: %s does not look like %s', (one, other) => {
    expect(emailSkeleton(one)).not.toBe(emailSkeleton(other));
  });
});

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
