import { expect, it } from 'vitest';
import { report } from '#features/feedback/contract/feedback.ts';
import { readOptions, readTags, themeOf } from './options.ts';
import { baseOf, tagOf } from './place.ts';
import { forShadow } from './shadow-css.ts';
import { readSteps } from './steps.ts';

it.each([
  ['https://shop.example.org/portico/portico.js', 'https://shop.example.org/portico'],
  ['https://shop.example.org/portico/assets/embed-1a2b.js', 'https://shop.example.org/portico'],
  ['https://shop.example.org/portico.js?v=2', 'https://shop.example.org'],
  ['http://localhost:3000/assets/embed-1a2b.js', 'http://localhost:3000'],
  ['https://shop.example.org/a/assets/portico.js', 'https://shop.example.org/a'],
])('GATE-3: from the address %s everything is below %s', (script, base) => {
  expect(baseOf(script)).toBe(base);
});

it('GATE-3: the options are those of the tag with the script, however it is versioned', () => {
  const tag = (src: string) => ({ src }) as HTMLScriptElement;
  const own = tag('https://shop.example.org/portico/portico.js?v=2#x');
  const scripts = [tag(''), tag('https://shop.example.org/portico.js'), own];
  const page = { scripts } as unknown as Document;
  expect(tagOf(page, 'https://shop.example.org/portico')).toBe(own);
  expect(tagOf(page, 'https://elsewhere.example.org')).toBeNull();
});

it.each([
  [
    { order: 4711, paid: false, cart: { items: 2 }, empty: undefined, none: null },
    { order: '4711', cart: '{"items":2}' },
  ],
  [{ ['k'.repeat(99)]: 'v'.repeat(999), ' ': 'x' }, { ['k'.repeat(64)]: 'v'.repeat(200) }],
  [Object.fromEntries(Array.from({ length: 99 }, (_each, at) => [`t${at}`, at])), { t0: '0', t49: '49' }],
  [undefined, {}],
  [null, {}],
])('BUG-5: a report is not refused for the tags of an application: %#', (given, tags) => {
  expect(readTags(given)).toMatchObject(tags);
  expect(report.safeParse({ message: 'm', tags: readTags(given) }).success).toBe(true);
});

it('GATE-3: an option that is left out, or holds nothing known, has its default', () => {
  const usual = readOptions();
  expect(usual).toEqual({
    report: true,
    banner: 'push',
    notices: true,
    leaves: true,
    position: 'right',
    theme: null,
    language: null,
    release: '',
  });
  expect(readOptions({ report: 'no', banner: 'x', position: 'top', theme: 'pink', language: 'xx' })).toEqual(
    usual,
  );
  const set = { report: 'off', banner: 'over', notices: 'off', maintenance: 'stay', position: 'left' };
  expect(readOptions({ ...set, theme: 'dark', language: 'de-AT', release: '2.1' })).toEqual({
    report: false,
    banner: 'over',
    notices: false,
    leaves: false,
    position: 'left',
    theme: 'dark',
    language: 'de',
    release: '2.1',
  });
});

it.each([
  ['normal', 'light'],
  ['light', 'light'],
  ['dark', 'dark'],
  ['light dark', 'auto'],
  ['only light', 'light'],
])('GATE-3: in a page whose color-scheme is %s the theme is %s', (scheme, theme) => {
  expect(themeOf(scheme)).toBe(theme);
});

it('GATE-3: a style sheet of a page becomes one of the shadow root', () => {
  expect(forShadow(":root,[data-theme='light']{--text:0.75rem}")).toBe(
    ".portico,[data-theme='light']{--text:calc(0.75 * var(--rem))}",
  );
  expect(forShadow(":root:not([data-theme='light']){a:b}")).toBe(".portico:not([data-theme='light']){a:b}");
  expect(forShadow('html {\n font-size: 1rem;\n}\n\nbody, .tbody {}')).toBe(
    '.portico {\n font-size: calc(1 * var(--rem));\n}\n\n.portico, .tbody {}',
  );
  expect(forShadow('.html-body{width:12px;margin:-1.5rem}')).toBe(
    '.html-body{width:12px;margin:calc(-1.5 * var(--rem))}',
  );
});

it.each([[null], ['{'], ['[]'], ['{"of":1,"steps":[]}'], ['{"of":"mia"}'], ['null']])(
  'GATE-3: stored steps that are none of ours (%s) are no steps',
  (text) => {
    expect(readSteps(text)).toEqual({ of: '', steps: [] });
  },
);
