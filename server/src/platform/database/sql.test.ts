import { describe, expect, it } from 'vitest';
import { contains, countRows, searchText } from './sql.ts';
import { engines, openFresh } from '../../testing/fresh-database.ts';

it.each([
  ['Änne Groß', 'anne gross'],
  ['ÄNNE GROSS', 'anne gross'],
  ['Franc\u0327oise', 'francoise'],
  ['Françoise', 'francoise'],
  ['ΣΊΣΥΦΟΣ', 'σισυφος'],
  ['İstanbul', 'istanbul'],
  ['  Ada  ', 'ada'],
  ['', ''],
])('CON-1: %j is searched as %j', (text, folded) => {
  expect(searchText(text)).toBe(folded);
  expect(searchText(searchText(text))).toBe(searchText(text));
});

describe.each(engines)('queries on %s', (engine) => {
  it('RUN-1: are counted as a number, whatever the query selects of them', async () => {
    const database = await openFresh(engine);
    const roles = database.read.selectFrom('own_role');
    expect(await countRows(roles)).toBe(0);
    const rows = ['a', 'b', 'c'].map((role) => ({ role, name: role, description: '', version: 1 }));
    await database.transaction((tx) => tx.insertInto('own_role').values(rows).execute());
    expect(await countRows(roles)).toBe(3);
    expect(await countRows(roles.where('role', '!=', 'b').select('name'))).toBe(2);
  });

  it('CON-1: finds what is written, where %, _ and \\ stand for themselves', async () => {
    const database = await openFresh(engine);
    const texts = ['100% sure', '1000 sure', 'a_b', 'axb', 'c\\d', 'cd'];
    await database.transaction((tx) =>
      tx
        .insertInto('setting')
        .values(texts.map((name) => ({ name, value: '' })))
        .execute(),
    );
    const found = async (term: string): Promise<string[]> => {
      const rows = await database.read
        .selectFrom('setting')
        .select('name')
        .where((row) => contains(row.ref('name'), term))
        .execute();
      return rows.map(({ name }) => name).toSorted();
    };
    expect(await found('100%')).toEqual(['100% sure']);
    expect(await found('a_b')).toEqual(['a_b']);
    expect(await found('c\\d')).toEqual(['c\\d']);
    expect(await found('\\')).toEqual(['c\\d']);
    expect(await found('sure')).toEqual(['100% sure', '1000 sure']);
    expect(await found("' or 1=1 --")).toEqual([]);
  });
});
