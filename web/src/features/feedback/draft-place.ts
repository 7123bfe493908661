/** Where drafts are kept: a database of this browser, in which everybody has keys of their own. */
export const draftDatabase = 'portico-feedback';
export const draftTable = 'drafts';

/** The draft of a person stands at `[person]`, its picture at `[person, id of the picture]`. */
export function draftKeys(person: string): IDBKeyRange {
  return IDBKeyRange.bound([person], [person, []]);
}

/**
 * Removes what a person has written and not sent: they have signed out. It stands alone since the rest of the dialog may
 * never have been downloaded.
 */
export function forgetDraft(person: string): void {
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
