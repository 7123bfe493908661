import catalogues from 'virtual:all-texts/ACCOUNT+DOOR+INVITATION+MAINTENANCE.BANNER+MAINTENANCE.PAGE+MAINTENANCE.UNAVAILABLE+SET_UP+SIGN_IN';
import { createInstance } from 'i18next';
import { describe, expect, it } from 'vitest';
import type { Catalogue } from '../platform/i18n/i18n.ts';
import { languages } from '../platform/i18n/language.ts';
import { createTranslation } from './translation.tsx';

function keysOf(catalogue: Catalogue, above = ''): string[] {
  return Object.entries(catalogue).flatMap(([key, value]) =>
    typeof value === 'string' ? [above + key] : keysOf(value, `${above}${key}.`),
  );
}

describe('LOOK-3: the texts of the small pages', () => {
  it.each(languages)('LOOK-3: $label reads as i18next would read it', async ({ language }) => {
    const catalogue = catalogues[language];
    const i18next = createInstance();
    await i18next.init({
      lng: language,
      resources: { [language]: { translation: catalogue } },
      interpolation: { escapeValue: false },
    });
    const { t } = createTranslation(language, catalogue);
    const values = {
      count: 3,
      time: '<b>{{utc}}</b>',
      utc: '$1 $&',
      left: '2:05',
      end: '14:00',
      duration: '1',
      name: 'Anna & Bo',
      email: 'a@b',
      id: 'x',
      provider: 'Acme',
      product: 'Portico',
    };
    const keys = keysOf(catalogue);
    expect(keys.length).toBeGreaterThan(40);
    expect(keys.map((key) => t(key, values))).toEqual(keys.map((key) => i18next.t(key, values)));
    expect(t('NO.SUCH')).toBe(i18next.t('NO.SUCH'));
  });
});
