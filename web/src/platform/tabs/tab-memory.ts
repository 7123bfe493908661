import { base } from '../base.ts';

/**
 * Texts that survive a reload and a visit to the sign-in, in this tab alone. Nothing secret, and nothing
 * personal except what `stored-work.ts` stores and removes for one person.
 */
export type TabMemory = {
  read(key: string): string | null;
  /** Stores a text under a key; null removes it. */
  write(key: string, value: string | null): void;
};

/** Uses the session storage; where the browser refuses it, nothing is stored. */
export function createTabMemory(window: Window): TabMemory {
  return onStorage(() => window.sessionStorage);
}

/** Uses the local storage, which all tabs share; never for anything that a person has typed. */
export function createSharedMemory(window: Window): TabMemory & { keys(): readonly string[] } {
  return {
    ...onStorage(() => window.localStorage),
    keys() {
      try {
        const all = Object.keys(window.localStorage);
        return all.filter((key) => key.startsWith(base)).map((key) => key.slice(base.length));
      } catch {
        return [];
      }
    },
  };
}

function onStorage(storage: () => Storage): TabMemory {
  return {
    read(key) {
      try {
        return storage().getItem(base + key);
      } catch {
        return null;
      }
    },
    write(key, value) {
      try {
        if (value === null) storage().removeItem(base + key);
        else storage().setItem(base + key, value);
      } catch {
        // Storage is refused or full; the texts are only a convenience, so this is ignored.
      }
    },
  };
}
