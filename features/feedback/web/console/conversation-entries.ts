import type { FullReport, ReportChange } from '#features/feedback/contract/inbox.ts';
import type { ReportMessage } from '#features/feedback/contract/messages.ts';

/** An entry of a conversation: a message, or the changes between two messages. */
export type Entry =
  | { readonly is: 'message'; readonly at: number; readonly message: ReportMessage }
  | {
      readonly is: 'changes';
      readonly at: number;
      readonly by: string;
      readonly changes: readonly ReportChange[];
    };

/** Milliseconds within which the changes of one person share one line. */
const together = 60_000;

/**
 * Messages and changes in order of time; at the same time, a change follows the message that it came with. The
 * first status, which each report has, is left out.
 */
export function conversationEntries({
  messages,
  history,
}: Pick<FullReport, 'messages' | 'history'>): Entry[] {
  const all = [
    ...messages.map((message) => ({ is: 'message' as const, at: message.at, message })),
    ...history
      .filter((change) => change.what !== 'status' || change.before !== null)
      .map((change) => ({ is: 'change' as const, at: change.at, change })),
  ].toSorted(
    (one, other) => one.at - other.at || Number(one.is === 'change') - Number(other.is === 'change'),
  );
  const entries: Entry[] = [];
  for (const one of all) {
    if (one.is === 'message') {
      entries.push(one);
      continue;
    }
    const { change, at } = one;
    const last = entries.at(-1);
    if (last?.is === 'changes' && last.by === change.by && at - last.at < together)
      entries[entries.length - 1] = { ...last, changes: [...last.changes, change] };
    else entries.push({ is: 'changes', at, by: change.by, changes: [change] });
  }
  return entries;
}
