import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from './address-search.ts';

describe('CON-1: filters in the address', () => {
  it('CON-1: are written plainly, and what is empty is left out', () => {
    expect(stringifySearch({ search: 'ann b', state: '', page: 2, all: true, none: undefined })).toBe(
      '?search=ann+b&page=2&all=true',
    );
    expect(stringifySearch({})).toBe('');
  });

  it('CON-1: are unchanged by a round trip, whatever they hold', () => {
    const filters = fc.dictionary(
      fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
      fc.string({ minLength: 1, unit: 'grapheme' }),
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(filters, (filter) => {
        expect(parseSearch(stringifySearch(filter))).toEqual(filter);
      }),
    );
  });
});
