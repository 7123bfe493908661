/**
 * Texts that survive a reload and a way to the sign-in and back, in this tab alone. Nothing secret; nothing personal but what
 * `stored-work.ts` stores for one person and forgets with them.
 */
export type TabMemory = {
  read(key: string): string | null;
  /** null forgets. */
  write(key: string, value: string | null): void;
};

/** On the session storage; where the browser refuses it, nothing is stored. */
export function createTabMemory(window: Window): TabMemory {
  return onStorage(() => window.sessionStorage);
}

/** What all tabs share, on the local storage: never anything that a person has typed. */
export function createSharedMemory(window: Window): TabMemory & { keys(): readonly string[] } {
  return {
    ...onStorage(() => window.localStorage),
    keys() {
      try {
        return Object.keys(window.localStorage);
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
        return storage().getItem(key);
      } catch {
        return null;
      }
    },
    write(key, value) {
      try {
        if (value === null) storage().removeItem(key);
        else storage().setItem(key, value);
      } catch {
        // Refused or full: what is stored here is a convenience.
      }
    },
  };
}
