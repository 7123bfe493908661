import * as z from 'zod/mini';
import type { Broadcast } from './broadcast.ts';
import type { Clock } from '../time/clock.ts';
import { createSignal, type Readable, watch } from '../state/store.ts';
import type { Locks } from './with-lock.ts';
import { base } from '../base.ts';

/*
 * Counts the open tabs of this browser, and how many of them have unsaved work. The protocol:
 *
 * 1. Every tab holds its own Web Lock, and a second lock while it has unsaved work. So a crashed tab leaves the
 *    count by itself, and a frozen tab still counts.
 * 2. The leading tab counts the locks, and queues for the lock of each other tab: it gets the lock when that
 *    tab is gone, releases it and counts again.
 * 3. A tab that takes or releases a lock publishes this change.
 *
 * Without Web Locks every tab counts as a browser by itself.
 */

export type TabCounts = { readonly tabs: number; readonly unsaved: number };

export type OpenTabs = {
  count(): Promise<TabCounts>;
  /** Calls the listener when the counts may have changed. */
  onChange(listener: () => void): () => void;
};

export const tabsMessage = z.object({ type: z.literal('counts-changed') });
export type TabsMessage = z.infer<typeof tabsMessage>;

/** Web Locks that can be queried. */
export type CountedLocks = Locks & Pick<LockManager, 'query'>;

export type OpenTabsDependencies = {
  locks: CountedLocks | undefined;
  broadcast: Broadcast<TabsMessage>;
  clock: Clock;
  leader: Readable<boolean>;
  /** The number of places in this tab with unsaved work. */
  unsaved: Readable<number>;
  newId: () => string;
};

const openPrefix = `portico${base}:tab:`;
const unsavedPrefix = `portico${base}:unsaved:`;
/** Milliseconds after which the tabs are counted again, in case a message was lost. */
const every = 60_000;
/** The most that the contract accepts. */
const most = 1_000;

/** Counts this tab until the page ends. */
export function watchOpenTabs({
  locks,
  broadcast,
  clock,
  leader,
  unsaved,
  newId,
}: OpenTabsDependencies): OpenTabs {
  const changed = createSignal();
  const alone = (): TabCounts => ({ tabs: 1, unsaved: unsaved.get() > 0 ? 1 : 0 });
  if (locks === undefined) {
    unsaved.subscribe(changed.publish);
    return { count: () => Promise.resolve(alone()), onChange: changed.subscribe };
  }
  const manager = locks;
  const id = newId();
  const queuedFor = new Set<string>();
  let releaseUnsaved: (() => void) | null = null;

  /** Holds a lock of this tab; returns a function that releases the lock. */
  function hold(name: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const given = () => {
      publish();
      return promise;
    };
    // Where locks are refused, as in a page without storage, nothing can be counted.
    manager.request(name, given).then(publish, () => {});
    return resolve;
  }

  function publish(): void {
    broadcast.post({ type: 'counts-changed' });
    changed.publish();
  }

  async function count(): Promise<TabCounts> {
    const { held = [] } = await manager.query().catch((): LockManagerSnapshot => ({}));
    // Tabs that queue for a lock request it as shared, so that they never count as its owner, even with two
    // leaders for an instant.
    const names = held.flatMap(({ name = '', mode }) => (mode === 'exclusive' ? [name] : []));
    const tabs = names.filter((name) => name.startsWith(openPrefix));
    if (!tabs.includes(openPrefix + id)) return alone();
    if (leader.get()) tabs.forEach(queueFor);
    const withWork = names.filter((name) => name.startsWith(unsavedPrefix));
    return { tabs: Math.min(most, tabs.length), unsaved: Math.min(most, withWork.length) };
  }

  function queueFor(name: string): void {
    if (name === openPrefix + id || queuedFor.has(name)) return;
    queuedFor.add(name);
    const over = () => {
      queuedFor.delete(name);
      changed.publish();
    };
    manager.request(name, { mode: 'shared' }, () => {}).then(over, over);
  }

  function recountLater(): void {
    clock.after(every, () => {
      changed.publish();
      recountLater();
    });
  }

  hold(openPrefix + id);
  watch(unsaved, (places) => {
    if (places > 0) releaseUnsaved ??= hold(unsavedPrefix + id);
    else {
      releaseUnsaved?.();
      releaseUnsaved = null;
    }
  });
  broadcast.subscribe(() => changed.publish());
  recountLater();
  return { count, onChange: changed.subscribe };
}
