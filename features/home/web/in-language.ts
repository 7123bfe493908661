import type { TextsByLanguage } from '#features/home/contract/home.ts';

/** The text in a language, or the plain one where that language has none. */
export function inLanguage(plain: string, texts: TextsByLanguage, language: string): string {
  const own = language === 'en' || language === 'de' || language === 'fr' ? texts[language] : '';
  return own === '' ? plain : own;
}
