/**
 * Replaces each of the words in a text, ignoring case. Only whole words are replaced: removing
 * `anna@example.org` leaves `joanna@example.org` and `anna@example.org.uk`.
 */
export function replaceWords(text: string, words: readonly string[], instead: string): string {
  const wanted = words
    .filter((word) => word !== '')
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  if (wanted.length === 0) return text;
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}_.%+-])(?:${wanted.join('|')})(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])`,
    'giu',
  );
  return text.replaceAll(pattern, () => instead);
}
