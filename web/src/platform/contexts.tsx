import type { Profile } from '#features/profile/contract/profile.ts';
import type { SessionEnd } from '#features/session/contract/end.ts';
import { createContext, type ReactNode, use } from 'react';
import type { Api } from './calls/call.ts';
import type { ServerClock } from './time/server-clock.ts';
import type { Readable } from './state/store.ts';
import { useStore } from './state/use-store.ts';
import type { Formats } from './i18n/formats.ts';

/*
 * Contexts by which features share values without importing each other. Each context is narrow; the application
 * provides the values, which come from the features.
 */

export type SessionState =
  /** The first token is being loaded. */
  | { readonly status: 'starting' }
  /** The first token could not be loaded: no network, or a failing server. It is retried automatically. */
  | { readonly status: 'unreachable' }
  | { readonly status: 'signed-in'; readonly personId: string }
  | { readonly status: 'signing-out' }
  /** The server could not be reached at the sign-out; the session there is still open. */
  | { readonly status: 'sign-out-failed' }
  /** With the reason `signed-out` the person ended the session in this browser; the server reported all others. */
  | {
      readonly status: 'signed-out';
      readonly reason: SessionEnd;
      /** Whether the person signed out and the typed text of this tab was discarded or stored as a draft. */
      readonly takesWork?: boolean;
    };

/** What a screen can do with the session. */
export type SessionHandle = {
  readonly state: Readable<SessionState>;
  /** Whether this page replaced the page of another person because a different person has signed in. */
  readonly isOtherPerson: boolean;
  /**
   * Ends the session in all tabs and leaves the page (SES-7). Typed text is discarded; with `storedTabs` only in
   * those tabs, after their text was stored as drafts.
   */
  signOut(storedTabs?: readonly string[]): Promise<void>;
  /** Goes to the sign-in, which returns to this page. */
  signIn(): void;
  /** Tries the first token again now. */
  retry(): void;
};

/** The provider at which people sign in and have their password. */
export type SignInPlace = {
  /** The name of the company's own provider; null: Portico's embedded one. */
  readonly outsideProvider: string | null;
};

export type Can = (right: string) => boolean;

function provided<T>() {
  const context = createContext<T | null>(null);
  function Provide({ value, children }: { value: T; children: ReactNode }) {
    return <context.Provider value={value}>{children}</context.Provider>;
  }
  function useProvided(): T {
    const value = use(context);
    if (value === null) throw new Error('It is not provided here.');
    return value;
  }
  return [Provide, useProvided] as const;
}

export const [ProvideApi, useApi] = provided<Api>();
export const [ProvideServerClock, useServerClock] = provided<ServerClock>();
export const [ProvideSession, useSessionHandle] = provided<SessionHandle>();
export const [ProvideSignInPlace, useSignInPlace] = provided<SignInPlace>();
export const [ProvideCan, useCanStore] = provided<Readable<Can>>();
/** How times, numbers and lists are written for the person who looks at the page. */
export const [ProvideFormats, useFormats] = provided<Formats>();
export const [ProvideCurrentUser, useCurrentUserStore] = provided<Readable<Profile | null>>();

/** The state of the session, live. */
export function useSession(): SessionState {
  return useStore(useSessionHandle().state);
}

/** Whether a right is held, live (RIGHT-8). The server enforces it all the same. */
export function useCan(): Can {
  return useStore(useCanStore());
}

/** The profile of the signed-in person, live; null until it is loaded, and if that failed (PRO-2). */
export function useCurrentUser(): Profile | null {
  return useStore(useCurrentUserStore());
}
