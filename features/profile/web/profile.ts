import * as z from 'zod/mini';
import type { FieldProblem } from '#contract/problem.ts';
import { getProfile, type Profile, updateProfile } from '#features/profile/contract/profile.ts';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import type { Api } from '#web/platform/calls/call.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import type { ErrorRecord } from '#web/platform/record-error.ts';
import { createRefresher } from '#web/platform/calls/refresher.ts';
import { createStore, derive, type Readable, watch } from '#web/platform/state/store.ts';
import type { TabPresence } from '#web/platform/tabs/tab-presence.ts';
import { minutesEastOfUtc } from '#web/platform/time/time-offset.ts';
import { fieldsOf, type ProfileFields } from './profile-fields.ts';

/** The state of the own profile; `currentUser` is null until it is loaded, and if that failed (PRO-2). */
export type ProfileState =
  | { readonly status: 'pending'; readonly currentUser: null }
  | { readonly status: 'success'; readonly currentUser: Profile }
  | { readonly status: 'error'; readonly currentUser: null };

const pending: ProfileState = { status: 'pending', currentUser: null };
const failed: ProfileState = { status: 'error', currentUser: null };

/** The outcome of a change. All but `saved` changed nothing, and are recorded. */
export type UpdateOutcome =
  | { readonly status: 'saved'; readonly profile: Profile }
  /**
   * The profile was changed elsewhere since it was read; `theirs` is the newer one, null if loading it failed.
   */
  | { readonly status: 'conflict'; readonly theirs: Profile | null; readonly error: unknown }
  | { readonly status: 'invalid'; readonly problems: readonly FieldProblem[]; readonly error: unknown }
  | { readonly status: 'failed'; readonly error: unknown };

/** Notifies the other tabs that the profile of this person has changed. */
export const profileMessage = z.object({ personId: z.string(), version: z.number() });
export type ProfileMessage = z.infer<typeof profileMessage>;

export type OwnProfile = {
  readonly state: Readable<ProfileState>;
  readonly currentUser: Readable<Profile | null>;
  /** Minutes east of UTC, sent with each call (PRO-3); null until the profile has loaded. */
  timeOffset(): number | null;
  /** Loads the profile again and resolves to it, or to null on failure; until then the known profile stays. */
  reload(): Promise<Profile | null>;
  /** Replaces the fields of the profile that was read at this version. */
  update(fields: ProfileFields, version: number): Promise<UpdateOutcome>;
  /**
   * Changes some fields, whatever the others are now: on a conflict it reads them again and tries once more.
   */
  amend(change: Partial<ProfileFields>): Promise<UpdateOutcome>;
};

export type ProfileDependencies = {
  api: Api;
  clock: Clock;
  /** The id of the signed-in person, or null. */
  person: Readable<string | null>;
  presence: Pick<TabPresence, 'onReturn'>;
  broadcast: Broadcast<ProfileMessage>;
  errors: ErrorRecord;
  live: {
    /** Called in every tab: the server has published a change of the profile. */
    onProfile(listener: () => void): () => void;
  };
};

const firstRetry = 5_000;
const longestRetry = 60_000;

const own = { userId: 'current' };

/** Loads the profile of the person who signs in, changes it, and drops it when they leave. */
export function createOwnProfile({
  api,
  clock,
  person,
  presence,
  broadcast,
  errors,
  live,
}: ProfileDependencies): OwnProfile {
  const state = createStore<ProfileState>(pending);
  const currentUser = derive([state], (now) => now.currentUser);
  let lastLoaded: Profile | null = null;
  /** Null, or the number of failed loads since the profile changed elsewhere. */
  let missed: number | null = null;
  let cancelRetry = () => {};

  /** An older answer may arrive after a newer one. */
  function accept(profile: Profile): void {
    const known = currentUser.get();
    if (known === null || known.version <= profile.version)
      state.set({ status: 'success', currentUser: profile });
  }

  const refresher = createRefresher(async (signal) => {
    cancelRetry();
    lastLoaded = null;
    try {
      const profile = await api.call(getProfile, { params: own }, { signal });
      if (signal.aborted) return;
      lastLoaded = profile;
      missed = null;
      accept(profile);
    } catch (error) {
      if (signal.aborted) return;
      errors.record('profile.load', error);
      // After a failed reload the known profile stays.
      if (currentUser.get() === null) state.set(failed);
      if (missed === null) return;
      cancelRetry = clock.after(Math.min(longestRetry, firstRetry * 2 ** missed), () => void refresher.run());
      missed += 1;
    }
  });

  async function reload(): Promise<Profile | null> {
    if (person.get() === null) return null;
    await refresher.again();
    return lastLoaded;
  }

  async function put(fields: ProfileFields, version: number): Promise<UpdateOutcome> {
    const owner = person.get();
    try {
      const profile = await api.call(updateProfile, { params: own, body: { ...fields, version } });
      if (owner !== null && person.get() === owner) {
        accept(profile);
        broadcast.post({ personId: owner, version: profile.version });
      }
      return { status: 'saved', profile };
    } catch (error) {
      if (isProblem(error, 'VERSION_CONFLICT')) return { status: 'conflict', theirs: await reload(), error };
      if (isProblem(error, 'INVALID_BODY')) return { status: 'invalid', problems: error.errors, error };
      return { status: 'failed', error };
    }
  }

  function recorded(outcome: UpdateOutcome): UpdateOutcome {
    if (outcome.status !== 'saved') errors.record('profile.update', outcome.error);
    return outcome;
  }

  watch(person, (id) => {
    refresher.cancel();
    cancelRetry();
    missed = null;
    state.set(pending);
    if (id !== null) void refresher.run();
  });
  presence.onReturn(() => {
    if (state.get().status === 'error') void refresher.run();
  });
  live.onProfile(() => {
    if (person.get() === null) return;
    missed = 0;
    void refresher.again();
  });
  broadcast.subscribe(({ personId, version }) => {
    if (personId === person.get() && version > (currentUser.get()?.version ?? 0)) void refresher.again();
  });

  return {
    state,
    currentUser,
    timeOffset() {
      const profile = currentUser.get();
      return profile === null ? null : minutesEastOfUtc(profile.timeZone, clock.now());
    },
    reload,
    update: async (fields, version) => recorded(await put(fields, version)),
    async amend(change) {
      const newest = currentUser.get() ?? (await reload());
      if (newest === null)
        return recorded({ status: 'failed', error: new Error('There is no profile to change.') });
      const outcome = await put({ ...fieldsOf(newest), ...change }, newest.version);
      if (outcome.status !== 'conflict' || outcome.theirs === null) return recorded(outcome);
      const { theirs } = outcome;
      return recorded(await put({ ...fieldsOf(theirs), ...change }, theirs.version));
    },
  };
}
