import type { Profile } from '@portico/contract/profile';
import { createContext, type ReactNode, use } from 'react';
import type { Api } from './call.ts';
import type { ServerClock } from './server-clock.ts';
import type { Readable } from './store.ts';
import { useStore } from './use-store.ts';

/*
 * What features share without importing each other. Each context is narrow; the application gives the values, which come
 * from the features.
 */

export type SessionState =
  /** The first token is on its way. */
  | { readonly status: 'starting' }
  /** The first token could not be had: no network, or a server in trouble. It is tried again by itself. */
  | { readonly status: 'unreachable' }
  | { readonly status: 'signed-in'; readonly personId: string }
  | { readonly status: 'signing-out' }
  /** The server could not be told; the person is still signed in there. */
  | { readonly status: 'sign-out-failed' }
  /** `ended`: by the server. `blocked`, `erased`: by an operator. `signed-out`: by the person, in this tab or another. */
  | { readonly status: 'signed-out'; readonly reason: 'ended' | 'blocked' | 'erased' | 'signed-out' };

/** What a screen may do with the session. */
export type SessionHandle = {
  readonly state: Readable<SessionState>;
  /** Ends the session in all tabs and leaves the page (SES-7). */
  signOut(): Promise<void>;
  /** Goes to the sign-in, and comes back here. */
  signIn(): void;
  /** Tries the first token again now. */
  retry(): void;
};

/** Where people have their password. */
export type SignInPlace = {
  /** What people call the company's own provider, where that is the place; null: here. */
  readonly outsideProvider: string | null;
};

export type Can = (right: string) => boolean;

function provided<T>(what: string) {
  const context = createContext<T | null>(null);
  function Provide({ value, children }: { value: T; children: ReactNode }) {
    return <context.Provider value={value}>{children}</context.Provider>;
  }
  function useProvided(): T {
    const value = use(context);
    if (value === null) throw new Error(`${what} is not provided here.`);
    return value;
  }
  return [Provide, useProvided] as const;
}

export const [ProvideApi, useApi] = provided<Api>('The typed client');
export const [ProvideServerClock, useServerClock] = provided<ServerClock>("The server's clock");
export const [ProvideSession, useSessionHandle] = provided<SessionHandle>('The session');
export const [ProvideSignInPlace, useSignInPlace] = provided<SignInPlace>('Where people sign in');
export const [ProvideCan, useCanStore] = provided<Readable<Can>>('The rights');
export const [ProvideCurrentUser, useCurrentUserStore] = provided<Readable<Profile | null>>('The profile');

/** The state of the session, live. */
export function useSession(): SessionState {
  return useStore(useSessionHandle().state);
}

/** Answers whether a right is held, live (RIGHT-8). The server enforces it all the same. */
export function useCan(): Can {
  return useStore(useCanStore());
}

/** The profile of who is signed in, live; null until it has loaded, and when it could not be (PRO-2). */
export function useCurrentUser(): Profile | null {
  return useStore(useCurrentUserStore());
}
