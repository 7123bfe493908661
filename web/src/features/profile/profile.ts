import { getProfile, type Profile } from '@portico/contract/profile';
import type { Api } from '../../platform/call.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ErrorRecord } from '../../platform/record-error.ts';
import { createRefresher } from '../../platform/refresher.ts';
import { createStore, derive, type Readable, watch } from '../../platform/store.ts';
import type { TabPresence } from '../../platform/tab-presence.ts';
import { minutesEastOfUtc } from '../../platform/time-offset.ts';

/** How far the load of the own profile is; `currentUser` is null until it is there, and when it could not be had (PRO-2). */
export type ProfileState =
  | { readonly status: 'pending'; readonly currentUser: null }
  | { readonly status: 'success'; readonly currentUser: Profile }
  | { readonly status: 'error'; readonly currentUser: null };

const pending: ProfileState = { status: 'pending', currentUser: null };
const failed: ProfileState = { status: 'error', currentUser: null };

export type OwnProfile = {
  readonly state: Readable<ProfileState>;
  readonly currentUser: Readable<Profile | null>;
  /** Minutes east of UTC for the calls of this moment (PRO-3); null until the profile has loaded. */
  timeOffset(): number | null;
  /** Loads again; what is there stays until the answer comes. */
  reload(): Promise<void>;
};

export type ProfileEdges = {
  api: Api;
  clock: Clock;
  /** The id of who is signed in, or null. */
  person: Readable<string | null>;
  presence: Pick<TabPresence, 'onReturn'>;
  errors: ErrorRecord;
};

/** Loads the profile of whoever signs in, and forgets it when they leave. */
export function createOwnProfile({ api, clock, person, presence, errors }: ProfileEdges): OwnProfile {
  const state = createStore<ProfileState>(pending);
  const currentUser = derive([state], (now) => now.currentUser);

  const refresher = createRefresher(async (signal) => {
    try {
      const profile = await api.call(getProfile, { params: { userId: 'current' } }, { signal });
      if (!signal.aborted) state.set({ status: 'success', currentUser: profile });
    } catch (error) {
      if (signal.aborted) return;
      errors.record('profile.load', error);
      state.set(failed);
    }
  });

  watch(person, (id) => {
    refresher.cancel();
    state.set(pending);
    if (id !== null) void refresher.run();
  });
  presence.onReturn(() => {
    if (state.get().status === 'error') void refresher.run();
  });

  return {
    state,
    currentUser,
    timeOffset() {
      const profile = currentUser.get();
      return profile === null ? null : minutesEastOfUtc(profile.timeZone, clock.now());
    },
    reload: () => (person.get() === null ? Promise.resolve() : refresher.again()),
  };
}
