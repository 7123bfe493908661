import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditActions } from '@portico/contract/audit';
import { rightCatalogue } from '@portico/contract/permissions';
import { webhookEvent } from '@portico/contract/webhooks';
import { describe, expect, it } from 'vitest';
import { catalogueKey } from '../platform/i18n/catalogue-key.ts';
import type { Catalogue } from '../platform/i18n/i18n.ts';
import { mergeCatalogues } from '../platform/i18n/merge-catalogues.ts';
import { languages } from '../platform/i18n/language.ts';
import { loadCatalogue, loadPart } from './catalogue.ts';
import { screens } from '../features.ts';

const source = join(import.meta.dirname, '..');
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
    globSync(`**/texts/${language}.json`, { cwd: source }).map((file) => [
      file.slice(0, file.lastIndexOf('/')),
      flatten(JSON.parse(readFileSync(join(source, file), 'utf8')) as Catalogue),
    ]),
  );
}

const english = filesOf('en');
const allKeys = new Set([...english.values()].flatMap((texts) => [...texts.keys()]));

const code = globSync('**/*.{ts,tsx}', { cwd: source, exclude: ['**/*.test.*'] }).map((file) => ({
  file,
  text: readFileSync(join(source, file), 'utf8'),
}));

/** The texts that a file comes with: those of the nearest folder above it that has any. */
function ownTexts(file: string): Map<string, string> {
  for (let folder = file; folder.includes('/');) {
    folder = folder.slice(0, folder.lastIndexOf('/'));
    const texts = english.get(`${folder}/texts`);
    if (texts !== undefined) return texts;
  }
  return new Map();
}

/** The small pages before the application are built with their own texts and may repeat one. */
function isBeforeTheApplication(file: string): boolean {
  return /^entry\/|^features\/identity-provider\/(?!own-password\/)/.test(file);
}

const first = flatten(await loadCatalogue('en'));
const isFirst = (folder: string) =>
  [...(english.get(folder) ?? new Map()).keys()].every((key) => first.has(key));

/** The folders of features whose texts come with a screen or a dialog. */
const lazyParts = [...english.keys()]
  .filter(
    (folder) => !isBeforeTheApplication(folder) && !isFirst(folder) && !folder.endsWith('/in-audit/texts'),
  )
  .map((folder) => folder.replaceAll(/^features\/|\/texts$/g, ''));

