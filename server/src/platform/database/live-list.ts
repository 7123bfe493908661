import type { LiveList } from '#contract/live-list.ts';
import type { Change } from './database.ts';

/** Who receives a change of a list. */
export type ListReceivers = 'everyone' | { right: string } | { personId: string };

/**
 * Publishes that a list has changed. Its receivers' browsers receive it once the transaction is committed;
 * those that are not connected receive it when they reconnect.
 *
 * @param change the transaction that writes the list
 * @param list as the contract declares it
 * @param personId the id of the person whose list it is; only for a list whose receivers are `person`
 */
export function publishList(
  change: Pick<Change, 'publish'>,
  ...[{ list, receivers }, personId]:
    | [list: LiveList & { receivers: 'person' }, personId: string]
    | [list: LiveList & { receivers: Exclude<LiveList['receivers'], 'person'> }]
): void {
  if (receivers === 'everyone') change.publish('list', list);
  else if (receivers === 'person') change.publish('list', `${list} person ${personId}`);
  else change.publish('list', `${list} right ${receivers.right}`);
}

/** Reads the key of a published `list`. */
export function readListKey(key: string): { list: string; receivers: ListReceivers } {
  const [list = '', kind, who = ''] = key.split(' ');
  const receivers = kind === 'right' ? { right: who } : kind === 'person' ? { personId: who } : 'everyone';
  return { list, receivers };
}
