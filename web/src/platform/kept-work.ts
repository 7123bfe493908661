import { createContext, use, useEffect, useState } from 'react';
import type { Clock } from './clock.ts';
import type { SessionState } from './contexts.tsx';
import { type Readable, watch } from './store.ts';
import type { TabMemory } from './tab-memory.ts';

/*
 * What is typed and not saved outlives the page: a reload, a tab that the browser has thrown away, a session that ended and a
 * sign-in after it (MAINT-3). It is kept in this tab alone, for the person who typed it; whoever signs out takes it along.
 */

/** What the forms of this tab keep. Each has a name of its own, such as `flag:NEW_SEARCH`. */
export type KeptWork = {
  /** What was kept under that name, or undefined. */
  find(name: string): unknown;
  /** Keeps it, a moment after the last change. `json` is what `find` gives back, as text. */
  keep(name: string, json: string): void;
  forget(name: string): void;
  /** Writes what still waits. */
  flush(): void;
};

export type KeptWorkEdges = {
  memory: TabMemory;
  clock: Clock;
  session: Readable<SessionState>;
  /** The page may end without another word. */
  onLeaving(listener: () => void): void;
};

type Kept = { person: string; works: Record<string, unknown> };

const key = 'portico.kept-work';
const delay = 300;

export function createKeptWork({ memory, clock, session, onLeaving }: KeptWorkEdges): KeptWork {
  const waiting = new Map<string, string>();
  let owner: string | null = null;
  let cancelTimer = () => {};

  function read(): Kept {
    const empty = { person: owner ?? '', works: {} };
    try {
      const kept = JSON.parse(memory.read(key) ?? 'null') as Kept | null;
      return kept !== null && kept.person === owner && typeof kept.works === 'object' ? kept : empty;
    } catch {
      return empty;
    }
  }

  function write(change: (works: Kept['works']) => void): void {
    if (owner === null) return;
    const { works } = read();
    change(works);
    memory.write(key, Object.keys(works).length === 0 ? null : JSON.stringify({ person: owner, works }));
  }

  function flush(): void {
    cancelTimer();
    if (waiting.size === 0) return;
    write((works) => {
      for (const [name, json] of waiting) works[name] = JSON.parse(json) as unknown;
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
      // Of somebody else, who was here before.
      if (Object.keys(read().works).length === 0) memory.write(key, null);
    } else if (now.status === 'signing-out' || (now.status === 'signed-out' && now.reason === 'signed-out')) {
      owner = null;
      forgetAll();
    }
  });
  onLeaving(flush);

  return {
    find: (name) => read().works[name],
    keep(name, json) {
      // Whoever has left takes along what is still on its way.
      if (owner === null) return;
      waiting.set(name, json);
      cancelTimer();
      cancelTimer = clock.after(delay, flush);
    },
    forget(name) {
      waiting.delete(name);
      if (name in read().works) write((works) => delete works[name]);
    },
    flush,
  };
}

/** Tells when the page may end without another word: hidden, frozen, or left. */
export function onPageLeaving(window: Window, document: Document, listener: () => void): void {
  window.addEventListener('pagehide', listener);
  document.addEventListener('freeze', listener);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') listener();
  });
}

export const KeptWorkContext = createContext<KeptWork | null>(null);

function useKeptWorkHere(): KeptWork {
  const here = use(KeptWorkContext);
  if (here === null) throw new Error('Kept work is not provided here.');
  return here;
}

/** Work that a form has found, and how it is thrown away. */
export type FoundWork<T> = {
  /** What was typed before, as it was when the form was opened; null: nothing. Stays the same while the form is there. */
  readonly found: T | null;
  /** It is saved or thrown away: to be called before the form goes, since a form that just goes keeps its work. */
  forget(): void;
};

/**
 * What was typed into this form before and not saved. The form begins with it and says so (`RestoredWork` in `ui`); while it is
 * there it hands what is typed to `useKeepWork`. Never for a secret.
 *
 *     const work = useFoundWork('invitation', readInvitation);
 *     const [draft, setDraft] = useState(work.found ?? emptyInvitation);
 *     useKeepWork('invitation', isEmpty(draft) ? null : draft);
 *     …
 *     onSaved: () => { work.forget(); onClose(); }
 *
 * A form that edits something that has a version keeps the version with what is typed, and goes on as if it had been open all the
 * time: saving says whether somebody else has changed it meanwhile.
 *
 * @param name of the form and what it is about: `flag:NEW_SEARCH`
 * @param read reads what was kept, perhaps by another release; null: it cannot be used any more
 */
export function useFoundWork<T>(name: string, read: (kept: unknown) => T | null): FoundWork<T> {
  const kept = useKeptWorkHere();
  const [found] = useState(() => {
    const work = kept.find(name);
    return work === undefined ? null : read(work);
  });
  return { found, forget: () => kept.forget(name) };
}

/** Keeps what is typed, as JSON; null: nothing is typed that is not saved, and nothing is kept. */
export function useKeepWork(name: string, typed: object | null): void {
  const kept = useKeptWorkHere();
  const json = typed === null ? null : JSON.stringify(typed);
  useEffect(() => {
    if (json === null) kept.forget(name);
    else kept.keep(name, json);
  }, [kept, name, json]);
  // Also when the maintenance page covers the form.
  useEffect(() => () => kept.flush(), [kept]);
}

/** What was kept, where it has every field of the example with the same type; else null. */
export function readFields<T extends object>(example: T, kept: unknown): T | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const fields = kept as Record<string, unknown>;
  const fits = Object.entries(example).every(
    ([name, value]) =>
      typeof fields[name] === typeof value && Array.isArray(fields[name]) === Array.isArray(value),
  );
  return fits ? (kept as T) : null;
}

/** Whether something was kept under that name when the screen opened: a dialog that was open then opens again. */
export function useWorkWasKept(name: string): boolean {
  const kept = useKeptWorkHere();
  const [was] = useState(() => kept.find(name) !== undefined);
  return was;
}
