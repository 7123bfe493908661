/** The first letters of the first and the last word; of an email address, of the part before the @. */
export function initials(name: string): string {
  const [own = ''] = name.split('@');
  const words = own.split(/[\s._-]+/).filter((word) => word !== '');
  const letters = words.length < 2 ? [words[0]] : [words[0], words.at(-1)];
  return letters
    .map((word = '') => String.fromCodePoint(word.codePointAt(0) ?? 32).toLocaleUpperCase())
    .join('');
}
