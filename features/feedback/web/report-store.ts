import type { Profile } from '#features/profile/contract/profile.ts';
import { createStore, promisifyRequest } from 'idb-keyval';
import { newEventId } from '#web/platform/calls/event-id.ts';
import { derive, type Readable } from '#web/platform/state/store.ts';
import type { Draft, Failed, WaitingReport } from './draft.ts';
import {
  draftKeys,
  isLeft,
  removeReports,
  removeUnwrittenChange,
  reportDatabase,
  reportTable,
  storeUnwrittenChange,
  unwrittenChangeOf,
  waitingKey,
  waitingKeys,
} from './report-place.ts';
import type { Picture } from './picture.ts';

/**
 * Stores the reports of each person that the server does not have yet, so that they outlive the page. A report
 * is either edited or waiting; one transaction changes this state. Every call rejects if the browser stores
 * nothing.
 */
export type ReportStore = {
  /** The edited report and the waiting reports, oldest first. */
  read(person: string): Promise<{ draft: Draft | null; waiting: WaitingReport[] }>;
  /** From now on the person edits this report, which replaces the previously edited one. */
  edit(person: string, draft: Draft): Promise<void>;
  /** From now on the report waits. */
  wait(person: string, report: WaitingReport): Promise<void>;
  /** Removes the report with that event id; without an event id, the edited report. */
  remove(person: string, eventId?: string): Promise<void>;
  /** The page may be about to end: a change under way is stored in `localStorage` too, for the next `read`. */
  leave(): void;
};

/** A draft without its picture's bytes, which are stored separately: typing does not write them again. */
type StoredDraft = Omit<Draft, 'picture'> & {
  readonly form: 1;
  readonly picture: (Omit<Picture, 'blob'> & { readonly id: string }) | null;
};

/** A draft to store; null: remove it; `sent`: remove the report only if it is still the one that was sent. */
type Change = StoredDraft | null | { readonly sent: string };

/** Defaults for the parts that drafts of an older release do not have. */
const laterParts: Pick<Draft, 'leftOutCrumbs'> = { leftOutCrumbs: [] };

/** What any page of this browser gives to `createFeedback`: the person, the store, and when the page is left. */
export function partsOfPage(user: Readable<Pick<Profile, 'email' | 'firstName' | 'lastName'> | null>) {
  return {
    reporter: derive([user], (profile) => ({
      email: profile?.email ?? '',
      name: profile === null ? '' : `${profile.firstName} ${profile.lastName}`.trim(),
    })),
    store: createReportStore(newEventId),
    onLeaving(listener: () => void) {
      window.addEventListener('pagehide', listener);
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'hidden') listener();
      });
    },
    newEventId,
  };
}

