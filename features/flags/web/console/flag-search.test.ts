import type { Flag } from '#features/flags/contract/flags.ts';
import { describe, expect, it } from 'vitest';
import { findFlags, sortFlags, tagsOf, type FlagOrder } from './flag-search.ts';

function flag(key: string, more: Partial<Flag> = {}): Flag {
  return {
    key,
    type: 'boolean',
    description: '',
    defaultValue: false,
    enabled: true,
    forSignedOut: false,
    killSwitch: false,
    rules: [],
    tags: [],
    createdAt: 0,
    changedAt: 0,
    changedBy: null,
    version: 1,
    ...more,
  };
}

describe('findFlags', () => {
  const flags = [
    flag('NEW_SEARCH', { description: 'The search rewritten in October', tags: ['search'] }),
    flag('EXPORT_V2', { enabled: false, tags: ['Reports'] }),
  ];
  const keys = (search: string, enabled: 'on' | 'off' | '' = '') =>
    findFlags(flags, { search, enabled, tag: '' }).map((one) => one.key);

  it('CON-1: finds by key, description and tag, whatever the case', () => {
    expect(keys('new_')).toEqual(['NEW_SEARCH']);
    expect(keys('october')).toEqual(['NEW_SEARCH']);
    expect(keys('reports')).toEqual(['EXPORT_V2']);
  });

  it('CON-1: every word must be there', () => {
    expect(keys('search october')).toEqual(['NEW_SEARCH']);
    expect(keys('search november')).toEqual([]);
  });

  it('CON-1: narrows to what is on or off', () => {
    expect(keys('', 'off')).toEqual(['EXPORT_V2']);
    expect(keys('', 'on')).toEqual(['NEW_SEARCH']);
    expect(keys('   ')).toEqual(['NEW_SEARCH', 'EXPORT_V2']);
  });

  it('FLAG-10: narrows to a tag, and sorts by key, change and switch', () => {
    expect(tagsOf(flags)).toEqual(['Reports', 'search']);
    const tagged = findFlags(flags, { search: '', enabled: '', tag: 'search' });
    expect(tagged.map(({ key }) => key)).toEqual(['NEW_SEARCH']);
    const changed = flags.map((one, index) => ({ ...one, changedAt: index }));
    const sorted = (order: FlagOrder) => sortFlags(changed, order).map(({ key }) => key);
    expect(sorted('key')).toEqual(['EXPORT_V2', 'NEW_SEARCH']);
    expect(sorted('changed')).toEqual(['EXPORT_V2', 'NEW_SEARCH']);
    expect(sorted('enabled')).toEqual(['NEW_SEARCH', 'EXPORT_V2']);
  });
});
