import * as z from 'zod/mini';
import type { ErrorRecord } from '../record-error.ts';
import { createStore, type Readable } from '../state/store.ts';
import type { Broadcast } from '../tabs/broadcast.ts';
import { createPoller, type PollerDependencies, type PollerOptions } from './poller.ts';

/*
 * A value of the server that every tab of a browser holds live. A tab loads the value when the tab opens, when the
 * person returns and when it learns of a change. Otherwise the leading tab alone polls and passes on what it has
 * loaded, so that nine other tabs cost the server nothing.
 *
 * Messages can cross with a tab's own load, or be missed by a tab that loads. So the leading tab also sends
 * the version after each load, and a tab that holds another version loads the value. Of a loaded value and a value
 * received during the load, the newer one counts; if neither is known to be newer, the tab loads again.
 */

/** `of` is the owner. `value` is null in a message that only reports which version the sending tab holds. */
export type LiveMessage<T> = { of: string; version: string; value: T | null };

export function liveMessage<T>(value: z.ZodMiniType<T>): z.ZodMiniType<LiveMessage<T>> {
  return z.object({ of: z.string(), version: z.string(), value: z.nullable(value) });
}

export type LiveDependencies<T> = PollerDependencies & {
  broadcast: Broadcast<LiveMessage<T>>;
  errors: Pick<ErrorRecord, 'record'>;
};

export type LiveDeclaration<T> = {
  /** The name of a failed load in the record of errors. */
  what: string;
  /** Milliseconds between polls. */
  every: number;
  fast?: PollerOptions['fast'];
  /** The value that came with the page; the first load is then after one interval. */
  first?: T;
  /** The owner of the value; tabs with the same owner share the value. Null: nothing is loaded. */
  of: Readable<string | null>;
  /** Loads the value; null: the known value `held` is still current. Rejects if the load failed. */
  load(held: T | null, signal?: AbortSignal): Promise<T | null>;
  versionOf(value: T): string;
  /** The time of the last change, to order two values; NaN where there is no such time. */
  changedAt(value: T): number;
  /** Whether tabs have the same value. False: a tab only reports that its own value has changed. */
  shared: boolean;
  /**
   * True: only the leading tab sends, and it does not listen, so that two tabs that are served by differing
   * replicas cannot overwrite each other forever. False: a tab that finds a change sends it to all.
   */
  fromLeader: boolean;
  /** Called with each value that counts, whether loaded, streamed or received from another tab. */
  onValue(value: T): void;
  onFailure?(): void;
};

export type LiveSource<T> = {
  /** The last load failed, and no other tab has passed anything on since. */
  readonly failing: Readable<boolean>;
  /** Loads the value at once, after a change. */
  refresh(): Promise<void>;
  /**
   * Called after a change for many browsers: the leading tab loads the value within so many milliseconds, and the
   * other tabs load it if they do not receive it by then. `isPushed`: the leading tab also waits to receive it.
   */
  refreshWithin(milliseconds: number, isPushed?: boolean): void;
  /** Loads the value in addition to the polls; null if that failed. */
  load(): Promise<T | null>;
  /** Accepts a value that the server has pushed. */
  take(value: T): void;
};

/** Milliseconds that the other tabs wait for the value that the leading tab loads. */
const leaderTimeout = 2_000;

export function createLiveSource<T>(
  dependencies: LiveDependencies<T>,
  declared: LiveDeclaration<T>,
): LiveSource<T> {
  const { clock, random, leader, broadcast, errors } = dependencies;
  const { of: owner, versionOf, changedAt } = declared;
  const failing = createStore(false);
  let held: T | null = declared.first ?? null;
  let sent: string | null = null;
  let receivedCount = 0;
  let isPlanned = false;

  const isHeld = (version: string) => held !== null && versionOf(held) === version;

  function hold(value: T): void {
    held = value;
    declared.onValue(value);
  }

  function passOn(value: T): void {
    const of = owner.get();
    if (of === null) return;
    const version = versionOf(value);
    const isNew = sent !== version;
    sent = version;
    broadcast.post({ of, version, value: declared.shared && isNew ? value : null });
  }

  async function load(signal?: AbortSignal): Promise<T | null> {
    const of = owner.get();
    if (of === null) return null;
    const isOver = () => signal?.aborted === true || owner.get() !== of;
    const before = held;
    try {
      const value = (await declared.load(before, signal)) ?? before;
      if (value === null || isOver()) return null;
      failing.set(false);
      settle(value, before);
      return value;
    } catch (error) {
      if (isOver()) return null;
      if (!failing.get()) errors.record(declared.what, error);
      failing.set(true);
      declared.onFailure?.();
      return null;
    }
  }

  /** `before` is the value that was held when the load began; a value received since then may be newer. */
  function settle(value: T, before: T | null): void {
    const changed = !isHeld(versionOf(value));
    const received = changed && held !== before ? held : null;
    if (received !== null && !(changedAt(value) > changedAt(received))) {
      if (!(changedAt(value) < changedAt(received))) void poller.now();
      return;
    }
    hold(value);
    if (leader.get() || (changed && !declared.fromLeader)) passOn(value);
  }

  owner.subscribe(() => {
    held = null;
    sent = null;
    failing.set(false);
  });
  broadcast.subscribe(({ of, version, value }) => {
    if (of !== owner.get() || (declared.fromLeader && leader.get())) return;
    receivedCount += 1;
    failing.set(false);
    if (!isHeld(version)) {
      if (value === null) return void poller.now();
      if (held !== null && changedAt(value) < changedAt(held)) return undefined;
      hold(value);
    }
    return poller.polledElsewhere();
  });
  const poller = createPoller(dependencies, {
    every: declared.every,
    fast: declared.fast,
    known: declared.first !== undefined,
    enabled: owner,
    poll: async (signal) => (await load(signal)) !== null,
  });

  return {
    failing,
    refresh: poller.now,
    refreshWithin(milliseconds, isPushed = false) {
      // A load is already planned; its answer will include this change.
      if (isPlanned) return;
      isPlanned = true;
      const before = receivedCount;
      const loads = () => leader.get() && !isPushed;
      const wait = loads() ? random() * milliseconds : milliseconds + leaderTimeout;
      clock.after(wait, () => {
        isPlanned = false;
        if (loads() || receivedCount === before) void poller.now();
      });
    },
    load: () => load(),
    take(value) {
      receivedCount += 1;
      hold(value);
      if (leader.get()) passOn(value);
    },
  };
}
