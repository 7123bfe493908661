import type { TextsByLanguage } from '#features/home/contract/home.ts';

export type PartOfDay = 'MORNING' | 'AFTERNOON' | 'EVENING' | 'NIGHT';

/** @param hour of the day in the person's zone, 0 to 23 */
export function partOfDay(hour: number): PartOfDay {
  if (hour >= 5 && hour < 12) return 'MORNING';
  if (hour >= 12 && hour < 18) return 'AFTERNOON';
  if (hour >= 18 && hour < 23) return 'EVENING';
  return 'NIGHT';
}

/** The text in a language, or the plain one where that language has none. */
export function inLanguage(plain: string, texts: TextsByLanguage, language: string): string {
  const own = language === 'en' || language === 'de' || language === 'fr' ? texts[language] : '';
  return own === '' ? plain : own;
}
