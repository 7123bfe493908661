const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase();

/** The words of what was typed, without case and accents. */
export function typedWords(typed: string): string[] {
  return plain(typed)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/**
 * Returns how well a text fits the typed words; smaller is better: 0 where the text begins with each word, Infinity
 * where the text does not contain one of them. A match at the start of a word counts more than one in its middle.
 *
 * @param words from `typedWords`
 * @param more further words by which the text can be found; they count less than `text`
 */
export function distance(text: string, words: readonly string[], more = ''): number {
  const name = plain(text);
  const rest = plain(more);
  return words.reduce((sum, word) => sum + distanceOfWord(name, rest, word), 0);
}

function distanceOfWord(name: string, rest: string, word: string): number {
  if (name.startsWith(word)) return 0;
  if (startsAWord(name, word)) return 1;
  if (startsAWord(rest, word)) return 2;
  if (name.includes(word)) return 3;
  return rest.includes(word) ? 4 : Number.POSITIVE_INFINITY;
}

function startsAWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  }
  return false;
}

/** Returns the items that fit the words, the best first; items that fit equally well keep their order. */
export function bestFirst<Item extends { label: string; words?: string }>(
  items: readonly Item[],
  words: readonly string[],
): Item[] {
  return items
    .map((item) => ({ item, far: distance(item.label, words, item.words) }))
    .filter(({ far }) => far !== Number.POSITIVE_INFINITY)
    .toSorted((one, other) => one.far - other.far)
    .map(({ item }) => item);
}
