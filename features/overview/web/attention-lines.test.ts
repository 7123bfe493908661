import { attentionItem, type AttentionItem } from '#features/overview/contract/overview.ts';
import { expect, it } from 'vitest';
import { lineOf } from '#web/late.ts';

const at = 0;
const reports = { kind: 'reports', id: 'r1', excerpt: '', at } as const;
const tokens = { kind: 'tokens' as const, id: 't1', names: ['ci'], expiresAt: at };
const flags = { kind: 'stale-flags', value: true, since: at, safe: 0 } as const;
const mail = { kind: 'mail', about: 'people', count: 1, givenUp: 0, since: at, personId: null } as const;
const webhook = { kind: 'webhook', id: 'h1', name: '', failures: 1, since: at } as const;

it.each<[AttentionItem, string]>([
  [{ kind: 'window', id: 'w1', title: '', endsAt: at }, '/maintenance?window=w1'],
  [{ kind: 'held-open' }, '/maintenance'],
  [{ ...webhook, status: null, nextTryAt: null }, '/webhooks?webhook=h1'],
  [{ ...reports, count: 1 }, '/reports?report=r1'],
  [{ ...reports, count: 2 }, '/reports?status=new'],
  [{ ...tokens, count: 1 }, '/settings/api-tokens?token=t1'],
  [{ ...tokens, count: 2 }, '/settings/api-tokens'],
  [{ ...flags, count: 1, names: ['EXPORT_V2'] }, '/flags/EXPORT_V2'],
  [{ kind: 'held-ramps', count: 1, names: ['EXPORT_V2'] }, '/flags/EXPORT_V2'],
  [{ ...flags, count: 2, names: ['A', 'B'] }, '/flags'],
  [mail, '/people'],
  [{ ...mail, personId: 'p1' }, '/people/p1'],
  [{ ...mail, about: 'reports' }, '/settings/reports'],
  [{ ...mail, about: 'errors' }, '/settings/diagnostics'],
  [{ kind: 'refused', ways: ['errors'], at }, '/diagnostics'],
])('CON-2: what needs attention leads to the thing itself: %o', (item, address) => {
  const { to, search } = lineOf(item).link(item);
  expect(search === undefined ? to : `${to}?${new URLSearchParams(search)}`).toBe(address);
});

it('CON-2: each kind of what needs attention has its line', () => {
  const kinds = attentionItem.def.options.flatMap(({ shape }) => shape.kind.def.values);
  expect(kinds).toContain('webhook');
  const lost = kinds.filter((kind) => lineOf({ kind } as AttentionItem) === undefined);
  expect(lost, 'add to features/<feature>/web/late.ts').toEqual([]);
});
