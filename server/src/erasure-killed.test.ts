import { erasePerson } from '#features/erasure/contract/erasure.ts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Database } from './platform/database/database.ts';
import { startApp } from './testing/app.ts';
import { callRoute } from './testing/client.ts';
import { freshDatabase, oneEngine, openDatabase } from './testing/fresh-database.ts';
import { addPerson } from './testing/people.ts';
import { startServerProcess } from './testing/server-process.ts';
import { reportRow } from './testing/report-row.ts';

const email = 'ada.erasable@example.org';
const reports = 200;

async function addReports(database: Database, personId: string): Promise<void> {
  await database.transaction(async (tx) => {
    for (let from = 0; from < reports; from += 100) {
      const rows = Array.from({ length: 100 }, (_, index) =>
        reportRow(from + index, {
          reporter_id: personId,
          name: 'Adalgunde',
          email,
          message: `Write to ${email}.`,
          search_key: email,
        }),
      );
      await tx.insertInto('report').values(rows).execute();
    }
  });
}

const naming = async (database: Database) =>
  (await database.read.selectFrom('report').select('id').where('search_key', 'like', `%${email}%`).execute())
    .length;

/** Blocks the update of the last report, by any process, until it is released. */
async function holdLastReport(database: Database): Promise<() => Promise<void>> {
  const last = `r${reports - 1}`;
  if (database.location.engine === 'sqlite') {
    await database.transaction((tx) =>
      sql`
        create trigger held before update on report when old.id = ${sql.lit(last)}
        begin select count(*) from report a, report b, report c, report d, report e; end`.execute(tx),
    );
    return async () => {
      await database.transaction((tx) => sql`drop trigger held`.execute(tx));
    };
  }
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const over = database.transaction(async (tx) => {
    await tx.selectFrom('report').select('id').where('id', '=', last).forUpdate().execute();
    held.resolve();
    await release.promise;
  });
  await held.promise;
  return () => {
    release.resolve();
    return over;
  };
}

describe.each(oneEngine)('a server killed while it erases a person on %s', (engine) => {
  it('BUG-10, RUN-5: goes on where it stopped as soon as it starts again', async () => {
    const place = await freshDatabase(engine);
    const { url, server, caller } = await startServerProcess(place, ['PEOPLE_WRITE']);
    const database = await openDatabase(place.location);
    const personId = await addPerson({ database }, { email, firstName: 'Adalgunde' });
    await addReports(database, personId);
    const release = await holdLastReport(database);

    const body = { confirmation: email, reports: 'keep' } as const;
    const answer = callRoute(url, erasePerson, { params: { personId }, body }, caller).then(
      ({ status }) => status,
      () => 'broken off',
    );
    // In the middle: some reports are done and some are not.
    await expect.poll(() => naming(database)).toBeLessThan(reports);
    await server.kill();
    await release();
    expect(await answer).toBe('broken off');
    expect(await naming(database)).toBeGreaterThan(0);
    const { email: gone } = await database.read
      .selectFrom('person')
      .select('email')
      .where('id', '=', personId)
      .executeTakeFirstOrThrow();
    expect(gone).toBe('');

    await database.close();

    const app = await startApp({ on: place });
    expect(await naming(app.database)).toBe(0);
    const { done_at: done } = await app.database.read
      .selectFrom('erasure')
      .select('done_at')
      .executeTakeFirstOrThrow();
    expect(done).not.toBeNull();
  });
});
