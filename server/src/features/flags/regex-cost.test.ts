import { describe, expect, it } from 'vitest';
import { regexProblem } from './regex-cost.ts';

describe('regular expressions of rules', () => {
  it.each([
    '@example\\.com$',
    '^[a-z]+(\\.[a-z]+)*$',
    '^(foo|bar)-.*$',
    '.*@x\\.(com|org)',
    '^\\w+\\.\\w+@\\w+\\.com$',
    '^v?\\d{1,3}(\\.\\d{1,3}){2}$',
    '(?:^|,)beta(?:,|$)',
    '^(?!internal-).*',
    'https?://(www\\.)?example\\.com/[a-z]*',
    '^/admin/',
    '[^]]',
    'a{,2}',
    '',
  ])('FLAG-3: takes %s', (pattern) => {
    expect(regexProblem(pattern)).toBeNull();
  });

  it.each([
    '(a+)+$',
    '^(a|a)*$',
    '(a|ab)+c',
    '(.*)*',
    '(x+x+)+y',
    '^(a?){25}a{25}$',
    `${'a?'.repeat(20)}${'a'.repeat(20)}`,
    '^([a-z]+\\s?)+$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '^(?=(a+)+b)',
    'foo.*bar.*baz',
    '^.*a.*b.*c',
    '(\\w+)\\1',
  ])('FLAG-3: refuses %s, which a text can make slow', (pattern) => {
    expect(regexProblem(pattern)?.code).toBe('expensive');
  });

  it('FLAG-3: refuses what is not a regular expression', () => {
    expect(regexProblem('(')?.code).toBe('format');
    expect(regexProblem('a'.repeat(501))?.code).toBe('too_big');
  });
});
