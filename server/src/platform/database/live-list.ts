import type { LiveList } from '@portico/contract/live-list';
import type { Change } from './database.ts';

/** Who receives a change of a list. */
export type ListReceivers = 'everyone' | { right: string } | { personId: string };

/**
 * Publishes in the transaction of a change that a list has another content once it is committed. It reaches
 * the browsers of its receivers, also those that are not connected now: they receive it when they reconnect.
 *
 * @param personId whose list it is; only of a list whose receivers are `person`
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

/** What the key of a published `list` stands for. */
export function readListKey(key: string): { list: string; receivers: ListReceivers } {
  const [list = '', kind, who = ''] = key.split(' ');
  const receivers = kind === 'right' ? { right: who } : kind === 'person' ? { personId: who } : 'everyone';
  return { list, receivers };
}
