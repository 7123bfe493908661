import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Catalogue, mergeCatalogues } from '../platform/i18n/i18n.ts';
import { languages } from '../platform/i18n/language.ts';
import { lateParts, loadCatalogue, loadPart } from './catalogue.ts';
import { screens } from './screens.ts';

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
function isBeforeTheApplication(folder: string): boolean {
  return folder.startsWith('door/') || folder.startsWith('features/identity-provider/');
}

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
        }
      }
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

  it('LOOK-3 LOOK-4: every folder comes with the first page or late with its screen, never both', async () => {
    const late = new Map<string, Map<string, string>>(
      await Promise.all(
        lateParts.map(
          async (part) => [`features/${part}/texts`, flatten(await loadPart(part, 'en'))] as const,
        ),
      ),
    );
    const first = flatten(await loadCatalogue('en'));
    for (const [folder, texts] of english) {
      if (isBeforeTheApplication(folder)) continue;
      const missing = [...texts.keys()].filter((key) => !(late.get(folder) ?? first).has(key));
      expect(missing, `${folder} is neither in catalogue.en.ts nor in lateParts`).toEqual([]);
      const twice = [...texts.keys()].filter((key) => late.has(folder) && first.has(key));
      expect(twice, `${folder} is in catalogue.en.ts and in lateParts`).toEqual([]);
    }
  });

  it.each(languages)('LOOK-3 LOOK-4: $label comes whole, part by part', async ({ language }) => {
    const whole = await Promise.all([
      loadCatalogue(language),
      ...lateParts.map((part) => loadPart(part, language)),
    ]);
    const files = [...filesOf(language)].filter(([folder]) => !isBeforeTheApplication(folder));
    const expected = files.flatMap(([, texts]) => [...texts.keys()]);
    expect([...flatten(mergeCatalogues(whole)).keys()].toSorted()).toEqual(expected.toSorted());
  });

  it('LOOK-3 LOOK-4: what comes late is named by the screen or the dialog that it comes with', () => {
    const named = new Set<string>(screens.flatMap(({ texts = [] }) => texts));
    for (const { text } of code) {
      for (const [, part = ''] of text.matchAll(/\blateScreen\([^;]*?,\s*'([^']+)',?\s*\)/g)) named.add(part);
    }
    expect([...named].toSorted()).toEqual(lateParts.toSorted());
  });

  it('LOOK-3 LOOK-4: no file shows a text that may not have come yet', async () => {
    const first = flatten(await loadCatalogue('en'));
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

  it('LOOK-3: every text is used', () => {
    const all = code.map(({ text }) => text).join('\n');
    const prefixes = [...all.matchAll(/`([A-Z][A-Z0-9_]*\.(?:[A-Z0-9_]+\.)*)\$\{/g)].map(
      (match) => match[1] ?? '',
    );
    const unused = [...allKeys]
      .map((key) => key.replace(plural, ''))
      .filter((key) => !all.includes(`'${key}'`) && !prefixes.some((prefix) => key.startsWith(prefix)));
    expect([...new Set(unused)]).toEqual([]);
  });

  it('LOOK-3: catalogues that share upper levels are merged', () => {
    expect(mergeCatalogues([{ A: { B: 'b' } }, { A: { C: 'c' }, D: 'd' }])).toEqual({
      A: { B: 'b', C: 'c' },
      D: 'd',
    });
  });

  it('LOOK-3: no line of French begins with a question mark or a colon', () => {
    const broken = [...filesOf('fr').values()].flatMap((texts) =>
      [...texts.values()].filter((text) => /[\p{L}\p{N})}] [?!;:»]|« /u.test(text)),
    );
    expect(broken).toEqual([]);
  });
});
