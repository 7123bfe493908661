import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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
    '^(?:alice|anna|adam|ada|al|alan|andrew|arno)@example\\.com$',
    '^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?$',
    '^(?:en|en-US|en-GB|de|de-AT|fr)$',
    '^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$',
    '\\b(?:bot|crawl(?:er)?|spider|slurp|bingbot|googlebot|google)\\b',
    `^(?:${Array.from({ length: 60 }, (_, index) => `a${index}@x`).join('|')})$`,
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
    '^(?:a|a){30}b',
    '^(?:a|.){24}!',
    '(?:a|b|ab){24}!',
    `^${'(?:a|a)'.repeat(25)}b`,
    `^${'(?:a|ab?)'.repeat(25)}!`,
    '^(?:(?:(?:a|a){3}){3}){3}b',
    '^(?=(?:я|я){30}!)',
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

  /** Repeats a part, and adds something that the whole repetition could have matched. */
  const times = (part: string, count: number, after = 'a') => part.repeat(count) + after;

  it.each([
    ['an optional unit doubles the ways', times('a?', 5), times('a?', 6)],
    ['so does one that may come once more', times('a{2,3}', 5), times('a{2,3}', 6)],
    ['one of none to three multiplies them by four', times('a{0,3}', 2), times('a{0,3}', 3)],
    ['up to ten times is a choice, more often is no end', times('a{0,11}', 3), times('a{0,10}', 2)],
    ['alternatives that take the same', '(?:a|a){5}b', '(?:a|a){6}b'],
    ['three of them', '(?:a|a|a){3}b', '(?:a|a|a){4}b'],
    ['and what looks ahead', '(?=(?:a|a){5}b)', '(?=(?:a|a){6}b)'],
    ['next to each other', `(?:${times('a|', 31)})`, `(?:${times('a|', 32)})`],
    ['a group that may be left out', times('(?:ab?)?', 5), times('(?:ab?)?', 6)],
    ['what may be empty is looked through', times('(?:a?b?)', 3), times('(?:a?b?)', 4)],
    ['also where it is always empty', times('a?(?:)', 5), times('a?(?:)', 6)],
    ['or takes nothing', times('a?\\b', 5), times('a?\\b', 6)],
    ['what stands between ends it', times('a?c', 6), times('a?c?', 6)],
    ['the worst of the alternatives counts, whichever it is', `x|${times('a?', 5)}`, `x|${times('a?', 6)}`],
    ['the first as well', `${times('a?', 5)}|x`, `${times('a?', 6)}|x`],
    ['what one alternative takes and the next begins with', times('(?:a|b)?', 5), times('(?:a|b)?', 6)],
    ['a look takes nothing from what follows it', times('(?=a?)a?', 5), times('(?=a?)a?', 7)],
    ['a repetition within one needs something between', '(?:a+b){3}', '(?:a+){2}'],
    ['however deep it stands', '(?:(?:a+)b){3}', '(?:(?:a+)){2}'],
    ['in one of several alternatives too', '(?:c|a+b){3}', '(?:b|a+){3}'],
    ['which may not be left out', '(?:a{1,5}b)+', '(?:a{1,5}b?)+'],
    ['without regard to case the same letter is met', '(?:a|B)+$', '(?:a|A)+$'],
    ['and with regard to it another', '^(?:[^aA]|A)+$', '^(?:[^a]|A)+$'],
  ])('FLAG-3: draws the line at 32 ways: %s', (_what, taken, refused) => {
    expect([regexProblem(taken), regexProblem(refused)?.code]).toEqual([null, 'expensive']);
  });

  it.each([
    '(?:aa{0,2})(?:[ab]{3,14}aa{5}){1,2}',
    'aa{0,2}b{0,2}(?:a{0,3}){1,2}',
    '(?:a{2}a?a|[ab]?|b){1,2}',
    `${'(?:a?|b)'.repeat(5)}a`,
    `${'(?:a|b?)'.repeat(5)}a`,
  ])('FLAG-3: refuses %s, whose parts are optional within each other', (pattern) => {
    expect(regexProblem(pattern)?.code).toBe('expensive');
  });

  it('FLAG-3: refuses what is not a regular expression, and more than 500 characters', () => {
    expect(regexProblem('(')?.code).toBe('format');
    expect(regexProblem('a'.repeat(500))).toBeNull();
    expect(regexProblem('a'.repeat(501))?.code).toBe('too_big');
  });
});

/** An expression that stands in a source as `/…/`. */
const literal =
  /(?<=[=(,:!&|?;[{\s])\/(?![*/\s])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/[dgimsuvy]*(?=[\s.,;)\]}:]|$)/gm;
/** Where all repetitions are counted and few, or read what operators configure. */
const looked = ['config-upstreams.ts', 'client-words.ts'];

it('API-2: of the server itself none takes exponentially long, whatever a client sends', () => {
  const root = join(import.meta.dirname, '../../..');
  const folders = '{contract/src,server/src,features/*/contract,features/*/server}';
  const sources = globSync(`${folders}/**/*.ts`, { cwd: root, exclude: ['**/*.test.ts'] });
  const found = sources.flatMap((file) => {
    const expressions = [...readFileSync(join(root, file), 'utf8').matchAll(literal)].map(
      ([, source = '']) => source,
    );
    // What a class of Unicode holds makes no difference here.
    const plain = expressions.map((source) => source.replaceAll(/\\p\{[^}]*\}/gi, '[a-z]'));
    const slow = plain.filter((source) => regexProblem(source)?.message.startsWith('can take very long'));
    return looked.includes(basename(file)) ? [] : slow;
  });
  expect(sources.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});
