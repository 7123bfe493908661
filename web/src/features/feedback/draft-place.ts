/** Where drafts are kept: a database of this browser, in which everybody has keys of their own. */
export const draftDatabase = 'portico-feedback';
export const draftTable = 'drafts';

/** The draft of a person stands at `[person]`, its picture at `[person, id of the picture]`. */
export function draftKeys(person: string): IDBKeyRange {
  return IDBKeyRange.bound([person], [person, []]);
}

const lastWordsKey = (person: string): string => `portico.feedback.last-words.${person}`;

/**
 * The words of a page that ended before the database had taken them, or before it had removed what was sent: it may have been
 * busy, or have been made at that very moment, and what waits for it ends with the page. This storage takes them at once.
 * Undefined where there are none.
 */
export function lastWordsOf(person: string): unknown {
  try {
    const text = localStorage.getItem(lastWordsKey(person));
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function keepLastWords(person: string, words: unknown): void {
  try {
    localStorage.setItem(lastWordsKey(person), JSON.stringify(words));
  } catch {
    // Refused or full: then the database alone is left.
  }
}

export function forgetLastWords(person: string): void {
  try {
    localStorage.removeItem(lastWordsKey(person));
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

/**
 * Removes what a person has written and not sent: they have signed out. It stands alone since the rest of the dialog may
 * never have been downloaded.
 */
export function forgetDraft(person: string): void {
  forgetLastWords(person);
  try {
    const opening = indexedDB.open(draftDatabase);
    // Nothing was ever kept, and nothing is to be made for it.
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onsuccess = () => {
      const database = opening.result;
      database.transaction(draftTable, 'readwrite').objectStore(draftTable).delete(draftKeys(person));
      database.close();
    };
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
