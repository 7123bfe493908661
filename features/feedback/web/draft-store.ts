import { createStore, promisifyRequest } from 'idb-keyval';
import type { Draft, Failed, WaitingReport } from './draft.ts';
import {
  draftDatabase,
  draftKeys,
  draftTable,
  removeDrafts,
  isLeft,
  removeUnwrittenChange,
  storeUnwrittenChange,
  unwrittenChangeOf,
  waitingKeys,
} from './draft-place.ts';
import type { Picture } from './picture.ts';

/**
 * Stores one draft for each person beyond the end of the page. Everything rejects where the browser stores
 * nothing.
 */
export type DraftStore = {
  read(person: string): Promise<Draft | null>;
  write(person: string, draft: Draft): Promise<void>;
  /** Removes it; with an event id only where that is still the stored one. */
  remove(person: string, eventId?: string): Promise<void>;
  /** The page may be about to end: writes under way are stored in `localStorage` too, for the next `read`. */
  leave(): void;
  /** Another tab has written: what this one knows of the stored draft is outdated. */
  changedElsewhere(): void;
  /** The reports that wait to be sent, the oldest first. */
  readWaiting(person: string): Promise<WaitingReport[]>;
  /** Adds one, or replaces the one with its event id. */
  putWaiting(person: string, report: WaitingReport): Promise<void>;
  removeWaiting(person: string, eventId: string): Promise<void>;
};

/** Without the bytes of its picture, which are stored separately and not written again with each letter. */
type StoredDraft = Omit<Draft, 'picture'> & {
  readonly form: 1;
  readonly picture: (Omit<Picture, 'blob'> & { readonly id: string }) | null;
};

/** A draft to store; null: remove it; `sent`: remove it only while it is still the one that was sent. */
type Change = StoredDraft | null | { readonly sent: string };

/** What drafts have that were stored by an older release. */
const laterParts: Pick<Draft, 'leftOutCrumbs'> = { leftOutCrumbs: [] };

