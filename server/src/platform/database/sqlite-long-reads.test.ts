import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { engines, openFresh } from '../../testing/fresh-database.ts';

/** Counts to a million and answers it. */
const long = sql<{ n: number }>`
  with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1000000)
  select max(n) as n from numbers`;

describe.each(engines)('long reads on %s', (engine) => {
  it('hold up no other read, and find what was committed before', async () => {
    const database = await openFresh(engine);
    await database.transaction((tx) =>
      tx.insertInto('setting').values({ name: 'written', value: 'before' }).execute(),
    );
    const order: string[] = [];
    const slow = long.execute(database.longReads).then(({ rows }) => order.push(`long ${rows[0]?.n}`));
    for (const turn of [1, 2, 3]) {
      await database.read.selectFrom('revision').selectAll().execute();
      order.push(`short ${turn}`);
    }
    await slow;
    expect(order).toEqual(['short 1', 'short 2', 'short 3', 'long 1000000']);
    const found = database.longReads.selectFrom('setting').select('value').where('name', '=', 'written');
    expect(await found.execute()).toEqual([{ value: 'before' }]);
  });

  it('answer each asker, however many there are at once', async () => {
    const { longReads } = await openFresh(engine);
    const asked = Array.from({ length: 40 }, (_each, n) => n);
    const answers = await Promise.all(
      asked.map((n) => sql<{ n: number }>`select ${sql.lit(n)} as n`.execute(longReads)),
    );
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(asked);
  });

  it('fail as other reads do, and go on afterwards', async () => {
    const { read, longReads } = await openFresh(engine);
    const wrong = sql`select * from nothing`;
    const failure = async (reader: typeof read) => wrong.execute(reader).catch((error: Error) => error);
    const [one, other] = [await failure(read), await failure(longReads)];
    expect(other).toBeInstanceOf(Error);
    expect(other).toMatchObject({ message: (one as Error).message, code: (one as { code?: string }).code });
    expect((await sql<{ n: number }>`select 1 as n`.execute(longReads)).rows).toEqual([{ n: 1 }]);
  });
});

describe('the thread for long reads of SQLite', () => {
  it('only reads, and is no place for transactions', async () => {
    const { longReads } = await openFresh('sqlite');
    const write = longReads.insertInto('setting').values({ name: 'a', value: 'b' }).execute();
    await expect(write).rejects.toThrow('readonly');
    await expect(longReads.transaction().execute(() => Promise.resolve())).rejects.toThrow(
      'not for transactions',
    );
  });

  it('ends with the database, also while calls wait', async () => {
    const database = await openFresh('sqlite');
    const waiting = long.execute(database.longReads).catch((error: Error) => error.message);
    // It has been sent to the thread.
    await new Promise((done) => setImmediate(done));
    await database.close();
    expect(await waiting).toContain('has ended');
    await expect(long.execute(database.longReads)).rejects.toThrow('closed');
  });
});
