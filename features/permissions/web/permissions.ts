import * as z from 'zod/mini';
import { getPermissions } from '#features/permissions/contract/of-person.ts';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import type { Api } from '#web/platform/calls/call.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { Can } from '#web/platform/contexts.tsx';
import { createPoller } from '#web/platform/live/poller.ts';
import type { ErrorRecord } from '#web/platform/record-error.ts';
import { createStore, derive, type Readable, watch } from '#web/platform/state/store.ts';
import type { TabPresence } from '#web/platform/tabs/tab-presence.ts';
import { flagRights } from './flag-rights.ts';
import {
  type ReadMessage,
  type RightsChange,
  rightsChange,
  stillUnread,
  unreadChange,
} from './rights-change.ts';

/** The server's list as one tab has read it, for other tabs of the same person. */
export const permissionsMessage = z.object({
  of: z.string(),
  rights: z.readonly(z.array(z.string())),
  etag: z.nullable(z.string()),
});
export type PermissionsMessage = z.infer<typeof permissionsMessage>;

export type PermissionsState = {
  /** Of the first load; a failed later poll changes nothing (RIGHT-5). */
  readonly status: 'pending' | 'success' | 'error';
  /** The last good list of the server; empty before there is one. */
  readonly rights: readonly string[];
};

export type Permissions = {
  readonly state: Readable<PermissionsState>;
  /** The server's rights and those that flags give (RIGHT-7). */
  readonly held: Readable<ReadonlySet<string>>;
  readonly can: Readable<Can>;
  /** What was gained and lost since the last acknowledgement, together (RIGHT-6). */
  readonly change: Readable<RightsChange | null>;
  acknowledge(): void;
  /**
   * Loads the server's list now; an empty one on failure (RIGHT-5). The rights in force then stay in force.
   */
  loadPermissions(): Promise<readonly string[]>;
  /** Something may have changed: polls at once. */
  refresh(): Promise<void>;
};

export type PermissionsDependencies = {
  api: Api;
  clock: Clock;
  random: () => number;
  /** The id of the signed-in person, or null. */
  person: Readable<string | null>;
  leader: Readable<boolean>;
  presence: TabPresence;
  broadcast: Broadcast<PermissionsMessage>;
  /** What was read in another tab, or in a page with `portico.js`. */
  reads: Broadcast<ReadMessage>;
  errors: ErrorRecord;
  live: {
    /**
     * Called in every tab: the server has changed the rights; they are to be loaded within so many
     * milliseconds.
     */
    onRights(listener: (within: number) => void): () => void;
  };
  /** Keys of the enabled local flags. */
  localFlags: readonly string[];
  /** The features of the flag payload, as received. */
  features: Readable<Readonly<Record<string, { readonly defaultValue?: unknown }>>>;
};

const every = 60_000;
/** Refused calls come in bunches; one poll serves them all. */
const refusalGap = 1_000;
/** The other tabs wait this long for the leading one's answer. */
const leaderTimeout = 2_000;
const nothing: PermissionsState = { status: 'pending', rights: [] };

/** The rights of the signed-in person, live (RIGHT-5). */
export function createPermissions(dependencies: PermissionsDependencies): Permissions {
  const { api, clock, person, leader, broadcast, reads, errors } = dependencies;
  const state = createStore(nothing);
  const change = createStore<RightsChange | null>(null, sameChange);
  let known: PermissionsMessage | null = null;
  let failing = false;
  let receivedCount = 0;

  const held = derive(
    [state, dependencies.features],
    ({ rights }, features) => new Set([...rights, ...flagRights(dependencies.localFlags, features)]),
    sameSet,
  );
  const can = derive(
    [held],
    (rights): Can =>
      (right) =>
        rights.has(right),
  );

  /** Asks the server; null if that failed. */
  async function read(signal?: AbortSignal): Promise<PermissionsMessage | null> {
    const of = person.get();
    if (of === null) return null;
    const before = known;
    try {
      const own = { params: { userId: 'current' } };
      const given = await api.callTagged(
        getPermissions,
        own,
        before?.etag ?? null,
        signal === undefined ? {} : { signal },
      );
      if (signal?.aborted || person.get() !== of) return null;
      failing = false;
      return given.changed ? { of, rights: given.answer, etag: given.etag } : before;
    } catch (error) {
      if (signal?.aborted) return null;
      if (!failing) errors.record('permissions.load', error);
      failing = true;
      return null;
    }
  }

  function take(list: PermissionsMessage): void {
    const seen = rightsChange(known?.rights ?? null, list.rights);
    const unread = seen === null ? change.get() : unreadChange(change.get(), seen, held.get());
    known = list;
    state.set({ status: 'success', rights: list.rights });
    change.set(unread);
  }

  async function poll(signal?: AbortSignal): Promise<readonly string[] | null> {
    const receivedBefore = receivedCount;
    const list = await read(signal);
    if (list === null) {
      if (signal?.aborted !== true && state.get().status === 'pending')
        state.set({ status: 'error', rights: [] });
      return null;
    }
    const changed = known === null || !sameSet(new Set(known.rights), new Set(list.rights));
    if (changed && receivedCount !== receivedBefore) {
      // Another tab's answer came first, and this one may be the older of the two.
      void poller.now();
      return list.rights;
    }
    take(list);
    if (changed || leader.get()) broadcast.post(list);
    return list.rights;
  }

  const poller = createPoller(dependencies, {
    every,
    enabled: derive([person], (id) => id !== null),
    poll: async (signal) => (await poll(signal)) !== null,
  });

  watch(person, () => {
    known = null;
    failing = false;
    change.set(null);
    state.set(nothing);
  });
  broadcast.subscribe((list) => {
    if (list.of !== person.get()) return;
    receivedCount += 1;
    take(list);
    poller.polledElsewhere();
  });
  reads.subscribe((read) => {
    if (read.of === person.get()) change.set(stillUnread(change.get(), read));
  });

  let isPlanned = false;
  dependencies.live.onRights((within) => {
    // The answer includes all changes that were published before this tab asked.
    if (isPlanned) return;
    isPlanned = true;
    const receivedBefore = receivedCount;
    const wait = leader.get() ? dependencies.random() * within : within + leaderTimeout;
    clock.after(wait, () => {
      isPlanned = false;
      if (leader.get() || receivedCount === receivedBefore) void poller.now();
    });
  });

  let refusedAt = Number.NEGATIVE_INFINITY;
  api.onProblem(({ code }) => {
    const now = clock.now();
    if (code !== 'RIGHT_MISSING' || now < refusedAt) return;
    const wait = Math.max(0, refusedAt + refusalGap - now);
    refusedAt = now + wait;
    clock.after(wait, () => void poller.now());
  });

  return {
    state,
    held,
    can,
    change,
    acknowledge() {
      const [of, read] = [person.get(), change.get()];
      if (of !== null && read !== null) reads.post({ of, ...read });
      change.set(null);
    },
    loadPermissions: async () => (await poll()) ?? [],
    refresh: poller.now,
  };
}

function sameChange(a: RightsChange | null, b: RightsChange | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((right) => b.has(right));
}
