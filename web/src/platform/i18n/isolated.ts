const otherDirection = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Cf}]/u;

/**
 * Isolates a name that another person gave, for the middle of a sentence, so that right-to-left text or its control
 * characters do not reorder the text around the name.
 */
export function isolated(name: string): string {
  return otherDirection.test(name) ? `\u2068${name}\u2069` : name;
}

const longestShownName = 60;

/** As `isolated`, with a long name shortened. */
export function spoken(name: string): string {
  const letters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  return isolated(
    letters.length > longestShownName ? `${letters.slice(0, longestShownName).join('')}…` : name,
  );
}

/** Converts a value of the contract into its form in catalogue keys: `read-only` becomes `READ_ONLY`. */
export function catalogueKey(value: string): string {
  return value.toUpperCase().replaceAll('-', '_');
}
