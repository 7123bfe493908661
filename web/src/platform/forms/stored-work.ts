import { createContext, use, useEffect, useState } from 'react';
import type { Clock } from '../time/clock.ts';
import type { SessionState } from '../contexts.tsx';
import { type Readable, watch } from '../state/store.ts';
import type { TabMemory } from '../tabs/tab-memory.ts';
import { useStoredPlace } from './unsaved-work.ts';

/*
 * Stores unsaved work, so that it survives a reload, a tab that the browser has discarded, and the end of a session
 * with the next sign-in (MAINT-3). It is stored in this tab alone, for the person who typed it. A sign-out discards
 * it or stores it as drafts.
 */

/** What the forms of this tab have stored. Each form has a name, such as `flag:NEW_SEARCH`. */
export type StoredWork = {
  /** Returns the work that was stored under a name, or undefined. */
  find(name: string): unknown;
  /** Stores work 300 ms after the last change. `json` is the text of the value that `find` returns. */
  write(name: string, json: string): void;
  forget(name: string): void;
  /** Writes pending changes. */
  flush(): void;
  /** Returns all stored work of this tab, with the place where it was typed. */
  all(): readonly StoredPlace[];
  /**
   * Marks all work of the person as discarded at a sign-out, which removes it here; the next sign-in removes it in
   * tabs that did not run at the time.
   */
  discardAll(): void;
};

export type StoredPlace = {
  readonly name: string;
  readonly work: unknown;
  /** The name of the place, in the language in which it was stored. */
  readonly what: string;
  /** Path, query and fragment. */
  readonly address: string;
};

export type StoredWorkDependencies = {
  memory: TabMemory;
  /** Storage shared by the tabs of this browser. */
  shared: TabMemory;
  /** Returns the name and the address of the place where the person is now. */
  place: () => { what: string; address: string };
  clock: Clock;
  session: Readable<SessionState>;
  /** Calls the listener when the page may end without a further event. */
  onLeaving(listener: () => void): void;
};

type Place = { what: string; address: string; at: number };
type Stored = { person: string; works: Record<string, unknown>; places?: Record<string, Place> };

const key = 'portico.stored-work';
const discardedKey = 'portico.stored-work-given-up';
const delay = 300;

export function createStoredWork({
  memory,
  shared,
  place,
  clock,
  session,
  onLeaving,
}: StoredWorkDependencies): StoredWork {
  const waiting = new Map<string, { json: string; at: Place }>();
  let owner: string | null = null;
  let cancelTimer = () => {};

  function read(): Stored {
    const empty = { person: owner ?? '', works: {} };
    try {
      const stored = JSON.parse(memory.read(key) ?? 'null') as Stored | null;
      return stored !== null && stored.person === owner && typeof stored.works === 'object' ? stored : empty;
    } catch {
      return empty;
    }
  }

  function write(change: (works: Stored['works'], places: Record<string, Place>) => void): void {
    if (owner === null) return;
    const { works, places = {} } = read();
    change(works, places);
    memory.write(
      key,
      Object.keys(works).length === 0 ? null : JSON.stringify({ person: owner, works, places }),
    );
  }

  /** The time at which the person last discarded their work, in any tab; null: never. */
  function discardedAt(): number | null {
    const [person, at] = shared.read(discardedKey)?.split(' ') ?? [];
    return person === owner ? Number(at) : null;
  }

  /**
   * Removes work that the person discarded through another tab while this tab did not run; newer work stays.
   */
  function removeDiscarded(): void {
    const discarded = discardedAt();
    if (discarded === null) return;
    write((works, places) => {
      for (const name of Object.keys(works)) {
        if ((places[name]?.at ?? 0) > discarded) continue;
        delete works[name];
        delete places[name];
      }
    });
  }

  function flush(): void {
    cancelTimer();
    if (waiting.size === 0) return;
    write((works, places) => {
      for (const [name, { json, at }] of waiting) {
        works[name] = JSON.parse(json) as unknown;
        places[name] = at;
      }
    });
    waiting.clear();
  }

  function forgetAll(): void {
    cancelTimer();
    waiting.clear();
    memory.write(key, null);
  }

  watch(session, (now) => {
    if (now.status === 'signed-in') {
      if (owner !== null && owner !== now.personId) forgetAll();
      owner = now.personId;
      removeDiscarded();
      // Removes work of another person, who was signed in before.
      if (Object.keys(read().works).length === 0) memory.write(key, null);
    } else if (now.status === 'signing-out' || (now.status === 'signed-out' && now.takesWork === true)) {
      owner = null;
      forgetAll();
    }
  });
  onLeaving(flush);

  return {
    find: (name) => read().works[name],
    write(name, json) {
      // Nothing is stored after a sign-out.
      if (owner === null) return;
      // Later than the discarding, even if the clock has been put back since.
      const at = Math.max(clock.now(), (discardedAt() ?? 0) + 1);
      waiting.set(name, { json, at: { ...place(), at } });
      cancelTimer();
      cancelTimer = clock.after(delay, flush);
    },
    forget(name) {
      waiting.delete(name);
      if (name in read().works)
        write((works, places) => {
          delete works[name];
          delete places[name];
        });
    },
    flush,
    all() {
      flush();
      const { works, places = {} } = read();
      return Object.entries(works).map(([name, work]) => ({
        name,
        work,
        what: places[name]?.what ?? name,
        address: places[name]?.address ?? '/',
      }));
    },
    discardAll() {
      if (owner !== null) shared.write(discardedKey, `${owner} ${clock.now()}`);
    },
  };
}