/** Uses IndexedDB. */
export function createReportStore(newId: () => string): ReportStore {
  const open = createStore(reportDatabase, reportTable);
  const ids = new WeakMap<Picture, string>();
  /** Pictures for which there was no space; another try could lose the words too if the page then ends. */
  const refused = new WeakSet<Picture>();
  /** The last picture read or written: the next read returns the same object, which the editor recognizes. */
  let lastPicture: Picture | null = null;
  /** The picture that is known to be stored; another tab may replace it. */
  let storedPicture: Picture | null = null;
  /** The last change that was begun, until the database has stored or refused it. */
  let underWay: { readonly person: string; readonly change: Change } | null = null;

  /** Commits at once, not after the callback, which does not run if the page ends. */
  function commit(work: (table: IDBObjectStore) => void): Promise<void> {
    return open('readwrite', (table) => {
      work(table);
      const done = promisifyRequest(table.transaction);
      table.transaction.commit();
      return done;
    });
  }

  /** Removes an older unwritten change, unless it is another draft than the one that waits now or was sent. */
  function forgetUnwritten(person: string, eventId?: string): void {
    const unwritten = unwrittenChangeOf(person);
    const isAnother = eventId !== undefined && isStoredDraft(unwritten) && unwritten.eventId !== eventId;
    if (!isAnother) removeUnwrittenChange(person);
  }

  async function tracked(person: string, change: Change, work: () => Promise<void>): Promise<void> {
    const begun = { person, change };
    underWay = begun;
    try {
      await work();
      if (underWay === begun) forgetUnwritten(person, isSent(change) ? change.sent : undefined);
    } finally {
      if (underWay === begun) underWay = null;
    }
  }

  function idOf(picture: Picture): string {
    const id = ids.get(picture) ?? newId();
    ids.set(picture, id);
    return id;
  }

  /** @param isMoved whether the report no longer waits: its waiting copy is removed */
  async function write(person: string, draft: Draft, isMoved: boolean): Promise<void> {
    const { picture } = draft;
    const isNew = picture !== storedPicture;
    const record = storedFormOf(draft, picture === null ? null : idOf(picture));
    await tracked(person, record, () =>
      commit((table) => {
        if (isNew || picture === null) table.delete(IDBKeyRange.bound([person, ''], [person, []]));
        if (isNew && picture !== null) table.put(picture.blob, [person, idOf(picture)]);
        table.put(record, [person]);
        if (isMoved) table.delete(waitingKey(person, draft.eventId));
      }),
    );
    lastPicture = picture;
    storedPicture = picture;
  }

  const removeDraft = (person: string) => commit((table) => void table.delete(draftKeys(person)));

  /** Ends the editing of a report: it now waits, or is removed (`waiting` null). */
  function endEditing(person: string, eventId: string, waiting: WaitingReport | null): Promise<void> {
    return open('readwrite', async (table) => {
      if (waiting === null) table.delete(waitingKey(person, eventId));
      else table.put({ ...waiting, form: 1 }, waitingKey(person, eventId));
      const record: unknown = await promisifyRequest(table.get([person]));
      if (isStoredDraft(record) && record.eventId === eventId) table.delete(draftKeys(person));
      return promisifyRequest(table.transaction);
    });
  }

  async function writeUnwrittenChange(person: string): Promise<void> {
    const unwritten = unwrittenChangeOf(person);
    if (unwritten === null) await removeDraft(person);
    else if (isLeft(unwritten)) await removeReports(person);
    else if (isSent(unwritten)) await endEditing(person, unwritten.sent, null);
    else if (isStoredDraft(unwritten)) await commit((table) => void table.put(unwritten, [person]));
    else return;
    removeUnwrittenChange(person);
  }

  async function readDraft(table: IDBObjectStore, person: string): Promise<Draft | null> {
    const record: unknown = await promisifyRequest(table.get([person]));
    if (!isStoredDraft(record)) return null;
    const { form: _form, picture, ...draft } = { ...laterParts, ...record };
    if (picture === null) return { ...draft, picture };
    const { id, ...about } = picture;
    if (lastPicture !== null && ids.get(lastPicture) === id) return { ...draft, picture: lastPicture };
    const blob: unknown = await promisifyRequest(table.get([person, id]));
    if (!(blob instanceof Blob)) return { ...draft, picture: null };
    const whole = { ...about, blob };
    ids.set(whole, id);
    return { ...draft, picture: whole };
  }

  return {
    async read(person) {
      storedPicture = null;
      // A change that this page is writing is newer than the unwritten one.
      if (underWay === null) await writeUnwrittenChange(person);
      const found = await open('readonly', async (table) => {
        const waiting: Promise<unknown[]> = promisifyRequest(table.getAll(waitingKeys(person)));
        const draft = await readDraft(table, person);
        return { draft, waiting: (await waiting).filter(isWaiting).map(waitingReportOf) };
      });
      lastPicture = found.draft?.picture ?? null;
      storedPicture = lastPicture;
      return { ...found, waiting: found.waiting.toSorted((one, other) => one.at - other.at) };
    },
    async edit(person, draft) {
      const { picture } = draft;
      const isRefused = picture !== null && refused.has(picture);
      try {
        await write(person, isRefused ? { ...draft, picture: null } : draft, !isRefused);
      } catch (error) {
        storedPicture = null;
        if (picture === null || isRefused) throw error;
        refused.add(picture);
        // There may be enough space without the picture.
        await write(person, { ...draft, picture: null }, false);
        throw error;
      }
    },
    async wait(person, report) {
      const { eventId } = report.draft;
      await endEditing(person, eventId, report);
      forgetUnwritten(person, eventId);
      storedPicture = null;
    },
    async remove(person, eventId) {
      if (eventId === undefined) await tracked(person, null, () => removeDraft(person));
      else {
        const remove = () => endEditing(person, eventId, null);
        const written = underWay?.person === person ? underWay.change : undefined;
        if (underWay === null) await tracked(person, { sent: eventId }, remove);
        // The draft that is stored until then is an older state of this report, and is removed as well.
        else if (isStoredDraft(written) && written.eventId === eventId) await tracked(person, null, remove);
        else await remove();
      }
      storedPicture = null;
    },
    leave() {
      if (underWay !== null) storeUnwrittenChange(underWay.person, underWay.change);
    },
  };
}

function storedFormOf(draft: Draft, pictureId: string | null): StoredDraft {
  const { picture } = draft;
  if (picture === null || pictureId === null) return { ...draft, form: 1, picture: null };
  const { blob: _blob, ...about } = picture;
  return { ...draft, form: 1, picture: { ...about, id: pictureId } };
}

/** A waiting report as earlier releases stored it, with its failure in two fields. */
type StoredWaiting = WaitingReport & {
  refusal?: Omit<Failed, 'final'> | null;
  trouble?: Pick<Failed, 'status' | 'code'>;
};

function waitingReportOf({ refusal, trouble, ...report }: StoredWaiting): WaitingReport {
  const before = refusal
    ? { ...refusal, final: true }
    : trouble
      ? { ...trouble, errors: [], final: false }
      : null;
  return { ...report, draft: { ...laterParts, ...report.draft }, failed: report.failed ?? before };
}

/** Only records in this release's format (`form`) are read. */
function isRecord(record: unknown): record is { form: 1 } {
  return typeof record === 'object' && record !== null && 'form' in record && record.form === 1;
}

function isStoredDraft(record: unknown): record is StoredDraft {
  return isRecord(record) && 'eventId' in record;
}

function isWaiting(record: unknown): record is StoredWaiting {
  return isRecord(record) && 'draft' in record;
}

function isSent(change: unknown): change is { sent: string } {
  return typeof change === 'object' && change !== null && 'sent' in change && typeof change.sent === 'string';
}
