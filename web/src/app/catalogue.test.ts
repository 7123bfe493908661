import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Catalogue, mergeCatalogues } from '../platform/i18n/i18n.ts';
import { languages } from '../platform/i18n/language.ts';

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
        // The small pages before the application are built with their own texts and may repeat one.
        if (folder.startsWith('door/') || folder.startsWith('features/identity-provider/')) continue;
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
