const otherDirection = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Cf}]/u;

/**
 * A name that somebody else gave, for the middle of a sentence: what is written from right to left, or says that it is,
 * turns nothing around it.
 */
export function isolated(name: string): string {
  return otherDirection.test(name) ? `\u2068${name}\u2069` : name;
}
