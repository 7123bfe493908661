import * as z from 'zod/mini';
import { maintenanceFlag } from '#features/maintenance/contract/maintenance.ts';
import { reservedRightPrefix } from '#features/permissions/contract/permissions.ts';

export type RightsChange = { readonly gained: readonly string[]; readonly lost: readonly string[] };

/** While the person holds this right, a change is taken over silently (RIGHT-6). */
export const silencingRight = `${reservedRightPrefix}${maintenanceFlag}`;

/**
 * The changes of a new list of the server, or null if there are none (RIGHT-6):
 *
 * 1. The first list changes nothing: neither the first load nor the first success after a failed one.
 * 2. Only the server's list counts, as a set; rights that begin with `FF_` come from flags.
 */
export function rightsChange(
  before: readonly string[] | null,
  after: readonly string[],
): RightsChange | null {
  return before === null ? null : changeOf(without(after, before), without(before, after));
}

/**
 * The content of the warning after `next`, or null if there is nothing to warn of (RIGHT-6):
 *
 * 1. It names everything gained and lost since it was last closed; what was gained and lost again cancels
 *    out.
 * 2. While FF_MAINTENANCE is held a change adds nothing, but still takes away what is no longer true.
 *
 * @param unread its present content; null: it is not shown
 */
export function unreadChange(
  unread: RightsChange | null,
  next: RightsChange,
  held: ReadonlySet<string>,
): RightsChange | null {
  const { gained, lost } = unread ?? { gained: [], lost: [] };
  const added = held.has(silencingRight) ? { gained: [], lost: [] } : next;
  return changeOf(
    [...without(gained, next.lost), ...without(added.gained, lost)],
    [...without(lost, next.gained), ...without(added.lost, gained)],
  );
}

/** The person `of` has closed the warning in another page of their browser; it named this. */
export type ReadMessage = RightsChange & { readonly of: string };
export const readMessage: z.ZodMiniType<ReadMessage> = z.object({
  of: z.string(),
  gained: z.array(z.string()),
  lost: z.array(z.string()),
});

/** What the warning still has to name after `read` was closed in another page. */
export function stillUnread(unread: RightsChange | null, read: RightsChange): RightsChange | null {
  return unread && changeOf(without(unread.gained, read.gained), without(unread.lost, read.lost));
}

function changeOf(gained: readonly string[], lost: readonly string[]): RightsChange | null {
  if (gained.length === 0 && lost.length === 0) return null;
  return { gained: sorted(gained), lost: sorted(lost) };
}

function sorted(rights: readonly string[]): string[] {
  return [...new Set(rights)].toSorted();
}

function without(rights: readonly string[], others: readonly string[]): string[] {
  return rights.filter((right) => !others.includes(right) && !right.startsWith(reservedRightPrefix));
}
