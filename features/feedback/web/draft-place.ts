import { base } from '#web/platform/base.ts';

/** Where drafts are stored: a database of this browser, with separate keys for each person. */
export const draftDatabase = `portico-feedback${base}`;
export const draftTable = 'drafts';

/** The draft of a person stands at `[person]`, its picture at `[person, id of the picture]`. */
export function draftKeys(person: string): IDBKeyRange {
  return IDBKeyRange.bound([person], [person, []]);
}

/** Reports that wait to be sent stand at `[0, person, event id]`: a number is in no person's keys. */
export function waitingKeys(person: string): IDBKeyRange {
  return IDBKeyRange.bound([0, person], [0, person, []]);
}

const unwrittenChangeKey = (person: string): string => `${base}portico.feedback.last-words.${person}`;

/**
 * A change that a page could not write to the database before it was closed: a draft, that it was sent, or
 * that the person signed out. Pending writes to IndexedDB are lost with the page; local storage writes
 * synchronously.
 *
 * @returns undefined if there is none
 */
export function unwrittenChangeOf(person: string): unknown {
  try {
    const text = localStorage.getItem(unwrittenChangeKey(person));
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function storeUnwrittenChange(person: string, change: unknown): void {
  try {
    localStorage.setItem(unwrittenChangeKey(person), JSON.stringify(change));
  } catch {
    // Refused or full: the database may still be written in time.
  }
}

export function removeUnwrittenChange(person: string): void {
  try {
    localStorage.removeItem(unwrittenChangeKey(person));
  } catch {
    // Without storage there is nothing to remove.
  }
}

/** Whether a draft of a person is stored. False where the browser stores nothing. */
export async function hasStoredDraft(person: string): Promise<boolean> {
  const unwritten = unwrittenChangeOf(person);
  if (typeof unwritten === 'object' && unwritten !== null) return 'form' in unwritten;
  return hasRecords([person]);
}

/** Whether reports of a person wait to be sent. False where the browser stores nothing. */
export function hasWaitingReports(person: string): Promise<boolean> {
  return hasRecords(waitingKeys(person));
}

function hasRecords(keys: IDBValidKey | IDBKeyRange): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  withDatabase(
    (database) => {
      const counting = database.transaction(draftTable).objectStore(draftTable).count(keys);
      counting.addEventListener('success', () => resolve(counting.result > 0));
      counting.addEventListener('error', () => resolve(false));
      database.close();
    },
    () => resolve(false),
  );
  return promise;
}

/** The unwritten change of a person who signed out: all their drafts are to be removed. */
const left = { left: 1 };

export function isLeft(change: unknown): boolean {
  return typeof change === 'object' && change !== null && 'left' in change;
}

/**
 * Removes the draft and the waiting reports of a person who signed out. It is not in `draft-store.ts`, which
 * is downloaded with the dialog only.
 */
export function removeDrafts(person: string): void {
  // The page may end before the database is open.
  storeUnwrittenChange(person, left);
  withDatabase(
    (database) => {
      const transaction = database.transaction(draftTable, 'readwrite');
      removeDraftsIn(transaction.objectStore(draftTable), person);
      transaction.oncomplete = () => removeUnwrittenChange(person);
      database.close();
    },
    () => removeUnwrittenChange(person),
  );
}

export function removeDraftsIn(table: IDBObjectStore, person: string): void {
  table.delete(draftKeys(person));
  table.delete(waitingKeys(person));
}

/**
 * Calls `found` if this browser stores a report of the person that was submitted and may not have arrived.
 */
export function findWaiting(person: string, found: () => void): void {
  if (isLeft(unwrittenChangeOf(person))) {
    removeDrafts(person);
    return;
  }
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

/** Whether a draft was submitted: the first attempt to send it sets `sentAlong`. */
function wasSubmitted(record: unknown): boolean {
  return typeof record === 'object' && record !== null && 'sentAlong' in record && record.sentAlong !== null;
}

/** Opens the database if there is one; none is created. */
function withDatabase(work: (database: IDBDatabase) => void, none?: () => void): void {
  try {
    const opening = indexedDB.open(draftDatabase);
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onsuccess = () => work(opening.result);
    opening.addEventListener('error', () => none?.());
  } catch {
    // Without storage there is nothing to find or to remove.
    none?.();
  }
}
