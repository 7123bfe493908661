/**
 * `window.portico` and the export `portico` of `<script type="module" src="/portico/portico.js">`. Values are live.
 */
export interface Portico {
  /** The person who is signed in; null: no one, or not known yet (`ready`). */
  readonly user: PorticoUser | null;
  /** Whether a person is signed in, and why a session has ended. */
  readonly session: PorticoSession;
  /** The rights that the person holds. */
  readonly rights: readonly string[];
  /** The value of each flag for this person. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly maintenance: PorticoMaintenance;
  /** Resolves once, when the server has answered who is signed in, with their rights and flags. */
  readonly ready: Promise<Portico>;
  /** Whether the person holds a right now. Your server has to check it all the same. */
  can(right: string): boolean;
  /** The value of a flag for this person; the fallback while it is unknown or switched off. */
  flag<T>(key: string, fallback: T): T;
  flag(key: string): unknown;
  /** Calls `listener` after each change (for `ready` also if added later); returns a function that removes it. */
  on<N extends keyof PorticoEvents>(name: N, listener: (given: PorticoEvents[N]) => void): () => void;
  /** An access token for calls to a server that verifies it (five minutes). Rejects where no one is signed in. */
  token(): Promise<string>;
  /** Goes to the sign-in, and returns to this page. */
  signIn(): void;
  /** Ends the session in all tabs and leaves the page. Rejects where the server cannot be reached. */
  signOut(): Promise<void>;
  /** Opens the form of a bug report; resolves when it is shown. */
  report(options?: ReportOptions): Promise<void>;
  /**
   * Adds a function that is called and awaited before the page is left for the maintenance page; all of them
   * together have 5 seconds. Returns a function that removes it.
   */
  beforeMaintenance(save: () => void | Promise<unknown>): () => void;
  /**
   * Reports whether this page has unsaved work. Before maintenance operators see the number of such tabs, and the
   * person is asked to save in time. Each form of a page passes its own `place`: a name or any object.
   */
  unsaved(isUnsaved: boolean, place?: unknown): void;
}

export interface PorticoUser {
  readonly id: string;
  /** First and last name, or the email address where there is neither. */
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
  /** The initial description of the report, if nothing is typed yet. */
  message?: string;
  /** Sent with the report, such as `{ order: '4711' }`. Cut to 50 tags, keys of 64 and values of 200 characters. */
  tags?: Record<string, string>;
}

declare global {
  interface Window {
    portico: Portico;
  }
}

/** The same as `window.portico`, for a script that imports this module. */
export declare const portico: Portico;
