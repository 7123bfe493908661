import { base } from '../base.ts';

/**
 * Short texts shared by every tab of this browser, until the browser is closed. Nothing secret, nothing
 * personal.
 */
export type BrowserSessionMemory = {
  read(key: string): string | null;
  /** Stores a text under a key; null removes it. */
  write(key: string, value: string | null): void;
};

/**
 * Uses session cookies, since the session storage belongs to one tab and the local storage outlives the session.
 * Each request carries the cookies, so a value should be a few characters long. If the browser refuses cookies,
 * nothing is stored.
 *
 * @returns the memory of this origin; cookies ignore ports, so their names contain the port, and the base path
 */
export function createBrowserSessionMemory(
  document: Pick<Document, 'cookie'>,
  location: Pick<Location, 'port' | 'protocol'>,
): BrowserSessionMemory {
  const secure = location.protocol === 'https:';
  const nameOf = (key: string) =>
    `${secure ? '__Host-' : ''}portico_${key}${location.port === '' ? '' : `_${location.port}`}${base.replaceAll('/', '.')}`;
  return {
    read(key) {
      try {
        const start = `${nameOf(key)}=`;
        const pair = document.cookie.split('; ').find((one) => one.startsWith(start));
        return pair === undefined ? null : decodeURIComponent(pair.slice(start.length));
      } catch {
        // The browser refuses cookies, or something else wrote this cookie.
        return null;
      }
    },
    write(key, value) {
      const end = value === null ? '; Max-Age=0' : '';
      try {
        document.cookie = `${nameOf(key)}=${encodeURIComponent(value ?? '')}; Path=/; SameSite=Strict${end}${secure ? '; Secure' : ''}`;
      } catch {
        // The stored texts are only a convenience, so a failure is ignored.
      }
    },
  };
}
