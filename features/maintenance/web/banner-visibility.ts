import * as z from 'zod/mini';
import {
  formatNotice,
  type Notice,
  type UpcomingWindow,
} from '#features/maintenance/contract/maintenance.ts';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import type { BrowserSessionMemory } from '#web/platform/tabs/browser-session-memory.ts';
import { createStore, derive, type Readable, watch } from '#web/platform/state/store.ts';
import type { TabPresence } from '#web/platform/tabs/tab-presence.ts';

export type BannerVisibility = {
  /** The banner has content and has not been closed (MAINT-2). */
  readonly visible: Readable<boolean>;
  /**
   * Closes the banner in every tab, for this browser session. It shows again when its text or severity changes,
   * and when a window is near.
   */
  close(): void;
};

/** The fingerprint of the notice that was closed in a tab; null: reset. */
export const closedMessage = z.object({ closed: z.nullable(z.string()) });
export type ClosedMessage = z.infer<typeof closedMessage>;

export type BannerDependencies = {
  shown: Readable<Shown>;
  /** A window that refuses changes starts in a few minutes. */
  near: Readable<boolean>;
  memory: BrowserSessionMemory;
  broadcast: Broadcast<ClosedMessage>;
  presence: Pick<TabPresence, 'onReturn'>;
};

type Shown = Notice & { readonly upcoming: UpcomingWindow | null };

const key = 'notice_closed';

/**
 * Whether the banner shows. The fingerprint of its content at the time it was closed is remembered only until
 * the content changes: a notice that was removed and is published again with the same words is shown again.
 */
export function createBannerVisibility(dependencies: BannerDependencies): BannerVisibility {
  const { memory, broadcast } = dependencies;
  const closed = createStore(memory.read(key));
  const value = derive([dependencies.shown, dependencies.near], fingerprint);
  const remember = (what: string | null) => {
    memory.write(key, what);
    closed.set(what);
    broadcast.post({ closed: what });
  };
  broadcast.subscribe((message) => closed.set(message.closed));
  // A tab that was suspended has missed messages.
  dependencies.presence.onReturn(() => closed.set(memory.read(key)));
  watch(value, (now) => {
    closed.set(memory.read(key));
    if (closed.get() !== null && closed.get() !== now) remember(null);
  });
  return {
    visible: derive([value, closed], (now, hidden) => now !== null && now !== hidden),
    close: () => remember(value.get()),
  };
}

/** Some characters that identify the content of the banner; null where it has none. */
function fingerprint({ upcoming, ...notice }: Shown, near: boolean): string | null {
  const noticeText = formatNotice(notice);
  if (upcoming === null) return noticeText === '' ? null : hash(noticeText);
  const { text, mode, startsAt, endsAt } = upcoming;
  return hash([noticeText, text, mode, startsAt, endsAt, near ? 'near' : 'ahead'].join('\n'));
}

/** 64 bits of FNV-1a, which are enough to distinguish notices. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text))
    value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n);
  return value.toString(36);
}
