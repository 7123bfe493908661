import * as z from 'zod/mini';
import { base } from '#web/platform/base.ts';

/**
 * The browser's database of reports that the server does not have yet, with separate keys for each person. Tabs
 * of two releases may share it.
 */
export const reportDatabase = `portico-feedback${base}`;
export const reportTable = 'drafts';

/** The keys of a person's draft: the draft at `[person]`, its picture at `[person, id of the picture]`. */
export function draftKeys(person: string): IDBKeyRange {
  return IDBKeyRange.bound([person], [person, []]);
}

/** The key of a waiting report. It begins with a number, which no key of a draft does. */
export const waitingKey = (person: string, eventId: string): IDBValidKey => [0, person, eventId];

export function waitingKeys(person: string): IDBKeyRange {
  return IDBKeyRange.bound([0, person], [0, person, []]);
}

const unwrittenChangeKey = (person: string): string => `${base}portico.feedback.last-words.${person}`;

/**
 * A change that a page could not write to the database before it was closed: a draft, a mark that it was
 * sent, or a mark that the person signed out. Pending writes to IndexedDB are lost with the page; local storage
 * writes synchronously.
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
    // Local storage is refused or full; the database may still be written in time.
  }
}

export function removeUnwrittenChange(person: string): void {
  try {
    localStorage.removeItem(unwrittenChangeKey(person));
  } catch {
    // Without storage there is nothing to remove.
  }
}

/** The unwritten change of a person who signed out: all their reports are to be removed. */
const left = { left: 1 };

export function isLeft(change: unknown): boolean {
  return typeof change === 'object' && change !== null && 'left' in change;
}

/**
 * Removes the draft and the waiting reports of a person who signed out. It is not in `report-store.ts`, which
 * is downloaded with the dialog only.
 */
export function removeReports(person: string): Promise<void> {
  // The page may end before the database is open.
  storeUnwrittenChange(person, left);
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve(removeUnwrittenChange(person));
  withDatabase((database) => {
    const transaction = database.transaction(reportTable, 'readwrite');
    const table = transaction.objectStore(reportTable);
    table.delete(draftKeys(person));
    table.delete(waitingKeys(person));
    transaction.addEventListener('complete', end);
    database.close();
  }, end);
  return promise;
}

/** Which reports of a person are stored; `toSend`: one was submitted and may not have arrived. */
type Stored = { readonly draft: boolean; readonly waiting: boolean; readonly toSend: boolean };
const nothing: Stored = { draft: false, waiting: false, toSend: false };

/** Finds what this browser stores of a person; nothing where it stores nothing. */
export async function findStored(person: string): Promise<Stored> {
  const unwritten = unwrittenChangeOf(person);
  if (isLeft(unwritten)) await removeReports(person);
  const { promise, resolve } = Promise.withResolvers<Stored>();
  const none = () => resolve(nothing);
  withDatabase((database) => {
    const transaction = database.transaction(reportTable);
    const table = transaction.objectStore(reportTable);
    const counting = table.count(waitingKeys(person));
    const reading: IDBRequest<unknown> = table.get([person]);
    transaction.addEventListener('abort', none);
    transaction.addEventListener('complete', () => {
      const waiting = counting.result > 0;
      const record = unwritten === undefined || isLeft(unwritten) ? reading.result : unwritten;
      const draft = typeof record === 'object' && record !== null && 'form' in record;
      resolve({ draft, waiting, toSend: waiting || wasSubmitted(reading.result) });
    });
    database.close();
  }, none);
  return promise;
}

/** Whether a draft was submitted: the first attempt to send it sets `sentAlong`. */
function wasSubmitted(record: unknown): boolean {
  return typeof record === 'object' && record !== null && 'sentAlong' in record && record.sentAlong !== null;
}

/** Opens the database if there is one; none is created. */
function withDatabase(work: (database: IDBDatabase) => void, none: () => void): void {
  try {
    const opening = indexedDB.open(reportDatabase);
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onsuccess = () => work(opening.result);
    opening.addEventListener('error', none);
  } catch {
    // Without storage there is nothing to find or to remove.
    none();
  }
}

/** The messages between the tabs of a browser. */
export const feedbackMessage = z.discriminatedUnion('type', [
  /** The report that is edited has changed. */
  z.object({ type: z.literal('written'), person: z.string() }),
  /** The reports that wait to be sent have changed. */
  z.object({ type: z.literal('waiting'), person: z.string() }),
  /** The server has stored a report; `waited`: it was sent from the outbox. */
  z.object({ type: z.literal('sent'), person: z.string(), eventId: z.string(), waited: z.boolean() }),
]);
export type FeedbackMessage = z.infer<typeof feedbackMessage>;
