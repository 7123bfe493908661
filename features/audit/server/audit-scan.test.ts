import { describe, expect, it } from 'vitest';
import type { Change } from '#server/platform/database/database.ts';
import { engines, openFresh, type Engine } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addPerson } from '#server/testing/people.ts';
import { presentNames } from '#server/features.ts';
import { type AuditFilter, scanAudit } from './audit-scan.ts';
import { listAudit, readAuditEntry } from './audit-list.ts';
import { recordAudit, type Actor } from './audit.store.ts';
import { reportRow } from '#server/testing/report-row.ts';

const root: Actor = { kind: 'command-line', id: null, name: 'root' };
const everything: AuditFilter = { search: '' };

/** Entries named 0 to `count` - 1, the last of them the latest; ten share each time. */
async function auditOf(engine: Engine, count: number) {
  const database = await openFresh(engine, movableClock());
  const add = (from: number, to: number) =>
    database.change(async (change: Change) => {
      for (let n = from; n < to; n += 1)
        await recordAudit(change, root, { action: 'flag.update', subject: `S_${n}`, after: { n } });
    });
  for (let n = 0; n < count; n += 10) await add(n, Math.min(count, n + 10));
  const { read } = database;
  const inOrder = (
    await read.selectFrom('audit').select('subject').orderBy('at', 'desc').orderBy('id', 'desc').execute()
  ).map(({ subject }) => subject);
  return {
    database,
    read,
    inOrder,
    note: (actor: Actor, entry: Parameters<typeof recordAudit>[2]) =>
      database.change((change) => recordAudit(change, actor, entry)),
    async found(filter: Partial<AuditFilter>) {
      const subjects: string[] = [];
      for await (const { rows } of scanAudit(
        read,
        {
          ...everything,
          ...filter,
        },
        null,
      ))
        subjects.push(...rows.map(({ subject }) => subject));
      return subjects;
    },
  };
}

describe.each(engines)('going through the audit on %s', (engine) => {
  it('AUD-1: meets every entry once, the latest first, in stretches of which none is longer than it may be', async () => {
    const { read, inOrder } = await auditOf(engine, 95);
    const all: string[] = [];
    const sizes: number[] = [];
    let reached: unknown;
    for await (const stretch of scanAudit(read, everything, null, 30)) {
      all.push(...stretch.rows.map(({ subject }) => subject));
      sizes.push(stretch.rows.length);
      expect(stretch.looked).toBeGreaterThanOrEqual(stretch.rows.length);
      expect(stretch.looked).toBeLessThanOrEqual(30);
      ({ reached } = stretch);
    }
    expect(all).toEqual(inOrder);
    expect(sizes[0]).toBe(30);
    expect(sizes.slice(1, -1).every((size) => size >= 20)).toBe(true);
    expect(reached).toBeNull();

    const { value: first } = await scanAudit(read, everything, null).next();
    expect(first?.looked).toBe(60);
    const behind = first?.reached ?? null;
    const rest: string[] = [];
    for await (const { rows } of scanAudit(read, everything, behind))
      rest.push(...rows.map((row) => row.subject));
    expect(rest).toEqual(inOrder.slice(60));
  });

  it('AUD-1: each filter and each word narrows it, names of today and numbers of reports too', async () => {
    const { found, note, database } = await auditOf(engine, 1);
    const ada = await addPerson({ database }, { email: 'ada@example.org', firstName: 'Ada', lastName: 'Å' });
    const bob = await addPerson({ database }, { email: 'bob@example.org' });
    const byAda: Actor = { kind: 'person', id: ada, name: 'ada@old.example', sessionId: null };
    await note(byAda, { action: 'person.block', subject: bob, after: { text: 'some words' } });
    await note(root, { action: 'person.unblock', subject: ada });
    await note({ ...byAda, kind: 'token', id: 't', name: 'ci' }, { action: 'flag.create', subject: 'F' });
    await database.transaction((tx) =>
      tx
        .insertInto('report')
        .values(reportRow(1, { number: 7 }))
        .execute(),
    );
    await note(root, { action: 'report.status', subject: 'r1' });

    expect(await found({})).toEqual(['r1', 'F', ada, bob, 'S_0']);
    expect(await found({ actor: ada })).toEqual([bob]);
    expect(await found({ actor: 'root' })).toEqual(['r1', ada, 'S_0']);
    expect(await found({ action: 'person.block' })).toEqual([bob]);
    expect(await found({ area: 'person' })).toEqual([ada, bob]);
    expect(await found({ through: 'token' })).toEqual(['F']);
    expect(await found({ subject: ada })).toEqual([ada]);
    expect(await found({ about: ada })).toEqual([ada, bob]);
    expect(await found({ search: 'words' })).toEqual([bob]);
    expect(await found({ search: ' bob@example.org  SOME ' })).toEqual([bob]);
    expect(await found({ search: 'bob@example.org root' })).toEqual([]);
    expect(await found({ search: '#7' })).toEqual(['r1']);
    expect(await found({ search: '#8' })).toEqual([]);
    expect(await found({ search: 'unblock å' })).toEqual([ada]);
  });

  it('AUD-1 CON-4: what a person did and what was done to them are one list in order of time, in stretches too', async () => {
    const { database, read } = await auditOf(engine, 1);
    const ada: Actor = { kind: 'person', id: 'ada', name: 'ada@example.org', sessionId: null };
    for (let n = 0; n < 35; n += 1)
      await database.change(async (change) => {
        await recordAudit(change, ada, { action: 'flag.update', subject: `S_${n}` });
        await recordAudit(change, root, { action: 'person.set-roles', subject: 'ada', after: { n } });
        await recordAudit(change, ada, { action: 'profile.update', subject: 'ada', after: { n } });
        await recordAudit(change, root, { action: 'flag.update', subject: 'other' });
      });
    const inOrder = (
      await read
        .selectFrom('audit')
        .select('id')
        .where((row) => row.or([row('subject', '=', 'ada'), row('actor_id', '=', 'ada')]))
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .execute()
    ).map(({ id }) => id);
    const met: string[] = [];
    for await (const { rows } of scanAudit(read, { search: '', about: 'ada' }, null, 20))
      met.push(...rows.map(({ id }) => id));
    expect(met).toEqual(inOrder);
    expect(met).toHaveLength(105);
  });

  it('AUD-1: times are included on both sides', async () => {
    const { found, read } = await auditOf(engine, 30);
    const times = (await read.selectFrom('audit').select('at').distinct().orderBy('at').execute()).map(
      ({ at }) => at,
    );
    const [, middle = 0] = times;
    expect(times).toHaveLength(3);
    expect(await found({ from: middle })).toHaveLength(20);
    expect(await found({ until: middle })).toHaveLength(20);
    expect(await found({ from: middle, until: middle })).toHaveLength(10);
    expect(await found({ from: middle + 1, until: middle })).toEqual([]);
  });
});