/** The texts that the frames of lists read by their place in the catalogue. */
const frameTexts = code.flatMap(({ file, text }) =>
  [...text.matchAll(/<ListFrame\b([^]*?)\n?\s*>\n/g)].flatMap(([, properties = '']) => {
    const place = /\btexts="([^"]+)"/.exec(properties)?.[1] ?? '';
    const emptied = /\bempty=/.test(properties) ? ['EMPTY.TITLE', 'EMPTY.TEXT'] : [];
    const cleared = /\bonClear=/.test(properties) ? ['NOTHING_FOUND.TITLE', 'NOTHING_FOUND.TEXT'] : [];
    if (cleared.length > 0 && !/\bclearLabel=/.test(properties)) cleared.push('NOTHING_FOUND.ACTION');
    return ['LOADING', 'FAILED.TITLE', 'FAILED.TEXT', ...emptied, ...cleared].map((key) => ({
      file,
      key: `${place}.${key}`,
    }));
  }),
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

  it('LOOK-3: keys are upper case and stand in one file only', () => {
    const seen = new Map<string, string>();
    for (const [folder, texts] of english) {
      for (const key of texts.keys()) {
        for (const part of key.split('.')) expect(part).toMatch(keyForm);
        if (isBeforeTheApplication(folder)) continue;
        expect(seen.get(key), `${key} stands in ${folder} and`).toBeUndefined();
        seen.set(key, folder);
      }
    }
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

  it('LOOK-3 LOOK-4: no text comes with the first page and with a screen', async () => {
    const late = await Promise.all(
      lazyParts.map(async (part) => [part, flatten(await loadPart(part, 'en'))] as const),
    );
    const twice = late.flatMap(([part, texts]) =>
      [...texts.keys()].filter((key) => first.has(key)).map((key) => `${part}: ${key}`),
    );
    expect(twice).toEqual([]);
  });

  it.each(languages)('LOOK-3 LOOK-4: $label comes whole, part by part', async ({ language }) => {
    const whole = await Promise.all([
      loadCatalogue(language),
      ...lazyParts.map((part) => loadPart(part, language)),
    ]);
    const files = [...filesOf(language)].filter(([folder]) => !isBeforeTheApplication(folder));
    const expected = files.flatMap(([, texts]) => [...texts.keys()]);
    expect([...flatten(mergeCatalogues(whole)).keys()].toSorted()).toEqual(expected.toSorted());
  });

  it('LOOK-3 LOOK-4: what comes late is named by the screen or the dialog that it comes with', () => {
    const named = new Set<string>(screens.flatMap(({ texts = [] }) => texts));
    for (const { text } of code) {
      for (const [, parts = ''] of text.matchAll(/\blazyScreen\([^;]*?,\s*(\[[^\]]+\]|'[^']+'),?\s*\)/g))
        for (const [, part = ''] of parts.matchAll(/'([^']+)'/g)) named.add(part);
    }
    const lost = lazyParts.filter((part) => !named.has(part));
    expect(lost, 'no screen and no lazyScreen() names the texts of these folders').toEqual([]);
    const absent = [...named].filter((part) => !lazyParts.includes(part));
    expect(absent, 'screens name these folders, which have no texts of their own').toEqual([]);
  });

  it('LOOK-3 LOOK-4: no file shows a text that may not have come yet', () => {
    const premature = code
      .filter(({ file }) => !isBeforeTheApplication(file))
      .flatMap(({ file, text }) => {
        const own = ownTexts(file);
        return [...text.matchAll(/'([A-Z][A-Z0-9_]*(?:\.[A-Z0-9_]+)+)'/g)]
          .map((match) => match[1] ?? '')
          .filter((key) => allKeys.has(key) || allKeys.has(`${key}_other`))
          .filter((key) => ![key, `${key}_other`].some((form) => first.has(form) || own.has(form)))
          .map((key) => `${file}: ${key}`);
      });
    expect(premature).toEqual([]);
  });

  it.each(languages)(
    'LOOK-3 RIGHT-2: each right and each area has its words in $label',
    async ({ language }) => {
      const texts = flatten(await loadCatalogue(language));
      const wanted = rightCatalogue.flatMap(({ right, area }) => [
        `RIGHTS.${right}.LABEL`,
        `RIGHTS.${right}.DESCRIPTION`,
        `HOME.AREAS.${catalogueKey(area)}`,
      ]);
      const missing = wanted.filter((key) => !texts.has(key));
      expect(missing, `add to web/src/features/<feature>/first/texts/${language}.json`).toEqual([]);
    },
  );

  it.each(languages)(
    'LOOK-3 AUD-1: each action and its area has its words in $label',
    async ({ language }) => {
      const texts = flatten(await loadPart('audit', language));
      const wanted = Object.keys(auditActions).flatMap((action) => [
        `AUDIT.SAYS.${catalogueKey(action)}`,
        `AUDIT.AREAS.${catalogueKey(action).split('.', 1)[0]}`,
      ]);
      const missing = [...new Set(wanted)].filter((key) => !texts.has(key));
      expect(missing, `add to web/src/features/<feature>/in-audit/texts/${language}.json`).toEqual([]);
    },
  );

  it.each(languages)('LOOK-3: each message of webhooks has its words in $label', async ({ language }) => {
    const texts = flatten(await loadPart('webhooks', language));
    const wanted = webhookEvent.options.map(
      (event) => `WEBHOOKS.EVENTS.${catalogueKey(event.replaceAll('.', '_'))}`,
    );
    expect(wanted.filter((key) => !texts.has(key))).toEqual([]);
  });

  it.each(languages)(
    'LOOK-3: the name of each screen is there in $label before the screen is',
    async ({ language }) => {
      const texts = flatten(await loadCatalogue(language));
      for (const { path, nav, title, description, texts: parts = [] } of screens) {
        const own = await Promise.all(
          [parts].flat().map(async (part) => flatten(await loadPart(part, language))),
        );
        // The navigation and the home screen show those of screens that have an entry.
        const known = nav === 'none' ? [texts, ...own] : [texts];
        const missing = [title, description ?? title].filter((key) => !known.some((one) => one.has(key)));
        expect(missing, `the screen ${path} has no such text in ${language} with the first page`).toEqual([]);
      }
    },
  );

  it('LOOK-3: every text is used', () => {
    const all = code.map(({ text }) => text).join('\n');
    const prefixes = [...all.matchAll(/`([A-Z][A-Z0-9_]*\.(?:[A-Z0-9_]+\.)*)\$\{/g)].map(
      (match) => match[1] ?? '',
    );
    // A list that is read in pages has a button for more.
    const inFrames = new Set(frameTexts.flatMap(({ key }) => [key, key.replace(/\.LOADING$/, '.MORE')]));
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
