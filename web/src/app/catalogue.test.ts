import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { auditActions, rightCatalogue } from '#contract/features.ts';
import { reportTab } from '#features/feedback/contract/inbox.ts';
import { webhookEvent, webhookShape } from '#features/webhooks/contract/webhooks.ts';
import lateTexts from 'virtual:late-texts';
import { describe, expect, it } from 'vitest';
import { catalogueKey } from '../platform/i18n/isolated.ts';
import type { Catalogue } from '../platform/i18n/i18n.ts';
import { mergeCatalogues } from '../embed/texts.ts';
import { languages } from '../platform/i18n/language.ts';
import { loadCatalogue, loadPart } from './catalogue.ts';
import { screens } from '../features.ts';

const root = join(import.meta.dirname, '../../..');
const plural = /_(?:zero|one|two|few|many|other)$/;
// Texts that are put together from what the server says, such as a right or a problem's code.
const keyForm = /^[A-Z][A-Z0-9_]*(?:_(?:zero|one|two|few|many|other))?$/;

function flatten(catalogue: Catalogue, above = ''): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [key, value] of Object.entries(catalogue)) {
    if (typeof value === 'string') texts.set(above + key, value);
    else for (const [deep, text] of flatten(value, `${above}${key}.`)) texts.set(deep, text);
  }
  return texts;
}

/** Every file of texts of a language, by the folder it stands in. */
function filesOf(language: string): Map<string, Map<string, string>> {
  return new Map(
    globSync(`{web/src/app,features/*/web}/texts/${language}.json`, { cwd: root }).map((file) => [
      file.slice(0, file.lastIndexOf('/')),
      flatten(JSON.parse(readFileSync(join(root, file), 'utf8')) as Catalogue),
    ]),
  );
}

const english = filesOf('en');
const allKeys = new Set([...english.values()].flatMap((texts) => [...texts.keys()]));

const code = globSync('{web/src,features/*/web}/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*'] }).map(
  (file) => ({
    file,
    text: readFileSync(join(root, file), 'utf8'),
  }),
);

const first = flatten(await loadCatalogue('en'));

/** What the keys of those texts begin with that come with a screen or a dialog. */
const lateParts = [...new Set(Object.keys(lateTexts).map((name) => name.split('.', 1)[0] ?? ''))];

const inQuotes = (text: string) => [...text.matchAll(/'([^']+)'/g)].map(([, part = '']) => part);

const textOf = new Map(code.map(({ file, text }) => [file, text]));

const targetOf = (file: string, to: string) =>
  to.startsWith('.')
    ? posix.join(posix.dirname(file), to)
    : to.replace(/^#web\//, 'web/src/').replace(/^#/, '');

/** What is downloaded at once: the file that it begins with, and what the keys of its texts begin with. */
const downloads = [
  {
    from: 'web/src/main.tsx',
    parts: inQuotes(
      (textOf.get('web/src/app/app.tsx') ?? '').match(/\btexts\.add\('[^']+'\)/g)?.join() ?? '',
    ),
  },
  ...code.flatMap(({ file, text }) =>
    [
      ...text.matchAll(
        /\blazyScreen\(\s*async[^;]*?import\('([^']+)'\)[^;]*?,\s*(\[[^\]]+\]|'[^']+'),?\s*\)/g,
      ),
      ...text.matchAll(/\bimport\('([^']+)'\), texts\.add\(('[^']+')\)/g),
    ].map(([, to = '', parts = '']) => ({
      from: targetOf(file, to),
      parts: inQuotes(parts),
    })),
  ),
  ...screens
    .filter(({ path }) => path !== '/')
    .map(({ file, texts = [] }) => ({ from: `features/${file}.tsx`, parts: [texts].flat() })),
];

/** The small pages before the application, which bring all their texts. */
const entries = code
  .filter(({ file }) => file.startsWith('web/src/entry/'))
  .map(({ file, text }) => ({
    from: file,
    parts: [...text.matchAll(/'virtual:texts\/([^']+)'/g)].flatMap(([, keys = '']) => keys.split('+')),
  }))
  .filter(({ parts }) => parts.length > 0);

/** The files that come with this one: those that it imports, and those that it downloads without texts of their own. */
function filesWith(start: string): Set<string> {
  const files = new Set([start]);
  for (const file of files) {
    const text = textOf.get(file);
    if (text === undefined && /\.tsx?$/.test(file)) throw new Error(`There is no ${file}.`);
    for (const [whole, to = ''] of (text ?? '').matchAll(
      /(?:^(?:import|export) (?!type\b)[^;]*?from |\bimport\(\s*)'((?:\.|#web\/|#features\/[^/]+\/web\/)[^']+)'/gm,
    )) {
      const target = targetOf(file, to);
      if (!whole.startsWith('import(') || !downloads.some(({ from }) => from === target)) files.add(target);
    }
  }
  return files;
}

