import { describe, expect, it, vi } from 'vitest';
import type { Change } from '#server/platform/database/database.ts';
import { engines, openFresh, type Engine } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { changeRetention, readRetention, sweepOldReports } from './retention.ts';
import { reportRow } from '#server/testing/report-row.ts';

const operator: Actor = { kind: 'command-line', id: null, name: 'root' };
const day = 86_400_000;

async function reportsOn(engine: Engine) {
  const clock = movableClock();
  const database = await openFresh(engine, clock);
  const parts = { database, clock };
  const set = (reportDays: number | null, version: number, erasedReports: 'keep' | 'remove' = 'keep') =>
    database.change((change: Change) =>
      changeRetention(change, operator, { reportDays, erasedReports, version }),
    );
  return {
    database,
    clock,
    parts,
    set,
    current: () => readRetention(database.read),
    audit: async () =>
      (await database.read.selectFrom('audit').selectAll().orderBy('at').execute()).map(
        ({ action, actor_kind, before, after }) => ({
          action,
          by: actor_kind,
          before: JSON.parse(before ?? 'null') as unknown,
          after: JSON.parse(after ?? 'null') as unknown,
        }),
      ),
    add: (from: number, to: number, createdAt: number) =>
      database.transaction(async (tx) => {
        for (let n = from; n < to; n += 1)
          await tx
            .insertInto('report')
            .values(reportRow(n, { created_at: createdAt, changed_at: createdAt }))
            .execute();
      }),
    left: async () => (await database.read.selectFrom('report').select('id').execute()).length,
  };
}

describe.each(engines)('how long reports are stored on %s', (engine) => {
  it('BUG-10: is changed by who has read it, and recorded; the same again is no change', async () => {
    const { set, current, audit } = await reportsOn(engine);
    const { version, ...first } = await current();
    await expect(set(30, version + 1)).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    expect(await set(30, version)).toEqual({ reportDays: 30, erasedReports: 'keep', version: version + 1 });
    expect(await set(30, version + 1)).toEqual({
      reportDays: 30,
      erasedReports: 'keep',
      version: version + 1,
    });
    expect(await set(30, version + 1, 'remove')).toMatchObject({
      erasedReports: 'remove',
      version: version + 2,
    });
    expect(await set(31, version + 2, 'remove')).toMatchObject({ reportDays: 31 });
    expect(await audit()).toEqual(
      [
        { before: first, after: { reportDays: 30, erasedReports: 'keep' } },
        {
          before: { reportDays: 30, erasedReports: 'keep' },
          after: { reportDays: 30, erasedReports: 'remove' },
        },
        {
          before: { reportDays: 30, erasedReports: 'remove' },
          after: { reportDays: 31, erasedReports: 'remove' },
        },
      ].map((entry) => ({ action: 'retention.set', by: 'command-line', ...entry })),
    );
  });

  it('BUG-10: the older ones go to the last, to the millisecond, some at a time, and the audit counts them', async () => {
    const { set, parts, clock, add, left, audit, current } = await reportsOn(engine);
    const { version } = await current();
    const now = clock.now();
    await add(0, 100, now - 30 * day - 1);
    await add(100, 102, now - 30 * day);
    await sweepOldReports(parts);
    expect(await left()).toBe(102);
    await set(30, version);
    await sweepOldReports(parts);
    expect(await left()).toBe(2);
    await sweepOldReports(parts);
    const gone = { reports: 50, pictures: 0, reportDays: 30 };
    expect((await audit()).slice(1)).toEqual(
      [gone, gone].map((after) => ({ action: 'report.expire', by: 'start', before: null, after })),
    );
    // Where none is due nothing is written.
    const changes = vi.spyOn(parts.database, 'change');
    await sweepOldReports(parts);
    expect(changes).not.toHaveBeenCalled();
    changes.mockRestore();
    clock.move(1);
    await sweepOldReports(parts);
    expect(await left()).toBe(0);
    expect((await audit()).at(-1)?.after).toMatchObject({ reports: 2 });
  });

  it('BUG-10: those who are given more time at that very time stay', async () => {
    const { set, parts, clock, add, left, current, audit, database } = await reportsOn(engine);
    const { version } = await current();
    await add(0, 3, clock.now() - 40 * day);
    await set(30, version);
    let changed = false;
    const racing = {
      ...database,
      read: database.read,
      async change<T>(work: (change: Change) => Promise<T>): Promise<T> {
        if (!changed) {
          changed = true;
          await set(60, version + 1);
        }
        return database.change(work);
      },
    };
    await sweepOldReports({ ...parts, database: racing });
    expect([changed, await left()]).toEqual([true, 3]);
    expect((await audit()).map(({ action }) => action)).toEqual(['retention.set', 'retention.set']);
    // Another server was quicker: nothing is left to be counted.
    await set(30, version + 2);
    await sweepOldReports({
      clock,
      database: {
        ...racing,
        async change<T>(work: (change: Change) => Promise<T>): Promise<T> {
          await database.transaction((tx) => tx.deleteFrom('report').execute());
          return database.change(work);
        },
      },
    });
    expect((await audit()).map(({ action }) => action)).not.toContain('report.expire');
  });
});
