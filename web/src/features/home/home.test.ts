import { describe, expect, it } from 'vitest';
import { partOfDay } from './greeting.ts';
import { ownRights, rightsByArea } from './rights-by-area.ts';

describe('the home screen', () => {
  it('RIGHT-8: lists what the person may do, by area', () => {
    const held = new Set(['PEOPLE_READ', 'FLAGS_WRITE', 'FLAGS_READ', 'FF_NEW_SEARCH', 'OWN_RIGHT']);
    expect(rightsByArea((right) => held.has(right))).toEqual([
      { area: 'flags', rights: ['FLAGS_READ', 'FLAGS_WRITE'] },
      { area: 'people', rights: ['PEOPLE_READ'] },
    ]);
    expect(rightsByArea(() => false)).toEqual([]);
  });

  it("RIGHT-8: lists which of the installation's own rights are held, by name, and none that come from flags", () => {
    expect(ownRights(new Set(['PEOPLE_READ', 'STOCK_SEE', 'FF_NEW_SEARCH', 'ORDERS_CHANGE']))).toEqual([
      'ORDERS_CHANGE',
      'STOCK_SEE',
    ]);
    expect(ownRights(['MAP_VIEW'])).toEqual([]);
  });

  it('LOOK-1: greets by the hour of the person', () => {
    expect([0, 4, 5, 11, 12, 17, 18, 22, 23].map(partOfDay)).toEqual([
      'NIGHT',
      'NIGHT',
      'MORNING',
      'MORNING',
      'AFTERNOON',
      'AFTERNOON',
      'EVENING',
      'EVENING',
      'NIGHT',
    ]);
  });
});