/** The texts that the frames of lists, of one thing and choices of a person read by their place in the catalogue. */
const frameTexts = code.flatMap(({ file, text }) => [
  ...[...text.matchAll(/<\w*PersonChoice\b[^>]*?\btexts="([^"]+)"/g)].flatMap(([, place = '']) =>
    ['NOBODY', 'ME', 'CHOOSE', 'FIND', 'NONE'].map((key) => ({ file, key: `${place}.${key}` })),
  ),
  ...[...text.matchAll(/<ListFrame\b([^]*?)\n?\s*>\n/g)].flatMap(([, properties = '']) => {
    const place = /\btexts="([^"]+)"/.exec(properties)?.[1] ?? '';
    const emptied = /\bempty=/.test(properties) ? ['EMPTY.TITLE', 'EMPTY.TEXT'] : [];
    const cleared = /\bonClear=/.test(properties) ? ['NOTHING_FOUND.TITLE', 'NOTHING_FOUND.TEXT'] : [];
    if (cleared.length > 0 && !/\bclearLabel=/.test(properties)) cleared.push('NOTHING_FOUND.ACTION');
    return [...emptied, ...cleared].map((key) => ({ file, key: `${place}.${key}` }));
  }),
  ...[...text.matchAll(/<DetailPage\b[^]*?\btexts="([^"]+)"/g)].map(([, place = '']) => ({
    file,
    key: `${place}.MISSING.TITLE`,
  })),
]);

/** Those that a frame shows in place of the ones in COMMON. */
const ownFrameTexts = code.flatMap(({ text }) =>
  [...text.matchAll(/<(?:ListFrame|DetailFrame|DetailPage)\b[^>]*?\btexts="([^"]+)"/g)].flatMap(([, place]) =>
    ['FAILED', 'MISSING'].flatMap((why) => [`${place}.${why}.TITLE`, `${place}.${why}.TEXT`]),
  ),
);

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{\{\s*([^}]*?)\s*\}\}/g)].map((match) => match[1] ?? '').toSorted();
}