/** Uses IndexedDB. */
export function createDraftStore(newId: () => string): DraftStore {
  const open = createStore(draftDatabase, draftTable);
  const ids = new WeakMap<Picture, string>();
  /** There was no space for them; trying again would lose the words too where the page is about to end. */
  const refused = new WeakSet<Picture>();
  /** The picture that is known to be stored. */
  let storedPicture: Picture | null = null;
  /** The last change that was begun, until the database has stored or refused it. */
  let underWay: { readonly person: string; readonly change: Change } | null = null;

  async function settled(person: string, change: Change, work: () => Promise<void>): Promise<void> {
    const begun = { person, change };
    underWay = begun;
    try {
      await work();
      // An older unwritten change is obsolete now, but not a later one of this page, nor another draft than
      // the one that was sent.
      const unwritten = unwrittenChangeOf(person);
      const isAnother = isStoredDraft(unwritten) && isSent(change) && unwritten.eventId !== change.sent;
      if (underWay === begun && !isAnother) removeUnwrittenChange(person);
    } finally {
      if (underWay === begun) underWay = null;
    }
  }

  function idOf(picture: Picture): string {
    const id = ids.get(picture) ?? newId();
    ids.set(picture, id);
    return id;
  }

  async function write(person: string, draft: Draft): Promise<void> {
    const { picture } = draft;
    const isNew = picture !== storedPicture;
    const record = storedFormOf(draft, picture === null ? null : idOf(picture));
    await settled(person, record, () =>
      open('readwrite', (table) => {
        if (isNew || picture === null) table.delete(IDBKeyRange.bound([person, ''], [person, []]));
        if (isNew && picture !== null) table.put(picture.blob, [person, idOf(picture)]);
        table.put(record, [person]);
        return committed(table.transaction);
      }),
    );
    storedPicture = picture;
  }

  function removeAll(person: string): Promise<void> {
    return open('readwrite', (table) => {
      table.delete(draftKeys(person));
      return committed(table.transaction);
    });
  }

  function removeSent(person: string, eventId: string): Promise<void> {
    return open('readwrite', async (table) => {
      const record: unknown = await promisifyRequest(table.get([person]));
      if (isStoredDraft(record) && record.eventId === eventId) table.delete(draftKeys(person));
      return promisifyRequest(table.transaction);
    });
  }

  function isWriting(person: string, eventId: string): boolean {
    return (
      underWay?.person === person && isStoredDraft(underWay.change) && underWay.change.eventId === eventId
    );
  }

  async function writeUnwrittenChange(person: string): Promise<void> {
    const unwritten = unwrittenChangeOf(person);
    if (unwritten === null) await removeAll(person);
    else if (isLeft(unwritten)) await removeDrafts(person);
    else if (isSent(unwritten)) await removeSent(person, unwritten.sent);
    else if (isStoredDraft(unwritten))
      await open('readwrite', (table) => {
        table.put(unwritten, [person]);
        return committed(table.transaction);
      });
    else return;
    removeUnwrittenChange(person);
  }

  return {
    async read(person) {
      await writeUnwrittenChange(person);
      const found = await open('readonly', async (table) => {
        const record: unknown = await promisifyRequest(table.get([person]));
        if (!isStoredDraft(record)) return null;
        const { form: _form, picture, ...draft } = { ...laterParts, ...record };
        if (picture === null) return { ...draft, picture };
        const { id, ...about } = picture;
        // The same object, so that its editor goes on with it.
        if (storedPicture !== null && ids.get(storedPicture) === id)
          return { ...draft, picture: storedPicture };
        const blob: unknown = await promisifyRequest(table.get([person, id]));
        if (!(blob instanceof Blob)) return { ...draft, picture: null };
        const whole = { ...about, blob };
        ids.set(whole, id);
        return { ...draft, picture: whole };
      });
      storedPicture = found?.picture ?? null;
      return found;
    },
    async write(person, draft) {
      const { picture } = draft;
      const isRefused = picture !== null && refused.has(picture);
      try {
        await write(person, isRefused ? { ...draft, picture: null } : draft);
      } catch (error) {
        storedPicture = null;
        if (picture === null || isRefused) throw error;
        refused.add(picture);
        // There may be space for the words alone.
        await write(person, { ...draft, picture: null });
        throw error;
      }
    },
    async remove(person, eventId) {
      if (eventId === undefined) await settled(person, null, () => removeAll(person));
      else if (underWay === null) await settled(person, { sent: eventId }, () => removeSent(person, eventId));
      else if (isWriting(person, eventId))
        // What is stored until then is older still, and is removed with them.
        await settled(person, null, () => removeSent(person, eventId));
      else await removeSent(person, eventId);
      storedPicture = null;
    },
    leave() {
      if (underWay !== null) storeUnwrittenChange(underWay.person, underWay.change);
    },
    changedElsewhere() {
      storedPicture = null;
    },
    // Each rejects, also where there is no database to open.
    readWaiting: async (person) => {
      if (isLeft(unwrittenChangeOf(person))) await writeUnwrittenChange(person);
      return open('readonly', async (table) => {
        const records: unknown[] = await promisifyRequest(table.getAll(waitingKeys(person)));
        return records
          .filter(isWaiting)
          .map(({ refusal, trouble, ...report }) => ({
            ...report,
            draft: { ...laterParts, ...report.draft },
            failed:
              report.failed ??
              (refusal
                ? { ...refusal, final: true }
                : trouble
                  ? { ...trouble, errors: [], final: false }
                  : null),
          }))
          .toSorted((one, other) => one.at - other.at);
      });
    },
    putWaiting: async (person, report) =>
      open('readwrite', (table) => {
        table.put({ ...report, form: 1 }, [0, person, report.draft.eventId]);
        return committed(table.transaction);
      }),
    removeWaiting: async (person, eventId) =>
      open('readwrite', (table) => {
        table.delete([0, person, eventId]);
        return committed(table.transaction);
      }),
  };
}

function storedFormOf(draft: Draft, pictureId: string | null): StoredDraft {
  const { picture } = draft;
  if (picture === null || pictureId === null) return { ...draft, form: 1, picture: null };
  const { blob: _blob, ...about } = picture;
  return { ...draft, form: 1, picture: { ...about, id: pictureId } };
}

/** Only records of this release's form are understood. */
function isStoredDraft(record: unknown): record is StoredDraft {
  return typeof record === 'object' && record !== null && 'form' in record && record.form === 1;
}

/** As earlier releases stored it, whose failures were two fields. */
type StoredWaiting = WaitingReport & {
  refusal?: Omit<Failed, 'final'> | null;
  trouble?: Pick<Failed, 'status' | 'code'>;
};

function isWaiting(record: unknown): record is StoredWaiting {
  return (
    typeof record === 'object' &&
    record !== null &&
    'form' in record &&
    record.form === 1 &&
    'draft' in record &&
    'at' in record
  );
}

function isSent(words: unknown): words is { sent: string } {
  return typeof words === 'object' && words !== null && 'sent' in words && typeof words.sent === 'string';
}

/** Does not wait for the callback, which a page that ends never runs. */
function committed(transaction: IDBTransaction): Promise<void> {
  const done = promisifyRequest(transaction);
  transaction.commit();
  return done;
}
