import { describe, expect, it } from 'vitest';
import { asLanguage, chooseLanguage } from './language.ts';

const noChoice = { saved: null, chosenBy: null, person: null, page: 'en' } as const;

describe('LOOK-3: which language is shown', () => {
  it('LOOK-3: the page, then the choice of this browser, then the profile, then the own choice', () => {
    expect(chooseLanguage(noChoice)).toBe('en');
    expect(chooseLanguage({ ...noChoice, saved: 'de' })).toBe('de');
    expect(chooseLanguage({ ...noChoice, saved: 'de', person: { id: 'p', locale: null } })).toBe('de');
    expect(chooseLanguage({ ...noChoice, saved: 'de', person: { id: 'p', locale: 'fr' } })).toBe('fr');
    expect(
      chooseLanguage({ ...noChoice, saved: 'de', chosenBy: 'p', person: { id: 'p', locale: 'fr' } }),
    ).toBe('de');
    expect(
      chooseLanguage({ ...noChoice, saved: 'de', chosenBy: 'q', person: { id: 'p', locale: 'fr' } }),
    ).toBe('fr');
  });

  it('LOOK-3: a language that Portico does not have is ignored', () => {
    expect(chooseLanguage({ ...noChoice, saved: 'xx', person: { id: 'p', locale: 'it' } })).toBe('en');
    expect(asLanguage('de-AT')).toBe('de');
    expect(asLanguage('den')).toBeNull();
  });
});
