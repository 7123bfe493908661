import type { ReportChange } from '#features/feedback/contract/inbox.ts';
import type { ReportMessage } from '#features/feedback/contract/messages.ts';
import { expect, it } from 'vitest';
import { conversationEntries } from './conversation-entries.ts';

const minute = 60_000;
const message = (at: number, kind: ReportMessage['kind'] = 'reply'): ReportMessage => ({
  id: `m${at}`,
  kind,
  from: 'operator',
  text: 'Hello',
  at,
  editedAt: null,
  by: 'ada@example.org',
  authorId: 'ada',
});
const status = (at: number, by: string, before: 'new' | null = 'new'): ReportChange => ({
  what: 'status',
  at,
  by,
  before,
  after: 'resolved',
});
const labels = (at: number, by: string): ReportChange => ({
  what: 'labels',
  at,
  by,
  before: [],
  after: ['map'],
});

const shape = (messages: ReportMessage[], history: ReportChange[]) =>
  conversationEntries({ messages, history }).map((entry) =>
    entry.is === 'message' ? entry.message.id : entry.changes.map(({ what }) => what),
  );

it('BUG-8: changes stand between the messages, and behind the reply that they came with', () => {
  expect(
    shape([message(2 * minute), message(9 * minute)], [status(0, 'ada', null), status(2 * minute, 'ada')]),
  ).toEqual([`m${2 * minute}`, ['status'], `m${9 * minute}`]);
});

it('BUG-8: what one person changed within a minute is one line', () => {
  const ada = [labels(0, 'ada'), status(59_000, 'ada')];
  expect(shape([], ada)).toEqual([['labels', 'status']]);
  expect(shape([], [labels(0, 'ada'), status(minute, 'ada')])).toHaveLength(2);
  expect(shape([], [labels(0, 'ada'), status(1_000, 'bob')])).toHaveLength(2);
  expect(shape([message(500)], ada)).toHaveLength(3);
});
