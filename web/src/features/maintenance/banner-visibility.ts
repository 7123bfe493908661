import { formatNotice, type Notice, type UpcomingWindow } from '@portico/contract/maintenance';
import { createStore, derive, type Readable, watch } from '../../platform/store.ts';
import type { TabMemory } from '../../platform/tab-memory.ts';

export type BannerVisibility = {
  /** Not closed, and there is a text (MAINT-2). */
  readonly visible: Readable<boolean>;
  /** Closes it for this browser session; a change of what it says shows it again, and so does a window that is near. */
  close(): void;
};

type Shown = Notice & { readonly upcoming: UpcomingWindow | null };

const key = 'portico.notice.closed';

/**
 * Whether the banner shows. What is remembered is what it said when it was closed, and only until it says something else: a notice
 * that was taken back and is published again with the same words is news.
 *
 * @param near a window after whose start nothing can be saved begins in a few minutes
 */
export function createBannerVisibility(
  shown: Readable<Shown>,
  near: Readable<boolean>,
  memory: TabMemory,
): BannerVisibility {
  const closed = createStore(memory.read(key));
  const value = derive([shown, near], said);
  const remember = (what: string | null) => {
    memory.write(key, what);
    closed.set(what);
  };
  watch(value, (now) => {
    if (closed.get() !== null && closed.get() !== now) remember(null);
  });
  return {
    visible: derive([value, closed], (now, hidden) => now !== '' && now !== hidden),
    close: () => remember(value.get()),
  };
}

function said({ upcoming, ...notice }: Shown, near: boolean): string {
  if (upcoming === null) return formatNotice(notice);
  const { text, mode, startsAt, endsAt } = upcoming;
  return [formatNotice(notice), text, mode, startsAt, endsAt, near ? 'near' : 'ahead'].join('\n');
}
