/**
 * Texts that survive a reload and a way to the sign-in and back, in this tab alone. Nothing secret; nothing personal but what
 * `kept-work.ts` keeps for one person and forgets with them.
 */
export type TabMemory = {
  read(key: string): string | null;
  /** null forgets. */
  write(key: string, value: string | null): void;
};

/** On the session storage; where the browser refuses it, nothing is kept. */
export function createTabMemory(window: Window): TabMemory {
  return {
    read(key) {
      try {
        return window.sessionStorage.getItem(key);
      } catch {
        return null;
      }
    },
    write(key, value) {
      try {
        if (value === null) window.sessionStorage.removeItem(key);
        else window.sessionStorage.setItem(key, value);
      } catch {
        // Refused or full: what is kept here is a convenience.
      }
    },
  };
}
