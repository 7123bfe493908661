import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settled } from '../../testing/manual-clock.ts';
import { type Catalogue, createTexts } from './i18n.ts';
import type { Language } from './language.ts';

beforeEach(() => vi.stubGlobal('document', { documentElement: { lang: '' } }));
afterEach(() => vi.unstubAllGlobals());

/** Texts whose downloads arrive or fail when the test decides. */
function setUp() {
  const downloads = new Map<string, PromiseWithResolvers<Catalogue>[]>();
  const download = (name: string) => {
    const pending = Promise.withResolvers<Catalogue>();
    downloads.set(name, [...(downloads.get(name) ?? []), pending]);
    return pending.promise;
  };
  const texts = createTexts(
    (language: Language) => download(language),
    (part: string, language) => download(`${language} ${part}`),
  );
  const take = (name: string) => {
    const pending = downloads.get(name)?.shift();
    if (pending === undefined) throw new Error(`${name} was not asked for`);
    return pending;
  };
  return {
    texts,
    arrive: (name: string) => take(name).resolve({ NAME: { [name.split(' ')[1] ?? 'FIRST']: name } }),
    fail: (name: string) => take(name).reject(new TypeError('Failed to fetch')),
    waiting: () => [...downloads].flatMap(([name, list]) => list.map(() => name)),
    shown: (key: string) => texts.i18n.t(`NAME.${key}`),
  };
}

/** The same, shown in English, with one part where it is named. */
async function shownInEnglish(part?: string) {
  const scene = setUp();
  const first = scene.texts.show('en');
  await settled();
  scene.arrive('en');
  await first;
  if (part === undefined) return scene;
  const added = scene.texts.add(part);
  await settled();
  scene.arrive(`en ${part}`);
  await added;
  return scene;
}

describe('LOOK-3: texts that come with the screen that uses them', () => {
  it('LOOK-3: come in the language that is shown, once, and are there when they are reported to be', async () => {
    const { texts, arrive, waiting, shown } = await shownInEnglish();
    const added = Promise.all([texts.add('flags'), texts.add('flags')]);
    await settled();
    expect(waiting()).toEqual(['en flags']);
    arrive('en flags');
    await added;
    await texts.add('flags');
    expect([shown('FIRST'), shown('flags')]).toEqual(['en', 'en flags']);
  });

  it('LOOK-3: come with each language that is switched to, before it is shown', async () => {
    const { texts, arrive, waiting, shown } = await shownInEnglish('flags');

    const second = texts.show('de');
    await settled();
    expect(waiting()).toEqual(['de', 'de flags']);
    arrive('de');
    await settled();
    expect([shown('FIRST'), document.documentElement.lang]).toEqual(['en', 'en']);
    arrive('de flags');
    await second;
    expect([shown('FIRST'), shown('flags'), document.documentElement.lang]).toEqual(['de', 'de flags', 'de']);
  });

  it('LOOK-3: wait for the language that is being loaded', async () => {
    const { texts, arrive, shown } = setUp();
    const first = texts.show('en');
    let there = false;
    const added = texts.add('people').then(() => (there = true));
    await settled();
    arrive('en people');
    await settled();
    arrive('en');
    await Promise.all([first, added]);

    // The language is switched while a part is being loaded: it is there once it is in both.
    there = false;
    const flags = texts.add('flags').then(() => (there = true));
    const second = texts.show('fr');
    await settled();
    arrive('en flags');
    arrive('fr');
    arrive('fr people');
    await second;
    expect([shown('people'), there]).toEqual(['fr people', false]);
    arrive('fr flags');
    await flags;
    expect(shown('flags')).toBe('fr flags');
  });

  it('LOOK-3: that failed to load can be retried, and block no change of language', async () => {
    const { texts, arrive, fail, shown } = await shownInEnglish();
    const failed = texts.add('flags');
    await settled();
    fail('en flags');
    await expect(failed).rejects.toThrow('Failed to fetch');

    const second = texts.show('de');
    await settled();
    arrive('de');
    await second;
    const again = texts.add('flags');
    await settled();
    arrive('de flags');
    await again;
    expect(shown('flags')).toBe('de flags');
  });

  it('LOOK-3: a language of which a part failed to load is not shown, and can be retried', async () => {
    const { texts, arrive, fail, shown, waiting } = await shownInEnglish('flags');

    const failed = texts.show('de');
    await settled();
    arrive('de');
    fail('de flags');
    await expect(failed).rejects.toThrow('Failed to fetch');
    expect([shown('FIRST'), document.documentElement.lang]).toEqual(['en', 'en']);
    const again = texts.show('de');
    await settled();
    expect(waiting()).toEqual(['de flags']);
    arrive('de flags');
    await again;
    expect([shown('FIRST'), shown('flags')]).toEqual(['de', 'de flags']);
  });
});
