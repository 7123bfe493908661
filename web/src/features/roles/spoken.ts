import { isolated } from '../../platform/i18n/isolated.ts';

const most = 60;

/** A name for the middle of a sentence: the beginning of a long one. */
export function spoken(name: string): string {
  const letters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  return isolated(letters.length > most ? `${letters.slice(0, most).join('')}…` : name);
}
