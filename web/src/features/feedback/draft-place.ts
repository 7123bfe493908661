import { base } from '../../platform/base.ts';

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
 * What a page could not write to the database before it ended: a draft, that it was sent, or that the person
 * has left. The database may
 * be busy or just being created, and pending writes end with the page; this storage writes at once. Undefined
 * if there is nothing.
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
    // Refused or full: only the database is left.
  }
}

export function removeUnwrittenChange(person: string): void {
  try {
    localStorage.removeItem(unwrittenChangeKey(person));
  } catch {
    // Without storage there is nothing to remove.
  }
}

/** Whether the form of a person holds something that is not sent. False where the browser stores nothing. */
export async function hasStoredDraft(person: string): Promise<boolean> {
  const unwritten = unwrittenChangeOf(person);
  if (typeof unwritten === 'object' && unwritten !== null) return 'form' in unwritten;
  return hasRecords([person]);
}

/** Whether reports of a person wait to be sent. False where the browser stores nothing. */
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

/** The unwritten change of a person who has signed out: nothing of theirs stays. */
const left = { left: 1 };

export function isLeft(change: unknown): boolean {
  return typeof change === 'object' && change !== null && 'left' in change;
}

/**
 * Removes the draft of a person who has signed out, and their reports that wait to be sent. In a file of its
 * own, since the rest of the dialog may never have been downloaded.
 */
export function forgetDraft(person: string): void {
  // The page may end before the database is open.
  storeUnwrittenChange(person, left);
  withDatabase(
    (database) => {
      const transaction = database.transaction(draftTable, 'readwrite');
      forgetIn(transaction.objectStore(draftTable), person);
      transaction.oncomplete = () => removeUnwrittenChange(person);
      database.close();
    },
    () => removeUnwrittenChange(person),
  );
}

export function forgetIn(table: IDBObjectStore, person: string): void {
  table.delete(draftKeys(person));
  table.delete(waitingKeys(person));
}

/**
 * Calls `found` if this browser stores a report of this person that was submitted and is not known to have
 * arrived.
 */
export function findWaiting(person: string, found: () => void): void {
  if (isLeft(unwrittenChangeOf(person))) {
    forgetDraft(person);
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

/** Whether a draft was submitted: the data sent along is fixed with the first try. */
function wasSubmitted(record: unknown): boolean {
  return typeof record === 'object' && record !== null && 'sentAlong' in record && record.sentAlong !== null;
}

/** Where nothing was ever stored, no database is created. */
function withDatabase(work: (database: IDBDatabase) => void, none?: () => void): void {
  try {
    const opening = indexedDB.open(draftDatabase);
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onsuccess = () => work(opening.result);
    opening.addEventListener('error', () => none?.());
  } catch {
    // Without storage there is nothing to find or to remove.
  }
}
