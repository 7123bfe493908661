import { describe, expect, it } from 'vitest';
import { countNarrowing, filterQuery, noFilter, readFilter } from './inbox-filter.ts';

describe('BUG-8 CON-1: the filter of the inbox in its address', () => {
  it('BUG-8: an address without a filter shows what is open, the newest first', () => {
    expect(filterQuery(noFilter, 'Europe/Vienna')).toEqual({ tab: 'open', search: '', order: 'newest' });
  });

  it('BUG-8: an address with a status alone, as earlier releases made them, opens its tab', () => {
    expect(readFilter({ ...noFilter, status: 'closed' })).toMatchObject({ tab: 'done', status: 'closed' });
    expect(readFilter({ ...noFilter, status: 'spam' })).toMatchObject({ tab: 'spam', status: 'spam' });
  });

  it('BUG-8: days are those of the person’s zone', () => {
    const { from, until } = filterQuery(
      { ...noFilter, from: '2026-11-22', until: '2026-11-22' },
      'Europe/Vienna',
    );
    expect([from, until].map((at) => new Date(at ?? 0).toISOString())).toEqual([
      '2026-11-21T23:00:00.000Z',
      '2026-11-22T22:59:59.999Z',
    ]);
  });

  it('BUG-8: what makes no sense is left out, and counts as nothing', () => {
    const odd = {
      ...noFilter,
      tab: 'all',
      status: 'lost',
      assignee: 'a b',
      from: 'yesterday',
      pictures: 'some',
      last: 'nobody',
      order: 'random',
    };
    expect(filterQuery(odd, 'Europe/Vienna')).toEqual(filterQuery(noFilter, 'Europe/Vienna'));
    // A status of another tab would leave this one empty.
    expect(readFilter({ ...noFilter, tab: 'open', status: 'closed' }).status).toBe('');
    expect(countNarrowing(readFilter({ ...noFilter, search: 'map', label: 'ios', pictures: 'with' }))).toBe(
      2,
    );
  });
});
