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
    'Mozilla.*Windows.*Chrome',
    'Mozilla/5\\.0 .*\\(.*\\) .*Chrome/(1[2-9]\\d|[2-9]\\d\\d)\\..*Safari/.*',
    'foo.*bar.*baz',
    '(a|ab)+c',
    '^.*a.*b.*c',
    'iPhone|iPad|iPod|Android',
    'Chrome/1[0-3]\\d\\.',
    'Firefox/(\\d+)\\.(\\d+)',
    '(?=.*Safari)(?!.*Chrome)',
    'Edg(?:e|A|iOS)?/[\\d.]+',
    'bot|crawl|spider|slurp',
    '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
    '^[\\w.+-]+@[\\w-]+(\\.[\\w-]+)*\\.[a-z]{2,}$',
    '.+@example\\.com$',
    '.+@(sales|support)\\.example\\.(com|org|de)$',
    "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*$",
    '^\\d+\\.\\d+\\.\\d+(?:-[0-9A-Za-z.-]+)?(?:\\+[0-9A-Za-z.-]+)?$',
    '^[0-9]+(\\.[0-9]+)*$',
    '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)$',
    '^/(?:de|en|fr)/(?:shop|cart)(?:/.*)?$',
    '/products/\\d+(/[a-z-]+)?/?(\\?.*)?$',
    '^https://([a-z0-9-]+\\.)*example\\.com(:\\d+)?(/|$)',
    '^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}$',
    '[?&]utm_source=[^&]+',
    '^(de|fr|it)(-(CH|AT|DE|FR))?$',
    '^[a-z]{2}(-[A-Z]{2})?(,[a-z]{2}(-[A-Z]{2})?)*$',
    '^(?:de|en)(?:[-_][A-Za-z]+)*$',
    '^(\\d{1,3}\\.){3}\\d{1,3}$',
    '^10\\.|^192\\.168\\.|^172\\.(1[6-9]|2\\d|3[01])\\.',
    '^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
    '^(?=.*\\d)(?=.*[a-z]).{8,}$',
    '^.{1,200}$',
    '[А-Яа-яЁё]+',
    '^[\\u0E00-\\u0E7F\\s]+$',
    '[\\ud800-\\udbff][\\udc00-\\udfff]',
    '^(?<land>[A-Z]{2})\\d{2}[A-Z0-9]{11,30}$',
    '^\\s*(yes|true|1)\\s*$',
    '(?<!\\.test)\\.example\\.com$',
    '^[+]?\\d{1,3}[ -]?\\(?\\d+\\)?[ \\d-]+$',
  ])('FLAG-3: takes %s', (pattern) => {
    expect(regexProblem(pattern)).toBeNull();
  });

  it.each([
    '(a+)+$',
    '^(a|a)*$',
    '(.*)*',
    '(x+x+)+y',
    '^(a?){25}a{25}$',
    `${'a?'.repeat(20)}${'a'.repeat(20)}`,
    '^([a-z]+\\s?)+$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '^(?=(a+)+b)',
    '(\\w+)\\1',
    '^([а-я]+)*$',
    '^(?:ก|ก)+$',
    '^(?:[а-яё]+|ж)+$',
    '^(?:\\u0444+)+$',
    '^([^a]+|я)+$',
    '^(?:Я|я+)+$',
    '^(?:[\\ud83d\\ude00]|\\ud83d)+$',
    '(?<имя>я+)+!',
    '^(?:(?:a{50}){50}){50}$',
    '(?i:a)',
  ])('FLAG-3: refuses %s, which a text can make slow', (pattern) => {
    expect(regexProblem(pattern)?.code).toBe('expensive');
  });

  it('FLAG-3: refuses what is not a regular expression', () => {
    expect(regexProblem('(')?.code).toBe('format');
    expect(regexProblem('a'.repeat(501))?.code).toBe('too_big');
  });
});