describe('LOOK-3: the catalogues', () => {
  it.each(languages)(
    'LOOK-3: $label has the same folders, keys and placeholders as English',
    ({ language }) => {
      const own = filesOf(language);
      expect([...own.keys()].toSorted()).toEqual([...english.keys()].toSorted());
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      for (const [folder, texts] of english) {
        const expected = new Set(
          [...texts.keys()].flatMap((key) =>
            plural.test(key) ? forms.map((form) => key.replace(plural, `_${form}`)) : [key],
          ),
        );
        const found = own.get(folder) ?? new Map<string, string>();
        expect([...found.keys()].toSorted(), `${folder}/${language}.json`).toEqual([...expected].toSorted());
        for (const [key, text] of found) {
          const model = texts.get(key) ?? texts.get(key.replace(plural, '_other')) ?? '';
          // A singular may leave the number out: “one person”.
          const uncounted = (name: string) => !(plural.test(key) && name === 'count');
          expect(placeholders(text).filter(uncounted), `${folder}/${language}.json ${key}`).toEqual(
            placeholders(model).filter(uncounted),
          );
          expect(text.trim(), `${folder}/${language}.json ${key} is empty`).not.toBe('');
          // The build leaves texts within texts out of i18next.
          expect(text, `${folder}/${language}.json ${key}`).not.toContain('$t(');
        }
      }
    },
  );

  it.each(languages.filter(({ language }) => language !== 'en'))(
    'LOOK-3: $label repeats no sentence of English',
    ({ language }) => {
      // Languages share words, such as “Description”; a sentence that is the same has not been translated.
      const isSentence = (text: string) =>
        (text.match(/(?<!\{)\b\p{L}{2,}/gu) ?? []).length > 2 && !text.startsWith('npm run ');
      const same = [...filesOf(language)].flatMap(([folder, texts]) =>
        [...texts].filter(([key, text]) => isSentence(text) && text === english.get(folder)?.get(key)),
      );
      expect(same).toEqual([]);
    },
  );

  it('LOOK-3: keys are upper case', () => {
    for (const key of allKeys) for (const part of key.split('.')) expect(part).toMatch(keyForm);
  });

  it('LOOK-3: every key in the code has a text', () => {
    const missing = code.flatMap(({ file, text }) =>
      [
        ...text.matchAll(
          /(?<![\w.])t\(\s*'([^']+)'|\b(?:i18nKey|title|description):\s*'([A-Z][A-Z0-9_]*\.[A-Z0-9_.]+)'/g,
        ),
      ]
        .map((match) => match[1] ?? match[2] ?? '')
        .filter((key) => !allKeys.has(key) && !allKeys.has(`${key}_other`))
        .map((key) => `${file}: ${key}`),
    );
    expect(missing).toEqual([]);
  });

  it('LOOK-3: every frame of a list has its texts', () => {
    expect(frameTexts).not.toEqual([]);
    expect(frameTexts.filter(({ key }) => !allKeys.has(key))).toEqual([]);
  });

  it('LOOK-3 LOOK-4: what comes late is named by the screen or the dialog that it comes with', () => {
    const named = new Set(downloads.flatMap(({ parts }) => parts));
    expect([...named].toSorted()).toEqual(lateParts.toSorted());
  });

  it('LOOK-3 LOOK-4: no file shows a text that may not have come yet', () => {
    expect(filesWith('web/src/main.tsx')).toContain('features/home/web/home-screen.tsx');
    const premature = [...downloads, ...entries].flatMap((download) =>
      [...filesWith(download.from)].flatMap((file) =>
        [...(textOf.get(file) ?? '').matchAll(/'([A-Z][A-Z0-9_]*(?:\.[A-Z0-9_]+)+)'/g)]
          .map(([, key = '']) => [key, `${key}_other`].find((form) => allKeys.has(form)) ?? '')
          .filter((key) => key !== '' && !(first.has(key) && !entries.includes(download)))
          .filter((key) => !download.parts.some((part) => `${key}.`.startsWith(`${part}.`)))
          .map((key) => `${download.from} brings ${file}, but not ${key}`),
      ),
    );
    expect(premature).toEqual([]);
  });

  it.each(languages)(
    'LOOK-3 RIGHT-2: each right and each area has its words in $label',
    async ({ language }) => {
      const texts = new Set([
        ...flatten(await loadCatalogue(language)).keys(),
        ...flatten(await loadPart('RIGHTS', language)).keys(),
      ]);
      const wanted = rightCatalogue.flatMap(({ right, area }) => [
        `RIGHTS.${right}.LABEL`,
        `RIGHTS.${right}.DESCRIPTION`,
        `HOME.AREAS.${catalogueKey(area)}`,
      ]);
      const missing = wanted.filter((key) => !texts.has(key));
      expect(missing, `add to features/<feature>/web/texts/${language}.json`).toEqual([]);
    },
  );

  it.each(languages)(
    'LOOK-3 AUD-1: each action and its area has its words in $label',
    async ({ language }) => {
      const texts = flatten(await loadPart('AUDIT', language));
      const wanted = Object.keys(auditActions).flatMap((action) => [
        `AUDIT.SAYS.${catalogueKey(action)}`,
        `AUDIT.AREAS.${catalogueKey(action).split('.', 1)[0]}`,
      ]);
      const missing = [...new Set(wanted)].filter((key) => !texts.has(key));
      expect(missing, `add to features/<feature>/web/texts/${language}.json`).toEqual([]);
    },
  );

  it.each(languages)(
    'LOOK-3: each message and shape of webhooks and each tab of reports has its words in $label',
    async ({ language }) => {
      const texts = flatten({
        ...(await loadPart('WEBHOOKS', language)),
        ...(await loadPart('REPORTS', language)),
      });
      const wanted = [
        ...webhookEvent.options.map((event) => `WEBHOOKS.EVENTS.${catalogueKey(event.replaceAll('.', '_'))}`),
        ...webhookShape.options.flatMap((shape) =>
          ['NAME', 'HINT'].map((text) => `WEBHOOKS.SHAPES.${catalogueKey(shape)}.${text}`),
        ),
        ...reportTab.options.flatMap((tab) =>
          [
            `TABS.${catalogueKey(tab)}`,
            ...['TITLE', 'TEXT'].map((text) => `EMPTY_TABS.${catalogueKey(tab)}.${text}`),
          ].map((key) => `REPORTS.${key}`),
        ),
      ];
      expect(wanted.filter((key) => !texts.has(key))).toEqual([]);
    },
  );

  it('LOOK-3: every text is used', () => {
    const all = code.map(({ text }) => text).join('\n');
    const prefixes = [...all.matchAll(/`([A-Z][A-Z0-9_]*\.(?:[A-Z0-9_]+\.)*)\$\{/g)].map(
      (match) => match[1] ?? '',
    );
    const inFrames = new Set([...frameTexts.map(({ key }) => key), ...ownFrameTexts]);
    const unused = [...allKeys]
      .map((key) => key.replace(plural, ''))
      .filter((key) => !all.includes(`'${key}'`) && !prefixes.some((prefix) => key.startsWith(prefix)))
      .filter((key) => !inFrames.has(key));
    expect([...new Set(unused)]).toEqual([]);
  });

  it('LOOK-3: catalogues that share upper levels are merged', () => {
    expect(mergeCatalogues([{ A: { B: 'b' } }, { A: { C: 'c' }, D: 'd' }])).toEqual({
      A: { B: 'b', C: 'c' },
      D: 'd',
    });
  });

  it('LOOK-3: no line of French begins with a question mark or a colon', () => {
    const broken = [...filesOf('fr')].flatMap(([folder, texts]) =>
      [...texts]
        .filter(([, text]) => /[\p{L}\p{N})}] [?!;:»]|« /u.test(text))
        .map(([key, text]) => `${folder}/fr.json ${key}: ${text}`),
    );
    expect(
      broken,
      'write a no-break space (U+00A0) before ? ! ; : » and after «, instead of a space',
    ).toEqual([]);
  });
});
