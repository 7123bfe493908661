import { flagValues } from '#features/embed/contract/embed.ts';
import type { PublishedChange, Topic } from '#server/platform/database/database.ts';
import { type ListReceivers, readListKey } from '#server/platform/database/live-list.ts';

/** A change after which browsers load data again. `report`: reports of the person have a new status or reply. */
export type News =
  | { type: 'rights' }
  | { type: 'profile' }
  | { type: 'report' }
  | { type: 'reports-gone' }
  | { type: 'report-form' }
  /** Null: every list. */
  | { type: 'changed'; list: string | null };

export type Notice = { news: News; receivers: ListReceivers };

const notices = {
  rights: (key) => ({ news: { type: 'rights' }, receivers: key === '' ? 'everyone' : { personId: key } }),
  person: (key) => ({ news: { type: 'profile' }, receivers: { personId: key } }),
  reports: (key) => ({ news: { type: 'report' }, receivers: { personId: key } }),
  'reports-gone': (key) => ({ news: { type: 'reports-gone' }, receivers: { personId: key } }),
  flags: () => ({ news: { type: 'changed', list: flagValues.list }, receivers: 'everyone' }),
  'report-form': () => ({ news: { type: 'report-form' }, receivers: 'everyone' }),
  list(key) {
    const { list, receivers } = readListKey(key);
    return { news: { type: 'changed', list }, receivers };
  },
} satisfies Partial<Record<Topic, (key: string) => Notice>>;
type FollowedTopic = keyof typeof notices;

/** The topics of the change feed that browsers receive. */
export const followedTopics = Object.keys(notices) as FollowedTopic[];

/** The news that browsers receive when one of `followedTopics` changes, and the receivers. */
export function noticeOf({ topic, key }: Pick<PublishedChange, 'topic' | 'key'>): Notice {
  return notices[topic as FollowedTopic](key);
}

/** For a browser whose last event is unknown. `reports-gone` reloads all reports, so there is no `report`. */
export const everything: readonly Notice[] = [
  { news: { type: 'rights' }, receivers: 'everyone' },
  { news: { type: 'profile' }, receivers: 'everyone' },
  { news: { type: 'reports-gone' }, receivers: 'everyone' },
  { news: { type: 'report-form' }, receivers: 'everyone' },
  { news: { type: 'changed', list: null }, receivers: 'everyone' },
];

const order: readonly News['type'][] = [
  'rights',
  'profile',
  'report',
  'reports-gone',
  'report-form',
  'changed',
];

const ofOwnPages: readonly string[] = ['report', 'reports-gone', 'changed'];

/**
 * Whether a connection receives news for its person or for the holders of a right. News about reports and lists
 * goes only to Portico's own pages, not to pages of an application on its own host.
 */
export function receivesOwn({ atOtherHost }: { atOtherHost: boolean }, { type }: { type: string }): boolean {
  return !atOtherHost || !ofOwnPages.includes(type);
}

/** The news for one person without duplicates, each with how many people receive it at the same time. */
export type NewsSet = Map<string, { news: News; receivers: number }>;

export function addNews(set: NewsSet, news: News, receivers: number): void {
  const name = JSON.stringify(news);
  set.set(name, { news, receivers: Math.max(receivers, set.get(name)?.receivers ?? 0) });
}

/** The news in the order in which it is sent. */
export function inOrder(set: NewsSet): { news: News; receivers: number }[] {
  return [...set.values()].toSorted((a, b) => order.indexOf(a.news.type) - order.indexOf(b.news.type));
}
