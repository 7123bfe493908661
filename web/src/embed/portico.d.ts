/**
 * What `<script type="module" src="/portico/portico.js">` puts into a page: `window.portico`, and its export of that name. Everything follows live; `on` tells when something has changed.
 */
export interface Portico {
  /** Who is signed in; null: nobody, or not known yet (`ready`). */
  readonly user: PorticoUser | null;
  /** Whether a person is signed in, and where they no longer are, why. */
  readonly session: PorticoSession;
  /** The rights that the person holds. */
  readonly rights: readonly string[];
  /** The value of each flag for this person. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly maintenance: PorticoMaintenance;
  /** Resolves, once, when the server has answered who is signed in and what holds for them. */
  readonly ready: Promise<Portico>;
  /** Whether the person holds a right now. Your server has to check it all the same. */
  can(right: string): boolean;
  /** The value of a flag for this person; the fallback while it is unknown or switched off. */
  flag<T>(key: string, fallback: T): T;
  flag(key: string): unknown;
  /** Calls back after each change, for `ready` also later; returns how to stop. */
  on<N extends keyof PorticoEvents>(name: N, listener: (given: PorticoEvents[N]) => void): () => void;
  /** An access token for calls to a server that verifies it (five minutes). Rejects where nobody is signed in. */
  token(): Promise<string>;
  /** Goes to the sign-in, and returns to this page. */
  signIn(): void;
  /** Ends the session in all tabs and leaves the page. Rejects where the server cannot be reached. */
  signOut(): Promise<void>;
  /** Opens the form of a bug report; resolves when it is shown. */
  report(options?: ReportOptions): Promise<void>;
  /**
   * Called before the page is left for the maintenance page, and waited for, all together 5 seconds at most; returns how to
   * stop.
   */
  beforeMaintenance(save: () => void | Promise<unknown>): () => void;
  /**
   * Says whether something is typed in this page that is not saved: operators see the number of such tabs before maintenance, and the
   * person is asked to save in good time. Several forms of a page each give a `place` of their own, a name or any object.
   */
  unsaved(isUnsaved: boolean, place?: unknown): void;
}

export interface PorticoUser {
  readonly id: string;
  /** First and last name, or the address where there is neither. */
  readonly name: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** `en`, `de`, `fr`, or null: not chosen. */
  readonly language: string | null;
  /** An IANA time zone, or null: the browser's. */
  readonly timeZone: string | null;
}

export interface PorticoSession {
  readonly status: 'unknown' | 'signed-in' | 'signed-out';
  /** `idle`, `lifetime`, `signed-out`, `elsewhere`, `password`, `provider`, `operator`, `blocked`, `erased` or `ended`. */
  readonly reason: string | null;
}

/** Times are milliseconds since 1970 by the server's clock. */
export interface PorticoMaintenance {
  readonly mode: 'off' | 'read-only' | 'full';
  readonly text: string;
  readonly severity: 'HIGH' | 'MEDIUM' | 'INFO';
  readonly expectedEnd: number | null;
  readonly upcoming: {
    readonly title: string;
    readonly text: string;
    readonly severity: 'HIGH' | 'MEDIUM' | 'INFO';
    readonly mode: 'announce' | 'read-only' | 'full';
    readonly startsAt: number;
    readonly endsAt: number;
  } | null;
}

export interface PorticoEvents {
  ready: Portico;
  user: PorticoUser | null;
  session: PorticoSession;
  rights: readonly string[];
  flags: Readonly<Record<string, unknown>>;
  maintenance: PorticoMaintenance;
}

export interface ReportOptions {
  /** The description to begin with, where nothing is typed yet. */
  message?: string;
  /** Sent along, such as `{ order: '4711' }`: up to 50, keys of 64 and values of 200 characters; cut beyond. */
  tags?: Record<string, string>;
}

declare global {
  interface Window {
    portico: Portico;
  }
}

/** The same as `window.portico`, for a script that imports this module. */
export declare const portico: Portico;