/** Calls the listener when the page may end without a further event: hidden, frozen, or left. */
export function onPageLeaving(window: Window, document: Document, listener: () => void): void {
  window.addEventListener('pagehide', listener);
  document.addEventListener('freeze', listener);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') listener();
  });
}

export const StoredWorkContext = createContext<StoredWork | null>(null);

function useStoredWorkHere(): StoredWork {
  const here = use(StoredWorkContext);
  if (here === null) throw new Error('Stored work is not provided here.');
  return here;
}

/** The stored work that a form has found, and a function that discards it. */
export type FoundWork<T> = {
  /**
   * The work that was stored when the form was opened; null: none. The value stays the same while the form is
   * mounted.
   */
  readonly found: T | null;
  /**
   * Removes the stored work after it was saved or discarded. Call this before the form unmounts: a form that
   * unmounts without this leaves its work stored.
   */
  forget(): void;
};

/**
 * Returns the unsaved work of this form that was stored before. The form starts with that work and says so
 * (`RestoredWork` in `ui`); while mounted, it passes what is typed to `useStoreWork`. Never for a secret.
 * `useVersionedForm` does both.
 *
 *     const work = useFoundWork('invitation', readInvitation);
 *     const [draft, setDraft] = useState(work.found ?? emptyInvitation);
 *     useStoreWork('invitation', isEmpty(draft) ? null : draft);
 *     …
 *     onSaved: () => { work.forget(); onClose(); }
 *
 * A form for a versioned thing stores the version together with what is typed. After a reload it continues as if it
 * had stayed open: saving reports whether another operator has changed the thing.
 *
 * @param name the name of the form and its thing: `flag:NEW_SEARCH`; undefined: nothing is stored
 * @param read reads the stored value, perhaps of another release; returns null if it cannot be used
 */
export function useFoundWork<T>(name: string | undefined, read: (stored: unknown) => T | null): FoundWork<T> {
  const storedWork = useStoredWorkHere();
  const [found] = useState(() => {
    const work = name === undefined ? undefined : storedWork.find(name);
    return work === undefined ? null : read(work);
  });
  return {
    found,
    forget() {
      if (name !== undefined) storedWork.forget(name);
    },
  };
}

/**
 * Stores what is typed, as JSON; null means that nothing unsaved is typed and removes the stored work. Without a
 * name it does nothing.
 */
export function useStoreWork(name: string | undefined, typed: object | null): void {
  const storedWork = useStoredWorkHere();
  const json = typed === null || name === undefined ? null : JSON.stringify(typed);
  useStoredPlace(json !== null);
  useEffect(() => {
    if (name === undefined) return;
    if (json === null) storedWork.forget(name);
    else storedWork.write(name, json);
  }, [storedWork, name, json]);
  // Writes pending changes when the form unmounts, also when the maintenance page covers it.
  useEffect(() => () => storedWork.flush(), [storedWork]);
}

/** What was stored, if it has every field of the example with the same type; else null. */
export function readFields<T extends object>(example: T, stored: unknown): T | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const fields = stored as Record<string, unknown>;
  const fits = Object.entries(example).every(
    ([name, value]) =>
      typeof fields[name] === typeof value && Array.isArray(fields[name]) === Array.isArray(value),
  );
  return fits ? (stored as T) : null;
}

/**
 * Whether something was stored under that name when the screen was opened: then its dialog is opened again.
 */
export function useHasStoredWork(name: string): boolean {
  const storedWork = useStoredWorkHere();
  const [was] = useState(() => storedWork.find(name) !== undefined);
  return was;
}
