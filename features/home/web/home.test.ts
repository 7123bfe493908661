import { describe, expect, it } from 'vitest';
import { inLanguage, partOfDay } from './app-picture.tsx';

describe('the home screen', () => {
  it('HOME-1: calls an application as its language has it, or else plainly', () => {
    const texts = { en: '', de: 'Zeiten', fr: '' };
    expect(['en', 'de', 'fr', 'xx'].map((language) => inLanguage('Timesheets', texts, language))).toEqual([
      'Timesheets',
      'Zeiten',
      'Timesheets',
      'Timesheets',
    ]);
  });

  it('LOOK-1: greets by the hour of the person', () => {
    expect([0, 4, 5, 11, 12, 17, 18, 22, 23].map(partOfDay)).toEqual([
      'NIGHT',
      'NIGHT',
      'MORNING',
      'MORNING',
      'AFTERNOON',
      'AFTERNOON',
      'EVENING',
      'EVENING',
      'NIGHT',
    ]);
  });
});
