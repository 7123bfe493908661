import type { OwnReport } from '#features/feedback/contract/own-reports.ts';
import { expect, it } from 'vitest';
import { createSeenNews, latestNews } from './seen-news.ts';

const day = 86_400_000;
const now = 100 * day;
const report = (change: Partial<OwnReport> = {}): OwnReport => ({
  id: 'r1',
  number: 1,
  excerpt: '',
  message: '',
  status: 'new',
  url: '',
  createdAt: now - 3 * day,
  changedAt: now,
  attachments: [],
  history: [{ at: now - 3 * day, status: 'new' }],
  replies: [],
  replyCount: 0,
  ...change,
});
const reply = (at: number, from: 'operator' | 'reporter') => ({
  id: `${at}`,
  from,
  by: null,
  text: 'Hello',
  at,
});

function open() {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  return { seen: createSeenNews(storage, () => now), stored };
}
const isNew = ({ seen }: ReturnType<typeof open>, one: OwnReport, person = 'ada') =>
  latestNews(one) > seen.until(person, one);

it('BUG-9: an answer and a change of status are new until they are seen, each by itself', () => {
  const at = open();
  const answered = report({ replies: [reply(now - day, 'operator')] });
  expect([isNew(at, report()), isNew(at, answered)]).toEqual([false, true]);
  at.seen.see('ada', answered);
  expect(isNew(at, answered)).toBe(false);
  const resolved = { ...answered, history: [...answered.history, { at: now, status: 'resolved' as const }] };
  expect(isNew(at, resolved)).toBe(true);
  expect(isNew(at, resolved, 'bob')).toBe(true);
});

it('BUG-9: what came before the own last word, or weeks ago, is not new to another browser', () => {
  const at = open();
  const replied = report({ replies: [reply(now - 2 * day, 'operator'), reply(now - day, 'reporter')] });
  const old = report({ createdAt: now - 60 * day, replies: [reply(now - 20 * day, 'operator')] });
  expect([isNew(at, replied), isNew(at, old)]).toEqual([false, false]);
});

it('BUG-9: what is stored makes no sense, or another person has stored it', () => {
  const at = open();
  const answered = report({ replies: [reply(now - day, 'operator')] });
  for (const text of ['{', 'null', '{"person":"ada","at":7}', '{"person":"bob","at":{"r1":1e15}}']) {
    at.stored.set('portico.my-reports.seen', text);
    expect(isNew(at, answered)).toBe(true);
  }
});
