import * as z from 'zod/mini';
import { reservedRightPrefix } from '#features/permissions/contract/permissions.ts';
import { getPermissions } from '#features/permissions/contract/own-access.ts';
import type { Api } from '#web/platform/calls/call.ts';
import type { Can } from '#web/platform/contexts.tsx';
import { createLiveSource, type LiveDependencies, liveMessage } from '#web/platform/live/live-source.ts';
import { createStore, derive, type Readable } from '#web/platform/state/store.ts';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import {
  type ReadMessage,
  type RightsChange,
  rightsChange,
  stillUnread,
  unreadChange,
} from './rights-change.ts';

const list = z.object({ rights: z.array(z.string()), etag: z.nullable(z.string()) });
/** The server's list as one tab has read it, for other tabs of the same person. */
export const permissionsMessage = liveMessage(list);

export type PermissionsState = {
  /** The status of the first load; a later poll that fails changes nothing (RIGHT-5). */
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
  /** Polls at once; to be called when something may have changed. */
  refresh(): Promise<void>;
};

export type PermissionsDependencies = LiveDependencies<z.infer<typeof list>> & {
  api: Api;
  /** The id of the signed-in person, or null. */
  person: Readable<string | null>;
  /** Warnings that the person closed in another tab, or in a page with `portico.js`. */
  reads: Broadcast<ReadMessage>;
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
const nothing: PermissionsState = { status: 'pending', rights: [] };

/** The rights of the signed-in person, live (RIGHT-5). */
export function createPermissions(dependencies: PermissionsDependencies): Permissions {
  const { api, clock, person, reads } = dependencies;
  const state = createStore(nothing);
  const change = createStore<RightsChange | null>(null, sameChange);
  let known: readonly string[] | null = null;

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

  person.subscribe(() => {
    known = null;
    change.set(null);
    state.set(nothing);
  });
  const source = createLiveSource(dependencies, {
    what: 'permissions.load',
    every,
    of: person,
    async load(before, signal) {
      const own = { params: { userId: 'current' } };
      const given = await api.callTagged(getPermissions, own, before?.etag ?? null, signal && { signal });
      return given.changed ? { rights: given.answer, etag: given.etag } : null;
    },
    versionOf: ({ rights }) => rights.toSorted().join(' '),
    changedAt: () => Number.NaN,
    shared: true,
    fromLeader: false,
    onValue({ rights }) {
      const seen = rightsChange(known, rights);
      const unread = seen === null ? change.get() : unreadChange(change.get(), seen, held.get());
      known = rights;
      state.set({ status: 'success', rights });
      change.set(unread);
    },
    onFailure() {
      if (state.get().status === 'pending') state.set({ status: 'error', rights: [] });
    },
  });

  reads.subscribe((read) => {
    if (read.of === person.get()) change.set(stillUnread(change.get(), read));
  });

  dependencies.live.onRights(source.refreshWithin);

  let refusedAt = Number.NEGATIVE_INFINITY;
  api.onProblem(({ code }) => {
    const now = clock.now();
    if (code !== 'RIGHT_MISSING' || now < refusedAt) return;
    const wait = Math.max(0, refusedAt + refusalGap - now);
    refusedAt = now + wait;
    clock.after(wait, () => void source.refresh());
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
    loadPermissions: async () => (await source.load())?.rights ?? [],
    refresh: source.refresh,
  };
}

function sameChange(a: RightsChange | null, b: RightsChange | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((right) => b.has(right));
}

/**
 * The rights that flags give (RIGHT-7): FF_<FLAG> for each enabled local flag, and for each remote flag whose
 * default in the payload is `true` itself; a text or a number that is merely truthy gives none.
 *
 * @param features as received; of a personal payload the default is already this person's value
 */
export function flagRights(
  localFlags: readonly string[],
  features: Readonly<Record<string, { readonly defaultValue?: unknown }>>,
): string[] {
  const remote = Object.entries(features).filter(([, { defaultValue }]) => defaultValue === true);
  return [...localFlags, ...remote.map(([key]) => key)].map((key) => `${reservedRightPrefix}${key}`);
}
