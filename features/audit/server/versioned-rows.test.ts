import { describe, expect, it } from 'vitest';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { nextVersion } from '#server/platform/database/sql.ts';
import { type HttpProblem, orNotFound } from '#server/platform/http/http-problem.ts';
import { engines, openFresh, type Engine } from '#server/testing/fresh-database.ts';
import type { Actor } from './audit.store.ts';
import { versionedRows } from './versioned-rows.ts';

const actor: Actor = { kind: 'command-line', id: null, name: 'root' };

async function findRight(read: Reader, id: string) {
  const row = await read.selectFrom('own_right').selectAll().where('right_name', '=', id).executeTakeFirst();
  return orNotFound(row, 'There is no such right.');
}

const rights = versionedRows({
  find: findRight,
  audited: ({ label, area }) => ({ label, area }),
  stale: 'Look again.',
});

async function add(change: Change, subject: string) {
  const row = { right_name: subject, label: 'first', description: '', area: 'map', version: 1 };
  await change.tx.insertInto('own_right').values(row).execute();
  return rights.recordWrite(change, actor, { action: 'right.create', subject });
}

async function rename(change: Change, subject: string, version: number, label: string) {
  const before = await rights.findAt(change, subject, version);
  await change.tx
    .updateTable('own_right')
    .set({ label, version: nextVersion })
    .where('right_name', '=', subject)
    .execute();
  return rights.recordWrite(change, actor, { action: 'right.update', subject, before });
}

async function openAudited(engine: Engine) {
  const database = await openFresh(engine);
  const audited = async () => {
    const rows = await database.read.selectFrom('audit').selectAll().orderBy('at').execute();
    return rows.map(({ action, subject, before, after }) => [
      action,
      subject,
      ...[before, after].map((text) => JSON.parse(text ?? 'null') as unknown),
    ]);
  };
  return { database, audited };
}

describe.each(engines)('rows with a version on %s', (engine) => {
  it('AUD-1: have every write in the audit with what it shows of them, and are answered as they are stored', async () => {
    const { database, audited } = await openAudited(engine);
    const added = await database.change((change) => add(change, 'A'));
    expect(added).toMatchObject({ label: 'first', version: 1 });
    const renamed = await database.change((change) => rename(change, 'A', 1, 'second'));
    expect(renamed).toEqual({ ...added, label: 'second', version: 2 });
    await database.change((change) =>
      rights.recordRemoval(change, actor, {
        action: 'right.delete',
        subject: 'A',
        before: renamed,
        lost: { people: ['mia'] },
      }),
    );
    const [first, second] = [
      { label: 'first', area: 'map' },
      { label: 'second', area: 'map' },
    ];
    expect(await audited()).toEqual([
      ['right.create', 'A', null, first],
      ['right.update', 'A', first, second],
      ['right.delete', 'A', { ...second, people: ['mia'] }, null],
    ]);
  });

  it('AUD-1: are refused where there are none, before their version is looked at, and to who has read another one', async () => {
    const { database, audited } = await openAudited(engine);
    await database.change((change) => add(change, 'A'));
    const tried = (subject: string, version: number) =>
      database.change((change) => rename(change, subject, version, 'x'));
    const details = { detail: 'There is no such right.' };
    await expect(tried('B', 1)).rejects.toMatchObject({ code: 'NOT_FOUND', details });
    for (const version of [0, 2]) {
      await expect(tried('A', version)).rejects.toMatchObject({
        code: 'VERSION_CONFLICT',
        details: { detail: 'Look again.' },
      });
    }
    expect(await findRight(database.read, 'A')).toMatchObject({ label: 'first', version: 1 });
    expect(await audited()).toHaveLength(1);
  });

  it('AUD-1: take one of all that write at once, and each entry of the audit begins where the last one ended', async () => {
    const { database, audited } = await openAudited(engine);
    await database.change((change) => add(change, 'A'));
    for (let round = 1; round <= 5; round += 1) {
      const writers = Array.from({ length: 4 }, (_, writer) =>
        database.change((change) => rename(change, 'A', round, `${round}.${writer}`)),
      );
      const outcomes = (await Promise.allSettled(writers)).map((outcome) =>
        outcome.status === 'fulfilled' ? 'written' : (outcome.reason as HttpProblem).code,
      );
      const refused = Array.from({ length: 3 }, () => 'VERSION_CONFLICT');
      expect(outcomes.toSorted()).toEqual([...refused, 'written']);
    }
    expect(await findRight(database.read, 'A')).toMatchObject({ version: 6 });
    const entries = await audited();
    expect(entries).toHaveLength(6);
    for (const [index, [, , before]] of entries.entries())
      expect(before).toEqual(entries[index - 1]?.[3] ?? null);
  });
});
