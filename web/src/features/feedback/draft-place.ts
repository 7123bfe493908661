/** Where drafts are stored: a database of this browser, with separate keys for each person. */
export const draftDatabase = 'portico-feedback';
export const draftTable = 'drafts';

/** The draft of a person stands at `[person]`, its picture at `[person, id of the picture]`. */
export function draftKeys(person: string): IDBKeyRange {
  return IDBKeyRange.bound([person], [person, []]);
}

/** Reports that wait to be sent stand at `[0, person, event id]`: a number is in no person's keys. */
export function waitingKeys(person: string): IDBKeyRange {
  return IDBKeyRange.bound([0, person], [0, person, []]);
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

/** Whether the form of a person holds something that is not sent. Answers false where the browser keeps nothing. */
export async function hasStoredDraft(person: string): Promise<boolean> {
  const words = lastWordsOf(person);
  if (typeof words === 'object' && words !== null) return 'form' in words;
  return hasRecords([person]);
}

/** Whether reports of a person wait to be sent. Answers false where the browser keeps nothing. */
export function hasWaitingReports(person: string): Promise<boolean> {
  return hasRecords(waitingKeys(person));
}

async function hasRecords(keys: IDBValidKey | IDBKeyRange): Promise<boolean> {
  if (!('indexedDB' in globalThis)) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const opening = indexedDB.open(draftDatabase);
  // Nothing was ever stored, and no database is created for it.
  opening.onupgradeneeded = () => opening.transaction?.abort();
  opening.addEventListener('error', () => resolve(false));
  opening.onsuccess = () => {
    const database = opening.result;
    const counting = database.transaction(draftTable).objectStore(draftTable).count(keys);
    counting.addEventListener('success', () => resolve(counting.result > 0));
    counting.addEventListener('error', () => resolve(false));
    database.close();
  };
  return promise;
}

/**
 * Removes what a person has written and not sent, and what waits to be sent: they have signed out. It stands alone since the
 * rest of the dialog may never have been downloaded.
 */
export function forgetDraft(person: string): void {
  forgetLastWords(person);
  withDatabase((database) => {
    const table = database.transaction(draftTable, 'readwrite').objectStore(draftTable);
    table.delete(draftKeys(person));
    table.delete(waitingKeys(person));
    database.close();
  });
}

/** Calls `found` where this browser keeps a report of this person that was to be sent and is not known to have arrived. */
export function findWaiting(person: string, found: () => void): void {
  withDatabase((database) => {
    const transaction = database.transaction(draftTable);
    const table = transaction.objectStore(draftTable);
    const waiting = table.count(waitingKeys(person));
    const draft: IDBRequest<unknown> = table.get([person]);
    transaction.oncomplete = () => {
      database.close();
      if (waiting.result > 0 || wasSubmitted(draft.result)) found();
    };
  });
}

/** Whether a draft was to be sent as it stands: what is sent along is fixed with the first try. */
function wasSubmitted(record: unknown): boolean {
  return typeof record === 'object' && record !== null && 'sentAlong' in record && record.sentAlong !== null;
}

/** Where nothing was ever stored, no database is created. */
function withDatabase(work: (database: IDBDatabase) => void): void {
  try {
    const opening = indexedDB.open(draftDatabase);
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onsuccess = () => work(opening.result);
  } catch {
    // A browser that keeps nothing has nothing to find or to forget.
  }
}
