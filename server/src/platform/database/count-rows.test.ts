import { describe, expect, it } from 'vitest';
import { engines, openFresh } from '../../testing/fresh-database.ts';
import { countRows } from './sql.ts';

describe.each(engines)('the rows that a query finds on %s', (engine) => {
  it('RUN-1: are counted as a number, whatever the query selects of them', async () => {
    const database = await openFresh(engine);
    const roles = database.read.selectFrom('own_role');
    expect(await countRows(roles)).toBe(0);
    const rows = ['a', 'b', 'c'].map((role) => ({ role, name: role, description: '', version: 1 }));
    await database.transaction((tx) => tx.insertInto('own_role').values(rows).execute());
    expect(await countRows(roles)).toBe(3);
    expect(await countRows(roles.where('role', '!=', 'b').select('name'))).toBe(2);
  });
});
