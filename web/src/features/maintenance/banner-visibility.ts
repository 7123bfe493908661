import { formatNotice, type Notice } from '@portico/contract/maintenance';
import { createStore, derive, type Readable, watch } from '../../platform/store.ts';
import type { TabMemory } from '../../platform/tab-memory.ts';

export type BannerVisibility = {
  /** Not closed, and there is a text (MAINT-2). */
  readonly visible: Readable<boolean>;
  /** Closes it for this browser session; a change of the flag's value shows it again. */
  close(): void;
};

const key = 'portico.notice.closed';

/**
 * Whether the banner shows. What is remembered is the value that was closed, and only until another one is seen: a notice that
 * was taken back and is published again with the same words is news.
 */
export function createBannerVisibility(notice: Readable<Notice>, memory: TabMemory): BannerVisibility {
  const closed = createStore(memory.read(key));
  const value = derive([notice], formatNotice);
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