describe.each(engines)('a page of the audit on %s', (engine) => {
  it('AUD-1: holds as many entries as are wanted, gives where the next begins, and nothing behind the last', async () => {
    const { read, inOrder } = await auditOf(engine, 25);
    const page = (behind: Parameters<typeof listAudit>[2]['behind'], limit: number) =>
      listAudit({ read, names: presentNames }, everything, { behind, limit });
    const first = await page(null, 10);
    expect(first.entries.map(({ subject }) => subject.id)).toEqual(inOrder.slice(0, 10));
    expect(first.next).toEqual({ at: first.entries.at(-1)?.at, id: first.entries.at(-1)?.id });
    expect(first.lookedBackTo).toBe(first.entries.at(-1)?.at);
    const last = await page(first.next, 15);
    expect(last.entries.map(({ subject }) => subject.id)).toEqual(inOrder.slice(10));
    expect([last.next, last.lookedBackTo]).toEqual([null, null]);
    expect((await page(null, 24)).next).not.toBeNull();
  });

  it('AUD-1: ends after as many rows as it may look through, and reports how far back it has looked', async () => {
    const { read, note, inOrder } = await auditOf(engine, 130);
    const filter = { search: 'nothing-that-is-there' };
    const first = await listAudit({ read, names: presentNames }, filter, { behind: null, limit: 10 }, 60);
    expect(first.entries).toEqual([]);
    const place = await read
      .selectFrom('audit')
      .selectAll()
      .where('subject', '=', inOrder[59] ?? '')
      .executeTakeFirst();
    expect(first.next).toEqual({ at: place?.at, id: place?.id });
    expect(first.lookedBackTo).toBe(place?.at);
    const all = await listAudit({ read, names: presentNames }, filter, { behind: null, limit: 10 });
    expect([all.entries, all.next, all.lookedBackTo]).toEqual([[], null, null]);
    await note(root, { action: 'flag.update', subject: 'FOUND', after: { text: 'x'.repeat(6_000) } });
    const [found] = (
      await listAudit({ read, names: presentNames }, { search: 'found' }, { behind: null, limit: 1 })
    ).entries;
    expect(found).toMatchObject({ cut: true, after: null });
    expect(await readAuditEntry({ read, names: presentNames }, found?.id ?? '')).toMatchObject({
      cut: false,
      subject: { id: 'FOUND' },
    });
    expect(await readAuditEntry({ read, names: presentNames }, 'gone')).toBeNull();
  });
});
