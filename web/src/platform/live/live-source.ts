import * as z from 'zod/mini';
import type { ErrorRecord } from '../record-error.ts';
import { createStore, type Readable } from '../state/store.ts';
import type { Broadcast } from '../tabs/broadcast.ts';
import { createPoller, type PollerDependencies, type PollerOptions } from './poller.ts';

/*
 * A value of the server that every tab of a browser holds live. A tab loads it when it opens, when its person
 * returns and when it learns of a change; afterwards the leading tab alone polls and passes on what it has
 * loaded, so that nine other tabs cost the server nothing.
 *
 * Messages can cross with a tab's own load, or be missed by a tab that loads. So the leading tab also sends
 * the version after each load, and a tab that holds another one loads. Of what a tab loaded and what it
 * received during the load, the newer one counts; where they have no order, it loads again.
 */

/** `value` is null where it is only said which version the sending tab holds. */
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
  /** The page came with it: it is first loaded after one interval. */
  first?: T;
  /** Whose value it is; tabs share it where this is the same. Null: nothing is loaded. */
  of: Readable<string | null>;
  /** Null: `held`, the known value, is still the present one. Rejects where it failed. */
  load(held: T | null, signal?: AbortSignal): Promise<T | null>;
  versionOf(value: T): string;
  /** When it was changed, to compare two of them; NaN where that says nothing. */
  changedAt(value: T): number;
  /** False: tabs have different values, and pass on only that theirs has changed. */
  shared: boolean;
  /**
   * Only the leading tab sends, and does not listen, so that two tabs that are served by differing replicas
   * cannot chase each other. False: a tab that finds a change sends it to all.
   */
  fromLeader: boolean;
  /** It was loaded, streamed or received, and counts. */
  onValue(value: T): void;
  onFailure?(): void;
};

export type LiveSource<T> = {
  /** The last load failed, and no other tab has passed anything on since. */
  readonly failing: Readable<boolean>;
  /** Something has changed: loads at once. */
  refresh(): Promise<void>;
  /**
   * Something has changed for many browsers: the leading tab loads within so many milliseconds, the others
   * where they do not receive it then. `isPushed`: the leading tab waits for it too.
   */
  refreshWithin(milliseconds: number, isPushed?: boolean): void;
  /** Loads it apart from the polls; null where that failed. */
  load(): Promise<T | null>;
  /** The stream of the leading tab has brought it. */
  take(value: T): void;
  stop(): void;
};

/** The other tabs wait this long for what the leading one loads. */
const leaderTimeout = 2_000;

export function createLiveSource<T>(
  dependencies: LiveDependencies<T>,
  declared: LiveDeclaration<T>,
): LiveSource<T> {
  const { clock, random, leader, broadcast, errors } = dependencies;
  const { of, versionOf, changedAt } = declared;
  const failing = createStore(false);
  let held: T | null = declared.first ?? null;
  let sent: string | null = null;
  let received = 0;
  let isPlanned = false;

  const isHeld = (version: string) => held !== null && versionOf(held) === version;

  function take(value: T): void {
    held = value;
    declared.onValue(value);
  }

  function passOn(value: T): void {
    const whose = of.get();
    if (whose === null) return;
    const version = versionOf(value);
    const isNew = sent !== version;
    sent = version;
    broadcast.post({ of: whose, version, value: declared.shared && isNew ? value : null });
  }

  async function load(signal?: AbortSignal): Promise<T | null> {
    const whose = of.get();
    if (whose === null) return null;
    const isOver = () => signal?.aborted === true || of.get() !== whose;
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

  function settle(value: T, before: T | null): void {
    const changed = !isHeld(versionOf(value));
    const other = changed && held !== before ? held : null;
    if (other !== null && !(changedAt(value) > changedAt(other))) {
      if (!(changedAt(value) < changedAt(other))) void poller.now();
      return;
    }
    take(value);
    if (leader.get() || (changed && !declared.fromLeader)) passOn(value);
  }

  const stops = [
    of.subscribe(() => {
      held = null;
      sent = null;
      failing.set(false);
    }),
    broadcast.subscribe(({ of: whose, version, value }) => {
      if (whose !== of.get() || (declared.fromLeader && leader.get())) return;
      received += 1;
      failing.set(false);
      if (!isHeld(version)) {
        if (value === null) return void poller.now();
        if (held !== null && changedAt(value) < changedAt(held)) return undefined;
        take(value);
      }
      return poller.polledElsewhere();
    }),
  ];
  const poller = createPoller(dependencies, {
    every: declared.every,
    fast: declared.fast,
    known: declared.first !== undefined,
    enabled: of,
    poll: async (signal) => (await load(signal)) !== null,
  });

  return {
    failing,
    refresh: poller.now,
    refreshWithin(milliseconds, isPushed = false) {
      // The answer includes all changes that were published before this tab asked.
      if (isPlanned) return;
      isPlanned = true;
      const before = received;
      const loads = () => leader.get() && !isPushed;
      const wait = loads() ? random() * milliseconds : milliseconds + leaderTimeout;
      clock.after(wait, () => {
        isPlanned = false;
        if (loads() || received === before) void poller.now();
      });
    },
    load: () => load(),
    take(value) {
      received += 1;
      take(value);
      if (leader.get()) passOn(value);
    },
    stop() {
      for (const stop of [...stops, poller.stop]) stop();
    },
  };
}
