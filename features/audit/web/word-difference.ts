import { diffWordsWithSpace } from 'diff';

/** A stretch of text that is unchanged, removed or added. */
export type Stretch = { kind: 'same' | 'gone' | 'new'; text: string };

/**
 * With more changed words than this a text counts as rewritten: a comparison word by word would not be
 * readable.
 */
const mostChangedWords = 500;

/**
 * Compares a text word by word. The same and the removed parts are the old text, the same and the added ones
 * the new one.
 */
export function wordDifference(before: string, after: string): Stretch[] {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: mostChangedWords });
  if (changes === undefined)
    return [
      { kind: 'gone', text: before },
      { kind: 'new', text: after },
    ];
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'new' : removed ? 'gone' : 'same',
    text: value,
  }));
}
