import { describe, expect, it } from 'vitest';
import type { FormFields } from './draft.ts';
import { faultsFrom, faultsOf } from './field-problems.ts';

const good: FormFields = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '+49 (30) 123-456',
  organisation: '',
  jobTitle: '',
  locale: 'de',
  timeZone: 'Europe/Berlin',
};

describe('PRO-1: what is wrong with a field', () => {
  it('PRO-1: nothing with what the contract takes', () => {
    expect(faultsOf(good)).toEqual({});
    expect(faultsOf({ ...good, phone: '', locale: null, timeZone: null })).toEqual({});
  });

  it.each<[string, Partial<FormFields>, object]>([
    ['too many characters', { jobTitle: 'x'.repeat(201) }, { jobTitle: { kind: 'TOO_LONG', max: 200 } }],
    ['no telephone number', { phone: 'abc' }, { phone: { kind: 'PHONE' } }],
    [
      'a telephone number that is too long',
      { phone: '1'.repeat(51) },
      { phone: { kind: 'TOO_LONG', max: 50 } },
    ],
    ['invisible characters', { firstName: 'A\u202eda' }, { firstName: { kind: 'CHARACTERS' } }],
    ['no time zone', { timeZone: 'Europe/Atlantis' }, { timeZone: { kind: 'TIME_ZONE' } }],
  ])('PRO-1: %s', (_case, change, expected) => {
    expect(faultsOf({ ...good, ...change })).toEqual(expected);
  });

  it('PRO-1: a problem from the server stands at the field that it points to; the rest is counted', () => {
    const { faults, others } = faultsFrom([
      { pointer: '/phone', code: 'format', message: 'has the wrong form' },
      { pointer: '/timeZone', code: 'invalid', message: 'is not a time zone' },
      { pointer: '/firstName', code: 'something_new', message: 'is refused' },
      { pointer: '/avatar', code: 'unknown', message: 'is not a picture of yours' },
    ]);
    expect(faults).toEqual({
      phone: { kind: 'PHONE' },
      timeZone: { kind: 'TIME_ZONE' },
      firstName: { kind: 'REFUSED' },
    });
    expect(others).toBe(1);
  });
});
