import {
  readMessage,
  type RightsChange,
  rightsChange,
  stillUnread,
  unreadChange,
} from '#features/permissions/web/rights-change.ts';
import { browserChannel, openBroadcast } from '../platform/tabs/broadcast.ts';
import { createStore, watch } from '../platform/state/store.ts';
import type { EmbedPage } from './page.ts';

/** Notifies a person of each change of their rights, and of the end of their session. */
export function followRights(page: EmbedPage, notices: () => boolean) {
  const { embedStatus, session } = page;
  const change = createStore<RightsChange | null>(null);
  const ended = createStore(false);
  /** The labels of the installation's own rights, including rights that the person has lost. */
  let labels: Record<string, string> = {};
  let before: { of: string; rights: readonly string[] } | null = null;

  const named = (rights: readonly string[]) => rights.map((right) => labels[right] ?? right);

  let unread: RightsChange | null = null;
  watch(embedStatus.known, (known) => {
    const user = known?.user ?? null;
    if (known === null || user === null) {
      before = null;
      return;
    }
    labels = { ...labels, ...known.rightLabels };
    const seen = before?.of === user.id ? rightsChange(before.rights, known.rights) : null;
    before = { of: user.id, rights: known.rights };
    if (seen === null) return;
    const silent = known.maintenance.mode === 'full' ? ['FF_MAINTENANCE'] : [];
    show(unreadChange(unread, seen, new Set([...known.rights, ...silent])));
  });

  function show(next: RightsChange | null): void {
    unread = next;
    if (notices()) change.set(next && { gained: named(next.gained), lost: named(next.lost) });
  }

  const reads = openBroadcast(browserChannel, 'rights-read', readMessage);
  reads.subscribe((read) => {
    if (read.of === before?.of) show(stillUnread(unread, read));
  });

  let wasSignedIn = false;
  watch(session.state, ({ status }) => {
    if (status === 'signed-in') wasSignedIn = true;
    ended.set(status === 'signed-out' && wasSignedIn && notices());
  });

  return {
    change,
    ended,
    acknowledge(): void {
      if (before !== null && unread !== null) reads.post({ of: before.of, ...unread });
      unread = null;
      change.set(null);
    },
  };
}
