const otherDirection = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Cf}]/u;

/**
 * A name that another person gave, for the middle of a sentence: right-to-left text, or control characters
 * for it, reorder nothing around it.
 */
export function isolated(name: string): string {
  return otherDirection.test(name) ? `\u2068${name}\u2069` : name;
}

const longestShownName = 60;

/** The same, with a long name shortened. */
export function spoken(name: string): string {
  const letters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  return isolated(
    letters.length > longestShownName ? `${letters.slice(0, longestShownName).join('')}…` : name,
  );
}
