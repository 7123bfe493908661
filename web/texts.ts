import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { type Language, languages } from './src/platform/i18n/language.ts';

const root = join(import.meta.dirname, '..');

/*
 * Each capability has one file of texts per language, and the keys decide which text comes with which download:
 *
 *   virtual:texts/first           the texts that every page of the application needs, a download per language
 *   virtual:texts/DOOR+SIGN_IN    the texts at and below these keys, a download per language; `*` stands for one level
 *   virtual:all-texts/DOOR        the same in all languages at once
 *   virtual:late-texts            the other texts of screens and dialogs, a part for each first word of the keys
 */

/** The keys of the core that the first page needs, in addition to the names of the screens. */
const core = ['COMMON', 'PAGES', 'SHELL'];

/**
 * What `feature.ts` of a capability may export as `texts`: the keys that come with the first page, and those that only
 * the entry pages show.
 */
type Marks = { first?: readonly string[]; entry?: readonly string[] };

type Catalogue = { [key: string]: string | Catalogue };
type Place = (key: string) => boolean;
type Plan = { texts: Record<Language, ReadonlyMap<string, string>>; first: readonly string[]; isLate: Place };

/** Resolves the names above to the texts of the capabilities and of the core. */
export function textsOf(): Plugin {
  let plan: Promise<Plan> | undefined;
  return {
    name: 'portico:texts',
    buildStart() {
      plan = undefined;
    },
    resolveId: (id) => (/^virtual:(?:all-|late-)?texts(?:\/|$)/.test(id) ? `\0${id}` : undefined),
    async load(id) {
      const [, kind, choice = '', language] =
        /^\0virtual:(all-texts|late-texts|texts)(?:\/(.+?)(?:\/([a-z]{2}))?)?$/.exec(id) ?? [];
      if (kind === undefined) return undefined;
      plan ??= makePlan();
      const { texts, first, isLate } = await plan;
      const pick = (from: ReadonlyMap<string, string>) => {
        const part = /^late\/(.+)/.exec(choice)?.[1];
        if (part !== undefined) return nested(from, [part], isLate);
        return nested(from, choice === 'first' ? first : choice.split('+'));
      };
      if (kind === 'late-texts') return lateTexts(texts.en, isLate);
      if (language !== undefined)
        return `export default ${JSON.stringify(pick(texts[language as Language]))}`;
      const each = languages.map(({ language }) =>
        kind === 'texts'
          ? `${language}:${load(choice, language)}`
          : `${language}:${JSON.stringify(pick(texts[language]))}`,
      );
      return `export default {${each.join()}}`;
    },
  };
}

const load = (choice: string, language: string) =>
  `async () => (await import('virtual:texts/${choice}/${language}')).default`;

function lateTexts(texts: ReadonlyMap<string, string>, isLate: Place): string {
  const parts = new Set([...texts.keys()].filter(isLate).map((key) => key.split('.', 1)[0] ?? ''));
  const each = [...parts].flatMap((part) =>
    languages.map(({ language }) => `'${part}.${language}':${load(`late/${part}`, language)}`),
  );
  return `export default {${each.join()}}`;
}

async function makePlan(): Promise<Plan> {
  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(root, file)).href);
  const features = globSync('features/*/web/feature.ts', { cwd: root }).map(load);
  const marks = ((await Promise.all(features)) as { texts?: Marks }[]).map(({ texts = {} }) => texts);
  const { screens } = (await load('web/src/features.ts')) as { screens: readonly Screen[] };
  const first = [
    ...core,
    ...marks.flatMap(({ first = [] }) => first),
    ...screens.flatMap(({ title, description = title }) => [title, description]),
  ];
  const early = [first, marks.flatMap(({ entry = [] }) => entry)].flat().map(below);
  return {
    texts: { en: readTexts('en'), de: readTexts('de'), fr: readTexts('fr') },
    first,
    isLate: (key) => !early.some((isBelow) => isBelow(key)),
  };
}

type Screen = { title: string; description?: string };

/** All texts of the web in a language, by their keys. */
function readTexts(language: Language): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const add = (catalogue: Catalogue, above: string, file: string) => {
    for (const [name, value] of Object.entries(catalogue)) {
      const key = above + name;
      if (typeof value !== 'string') add(value, `${key}.`, file);
      else if (texts.has(key)) throw new Error(`${key} stands in ${file} and in another file of texts.`);
      else texts.set(key, value);
    }
  };
  for (const file of globSync(`{web/src/app,features/*/web}/texts/${language}.json`, {
    cwd: root,
  }).toSorted())
    add(JSON.parse(readFileSync(join(root, file), 'utf8')) as Catalogue, '', file);
  return texts;
}

/** Returns a function that says whether a key is `place` or below it. */
function below(place: string): Place {
  const levels = place.split('.');
  return (key) => {
    const own = key.split('.');
    return levels.every((level, at) => level === '*' || level === own[at]);
  };
}

/** The texts at and below these keys as a catalogue; throws if a key has no texts. */
function nested(
  texts: ReadonlyMap<string, string>,
  places: readonly string[],
  is: Place = () => true,
): Catalogue {
  const catalogue: Catalogue = {};
  for (const place of places) {
    const isBelow = below(place);
    const found = [...texts].filter(([key]) => isBelow(key) && is(key));
    if (found.length === 0) throw new Error(`No text of the web has the key ${place}.`);
    for (const [key, text] of found) {
      const levels = key.split('.');
      const name = levels.pop() ?? '';
      let level = catalogue;
      for (const above of levels) level = (level[above] ??= {}) as Catalogue;
      level[name] = text;
    }
  }
  return catalogue;
}
