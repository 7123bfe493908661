import { describe, expect, it } from 'vitest';
import { openFresh } from '#server/testing/fresh-database.ts';
import type { Database, Writer } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import { StorageFailure } from './storage-failure.ts';

const put = (name: string) => (tx: Writer) => tx.insertInto('setting').values({ name, value: '' }).execute();

/** A database whose transactions are counted. */
function counted(database: Database) {
  const count = { transactions: 0 };
  const transaction: Database['transaction'] = (work) => {
    count.transactions += 1;
    return database.transaction(work);
  };
  return { count, write: createGroupCommit({ transaction }) };
}

const open = () => openFresh('sqlite');

async function stored({ read }: Database): Promise<string[]> {
  const rows = await read.selectFrom('setting').select('name').where('name', 'like', 'group-%').execute();
  return rows.map(({ name }) => name).toSorted();
}

describe('RUN-3: writes that share a transaction', () => {
  it('are in the database at their answer, a hundred of them after three commits', async () => {
    const database = await open();
    const { count, write } = counted(database);
    const names = Array.from({ length: 100 }, (_, at) => `group-${at}`);
    const seen = await Promise.all(
      names.map(async (name) => {
        await write(put(name));
        return (await stored(database)).includes(name);
      }),
    );
    expect([seen.every(Boolean), count.transactions]).toEqual([true, 3]);
    expect(await stored(database)).toEqual(names.toSorted());
  });

  it('fail alone, and keep their order', async () => {
    const database = await open();
    const { write } = counted(database);
    const works = ['group-first', 'group-a', 'group-a', 'group-b'].map((name) => write(put(name)));
    const outcomes = await Promise.allSettled(works);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await stored(database)).toEqual(['group-a', 'group-b', 'group-first']);
  });
});

it('RUN-3: writes that share a transaction are not repeated one by one where the database does not answer', async () => {
  let transactions = 0;
  const write = createGroupCommit({
    transaction() {
      transactions += 1;
      return Promise.reject(new StorageFailure('It is away.'));
    },
  });
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((name) => write(put(name))));
  expect([outcomes.map(({ status }) => status), transactions]).toEqual([
    ['rejected', 'rejected', 'rejected'],
    2,
  ]);
});
