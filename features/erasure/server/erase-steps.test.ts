import { describe, expect, it, vi } from 'vitest';
import type { Change } from '#server/platform/database/database.ts';
import { fates } from '#server/features.ts';
import type { Tables } from '#server/platform/database/schema.ts';
import { engines, openFresh, type Engine } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addError } from '#server/testing/errors.ts';
import { addPerson, addToken, type PersonToAdd } from '#server/testing/people.ts';
import { hashSecret } from '#server/platform/keys/ids.ts';
import { erasePersonFromAudit, recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { createPersonHash } from '#features/diagnostics/server/intake/person-hash.ts';
import { makeOwnProject } from '#features/diagnostics/server/intake/working-keys.ts';
import { erasePersonFromReports } from '#features/feedback/server/erase-from-reports.ts';
import { countAttempt } from '#features/identity-provider/server/accounts.store.ts';
import { addFile } from '#features/files/server/files.store.ts';
import { confirmationFor, createErasing } from './erase-person.ts';
import { addressesOf, isBeingErased, readPerson } from './erasure.store.ts';
import { writeRetention } from './retention.ts';
import { reportRow } from '#server/testing/report-row.ts';

const root: Actor = { kind: 'command-line', id: null, name: 'root' };
const ada: PersonToAdd = { email: 'ada@example.org', firstName: 'Ada', lastName: 'King' };

/** A person to be erased and another one, without a server around them. */
async function twoPeople(engine: Engine, person: PersonToAdd = ada) {
  const clock = movableClock();
  const database = await openFresh(engine, clock);
  const { read } = database;
  const onFailure = vi.fn<(error: unknown) => void>();
  const parts = { database, clock, fates, onFailure };
  const erasing = createErasing(parts);
  const operatorId = await addPerson({ database }, { email: 'op@example.org', roles: ['operator'] });
  const personId = await addPerson({ database }, person);
  const operator: Actor = { kind: 'person', id: operatorId, name: 'op@example.org', sessionId: null };
  const insert = (table: keyof Tables, rows: object[]) =>
    database.transaction((tx) =>
      tx
        .insertInto(table)
        .values(rows as never)
        .execute(),
    );
  return {
    database,
    read,
    clock,
    onFailure,
    parts,
    erasing,
    operator,
    personId,
    insert,
    change: <T>(work: (change: Change) => Promise<T>) => database.change(work),
    erase: (confirmation = person.email ?? '', reports: 'keep' | 'remove' = 'keep', actor = operator) =>
      erasing.erase(actor, personId, {
        confirmation,
        reports,
      }),
    file: (owner: string | null, hash = 'h') =>
      database.change(({ tx, at }) =>
        addFile(tx, {
          owner,
          hash,
          size: 1,
          filename: 'a.txt',
          contentType: 'text/plain',
          width: null,
          height: null,
          at,
        }),
      ),
    count: async (table: keyof Tables) => (await read.selectFrom(table).selectAll().execute()).length,
  };
}

const report = (n: number, reporterId: string | null, more: Parameters<typeof reportRow>[1] = {}) =>
  reportRow(n, { reporter_id: reporterId, ...more });

describe('what is typed to erase a person', () => {
  it('BUG-10: is their address, or their name, or their id', () => {
    const person = { email: 'a@b.c', firstName: 'Ada', lastName: 'King' };
    expect(confirmationFor(person, 'x')).toBe('a@b.c');
    expect(confirmationFor({ ...person, email: '' }, 'x')).toBe('Ada King');
    expect(confirmationFor({ email: '', firstName: '', lastName: 'King' }, 'x')).toBe('King');
    expect(confirmationFor({ email: '', firstName: '', lastName: '' }, 'x')).toBe('x');
  });
});

describe.each(engines)('erasing on %s', (engine) => {
  it('BUG-10, DIAG-2: takes the person out of errors, whose counts stay, and out of the addresses of alerts', async () => {
    const { database, read, erase, insert, personId, onFailure } = await twoPeople(engine);
    await makeOwnProject(database);
    const hashOf = await createPersonHash(database);
    const theirs = [personId, 'Ada@example.org'].map(hashOf);
    const names = [...theirs, hashOf('op@example.org')];
    const sample = { message: 'x' };
    const { id, numbers } = await addError(
      { database },
      { people: 3, events: names.map((personHash) => ({ at: 1, personHash, sample })) },
    );
    await insert(
      'error_person',
      names.map((person_hash) => ({ group_id: id, person_hash })),
    );
    const alert_mails = JSON.stringify(['ada@example.org', 'ops@example.org']);
    await database.transaction((tx) => tx.updateTable('diagnostic_settings').set({ alert_mails }).execute());
    await erase();
    expect(onFailure.mock.calls).toEqual([]);
    const events = await read.selectFrom('error_event').select(['n', 'person_hash']).orderBy('n').execute();
    expect(events.map(({ person_hash: hash }) => hash)).toEqual([null, null, names[2]]);
    expect(await read.selectFrom('error_sample').select('n').execute()).toEqual([{ n: numbers[2] }]);
    expect(await read.selectFrom('error_person').select('person_hash').execute()).toEqual([
      { person_hash: names[2] },
    ]);
    const group = await read.selectFrom('error_group').select(['events', 'people']).executeTakeFirst();
    expect(group).toEqual({ events: 3, people: 3 });
    const settings = await read.selectFrom('diagnostic_settings').select('alert_mails').executeTakeFirst();
    expect(settings).toEqual({ alert_mails: '["ops@example.org"]' });
  });

  it('BUG-10: counts what there was, and answers with a name that names no one', async () => {
    const { erase, file, insert, personId, read, count, onFailure } = await twoPeople(engine);
    const picture = await file(personId);
    await file(personId);
    await file(personId, 'other');
    await insert('report', [report(1, personId), report(2, personId), report(3, null)]);
    await insert('report_picture', [{ report_id: 'r1', position: 0, file_id: picture }]);
    const { pseudonym, finished } = await erase('  ADA@example.org ');
    expect(pseudonym).toMatch(/^erased person [0-9a-f]{6}$/);
    expect([finished, onFailure.mock.calls]).toEqual([true, []]);
    const entry = await read.selectFrom('audit').selectAll().executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ action: 'person.erase', subject: personId, actor_name: 'op@example.org' });
    expect(JSON.parse(entry.after ?? '')).toEqual({
      name: pseudonym,
      reports: 2,
      pictures: 1,
      files: 2,
      reportsKept: true,
    });
    const person = await read.selectFrom('person').selectAll().where('id', '=', personId).executeTakeFirst();
    expect(person).toMatchObject({ issuer: 'erased', subject: personId, email: '', version: 2 });
    expect(person?.blocked_at).not.toBeNull();
    expect([await count('file'), await count('report')]).toEqual([0, 3]);
    expect(await isBeingErased(read, personId)).toBe(true);
    expect(await isBeingErased(read, 'another')).toBe(false);
  });

  it('BUG-10: nothing is erased by who may not, unconfirmed, or after something has changed', async () => {
    const { erase, erasing, personId, operator, read, database } = await twoPeople(engine);
    const self: Actor = { kind: 'person', id: personId, name: 'ada@example.org', sessionId: null };
    await expect(erase('ada@example.org', 'keep', self)).rejects.toMatchObject({ code: 'CONFLICT' });
    for (const typed of ['', 'ada', 'Ada King', personId])
      await expect(erase(typed)).rejects.toMatchObject({
        code: 'INVALID_BODY',
        details: { errors: [{ pointer: '/confirmation', code: 'mismatch' }] },
      });
    await expect(erase('ada@example.org', 'remove')).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    const wanted = { confirmation: 'nobody', reports: 'keep' } as const;
    await expect(erasing.erase(operator, 'nobody', wanted)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const last = { confirmation: 'op@example.org', reports: 'keep' } as const;
    await expect(erasing.erase(root, operator.id ?? '', last)).rejects.toMatchObject({
      code: 'LAST_ADMINISTRATOR',
    });
    expect(await readPerson(read, personId)).toMatchObject({ email: 'ada@example.org' });
    expect(await database.read.selectFrom('erasure').selectAll().execute()).toEqual([]);

    await erase();
    await expect(erase()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('BUG-10: goes through all there is, however much it is: reports, files, messages and the audit', async () => {
    const { erase, insert, personId, count, read } = await twoPeople(engine);
    const owned = { owner: personId, filename: 'a', content_type: 'text/plain', size: 1, created_at: 1 };
    await insert(
      'file',
      Array.from({ length: 101 }, (_, n) => ({
        ...owned,
        id: `f${n}`,
        width: null,
        height: null,
        hash: `h${n}`,
      })),
    );
    await insert(
      'report',
      Array.from({ length: 51 }, (_, n) => report(n + 1, personId)),
    );
    const webhook = { id: 'w', url: 'https://a.example', description: '', enabled: 1, secret: 's' };
    await insert('webhook', [{ ...webhook, created_at: 1, created_by: 'ADA@example.org', version: 1 }]);
    const delivery = { webhook_id: 'w', event: 'x', created_at: 1, state: 'sent', tries: 0 };
    await insert(
      'webhook_delivery',
      Array.from({ length: 201 }, (_, n) => ({
        ...delivery,
        id: `d${String(n).padStart(3, '0')}`,
        body: JSON.stringify({ by: 'Ada@example.org', text: 'ada@example.org wrote', n }),
        next_try_at: null,
        claimed_until: null,
      })),
    );
    const entry = { at: 1, actor_kind: 'command-line', actor_id: null, actor_name: 'ada@example.org' };
    await insert(
      'audit',
      Array.from({ length: 201 }, (_, n) => ({
        ...entry,
        id: `a${n}`,
        action: 'flag.update',
        subject: `F${n}`,
        before: null,
        after: null,
        search_key: '',
      })),
    );
    const { pseudonym } = await erase();
    expect(await count('file')).toBe(0);
    const reporters = await read.selectFrom('report').select('reporter_id').distinct().execute();
    expect(reporters).toEqual([{ reporter_id: null }]);
    const bodies = await read.selectFrom('webhook_delivery').select('body').execute();
    expect(new Set(bodies.map(({ body }) => (JSON.parse(body) as { by: string }).by))).toEqual(
      new Set([pseudonym]),
    );
    expect(bodies[0]?.body).toContain('ada@example.org wrote');
    const actors = await read
      .selectFrom('audit')
      .select('actor_name')
      .distinct()
      .where('action', '=', 'flag.update')
      .execute();
    expect(actors).toEqual([{ actor_name: pseudonym }]);
    expect(await read.selectFrom('webhook').select('created_by').execute()).toEqual([
      { created_by: pseudonym },
    ]);
  });

  it('BUG-10: takes account, links, mail, guesses, tokens and what the provider remembers along, and of others nothing', async () => {
    const both: PersonToAdd[] = [
      { ...ada, password: null },
      { email: 'ben@example.org', password: null },
    ];
    const { database, insert, personId, read, parts } = await twoPeople(engine, both[0]);
    const other = await addPerson({ database }, both[1]);
    const subjects = await read.selectFrom('person').select(['id', 'subject']).execute();
    for (const [id, email] of [
      [personId, 'Ada@example.org'],
      [other, 'ben@example.org'],
    ] as const) {
      const subject = subjects.find((row) => row.id === id)?.subject ?? '';
      const record = { model: 'Grant', grant_id: null, uid: null, expires_at: null, consumed_at: null };
      await insert('oidc_record', [
        { ...record, id: `a ${id}`, payload: '{}', account_id: subject },
        { ...record, id: `b ${id}`, payload: JSON.stringify({ accountId: subject }), account_id: null },
      ]);
      const mail = { kind: 'x', language: 'en', created_at: 1, tries: 0, next_try_at: null, failure: null };
      await insert('mail', [
        { ...mail, id: `a ${id}`, account_id: subject, email: null, claimed_until: null },
        { ...mail, id: `b ${id}`, account_id: null, email, claimed_until: null },
      ]);
      await insert('person_group', [{ person_id: id, kind: 'group', name: 'staff' }]);
      await insert('person_relink', [{ person_id: id, issuer: 'x', email }]);
      await addToken({ database }, { rights: ['MAP_VIEW'], createdBy: id });
    }
    const guessed = (email: string) =>
      database.transaction((tx) => countAttempt(tx, `${hashSecret(email)}.x`, 0, () => 0));
    await guessed('ada@example.org');
    await guessed('ben@example.org');
    const topics: string[] = [];
    database.onChange((all) => topics.push(...all.map(({ topic }) => topic)));
    await createErasing(parts).erase(root, personId, { confirmation: 'ada@example.org', reports: 'keep' });
    expect(await read.selectFrom('sign_in_guess').select('email_hash').execute()).toEqual([
      { email_hash: `${hashSecret('ben@example.org')}.x` },
    ]);
    expect(topics).toEqual(expect.arrayContaining(['api-tokens', 'person', 'rights']));
    const owned = [
      'account',
      'one_time_link',
      'api_token',
      'person_group',
      'person_relink',
      'profile',
    ] as const;
    for (const table of owned) {
      const rows = await read
        .selectFrom(table as keyof Tables)
        .selectAll()
        .execute();
      expect([table, rows.length > 0, JSON.stringify(rows).includes(personId)]).toEqual([table, true, false]);
    }
    expect(await read.selectFrom('account').select('email').execute()).toEqual([
      { email: 'ben@example.org' },
    ]);
    for (const table of ['oidc_record', 'mail'] as const)
      expect((await read.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)).toEqual(
        [`a ${other}`, `b ${other}`],
      );
  });

  it('BUG-10: what goes wrong after the decision is reported, and retried until it is done', async () => {
    const { parts, operator, personId, clock, read, onFailure } = await twoPeople(engine);
    const broken = new Error('does not answer');
    let failing = true;
    const erasing = createErasing({
      ...parts,
      steps: {
        erasePersonFromReports: (...given) =>
          failing ? Promise.reject(broken) : erasePersonFromReports(...given),
      },
    });
    const wanted = { confirmation: 'ada@example.org', reports: 'keep' } as const;
    expect(await erasing.erase(operator, personId, wanted)).toMatchObject({ finished: false });
    expect(onFailure.mock.calls).toEqual([[broken]]);
    const doneAt = async () =>
      (await read.selectFrom('erasure').select('done_at').executeTakeFirst())?.done_at;
    expect(await doneAt()).toBeNull();
    await expect(erasing.resume()).rejects.toBe(broken);
    failing = false;
    await erasing.resume();
    expect(await doneAt()).toBe(clock.now());
    // The erasure that has just run waits for its final sweep.
    expect(await read.selectFrom('person').select('id').where('id', '=', personId).execute()).toHaveLength(1);
  });

  it('BUG-10: the last of a person goes ten minutes later, unless something still hangs on it', async () => {
    const { erase, erasing, personId, clock, read, insert, parts, database } = await twoPeople(engine);
    await erase();
    const left = async () => [
      (await read.selectFrom('person').select('id').where('id', '=', personId).execute()).length,
      (await read.selectFrom('erasure').select('person_id').execute()).length,
    ];
    clock.move(10 * 60_000 - 1);
    await insert('person_group', [{ person_id: personId, kind: 'group', name: 'staff' }]);
    await erasing.resume();
    expect(await left()).toEqual([1, 1]);
    expect(await read.selectFrom('person_group').selectAll().execute()).toHaveLength(1);
    clock.move(1);
    // A report that arrives during the final sweep.
    const late = createErasing({
      ...parts,
      steps: {
        async erasePersonFromAudit(change, erasure, place) {
          await change.tx.insertInto('report').values(report(9, personId)).execute();
          return erasePersonFromAudit(change, erasure, place);
        },
      },
    });
    await late.resume();
    expect(await left()).toEqual([1, 1]);
    const topics: string[] = [];
    database.onChange((all) => topics.push(...all.map(({ topic }) => topic)));
    await erasing.resume();
    expect(await left()).toEqual([0, 0]);
    expect(topics).toContain('person');
    expect(await read.selectFrom('person_group').selectAll().execute()).toEqual([]);
    await erasing.resume();
  });

  it('BUG-10: a file that others show stays without an owner; their own picture goes where no one shows it', async () => {
    const { erase, file, personId, database, operator, read } = await twoPeople(engine);
    const [shown, own, alone] = [await file(personId), await file(null), await file(personId)];
    const show = (id: string, avatar: string) =>
      database.transaction((tx) =>
        tx.updateTable('profile').set({ avatar }).where('person_id', '=', id).execute(),
      );
    await show(operator.id ?? '', shown);
    await show(personId, own);
    await erase();
    expect(alone).not.toBe(shown);
    expect(await read.selectFrom('file').select(['id', 'owner', 'filename']).execute()).toEqual([
      { id: shown, owner: null, filename: 'file' },
    ]);
  });

  it('BUG-10: every address goes under which they have been here, but those that others have', async () => {
    const { read, personId, change, insert, database } = await twoPeople(engine);
    const as = (name: string): Actor => ({ kind: 'person', id: personId, name, sessionId: null });
    await change(async (each) => {
      for (const name of ['Old@Example.org', 'shared@example.org', 'a name'])
        await recordAudit(each, as(name), { action: 'flag.update', subject: 'F' });
      const token: Actor = { kind: 'token', id: personId, name: 'token@example.org', sessionId: null };
      await recordAudit(each, token, { action: 'flag.update', subject: 'F' });
    });
    await insert('report', [report(1, null)]);
    const history = { id: 'h', report_id: 'r1', at: 1, before: null, after: 'new', actor_kind: 'person' };
    await insert('report_history', [{ ...history, actor_id: personId, actor_name: 'history@example.org' }]);
    await addPerson({ database }, { email: 'shared@example.org' });
    const found = await addressesOf(read, personId, 'ada@example.org');
    expect(found.toSorted()).toEqual([
      'Old@Example.org',
      'ada@example.org',
      'history@example.org',
      'old@example.org',
    ]);
    expect(await addressesOf(read, personId, '')).toEqual(
      found.filter((address) => address !== 'ada@example.org'),
    );
    expect(await addressesOf(read, 'nobody', '')).toEqual([]);
  });

  it('BUG-10: who has no address is erased by id; the history of reports names them no more', async () => {
    const { erase, personId, insert, read } = await twoPeople(engine, { email: '', firstName: 'Ada' });
    await insert('report', [report(1, null, { message: 'Ada wrote', name: 'Ada' })]);
    const history = { report_id: 'r1', at: 1, before: null, after: 'new', actor_kind: 'person' };
    await insert('report_history', [
      { ...history, id: 'h1', actor_id: personId, actor_name: 'Ada' },
      { ...history, id: 'h2', actor_id: 'another', actor_name: 'Ben' },
    ]);
    const { pseudonym } = await erase('ada');
    expect(
      await read.selectFrom('report_history').select(['actor_id', 'actor_name']).orderBy('id').execute(),
    ).toEqual([
      { actor_id: null, actor_name: pseudonym },
      { actor_id: 'another', actor_name: 'Ben' },
    ]);
    // A first name alone stays: it is that of many people.
    expect(await read.selectFrom('report').select('message').execute()).toEqual([{ message: 'Ada wrote' }]);
  });

  it.each([
    ['Ada', 'King', 'erased wrote, Ada too'],
    ['Ada', '', 'Ada King wrote, Ada too'],
    ['', 'King', 'Ada King wrote, Ada too'],
  ])(
    'BUG-10: a full name goes out of their reports, half a name is many people’s: %j %j',
    async (firstName, lastName, message) => {
      const { erase, personId, insert, read } = await twoPeople(engine, { ...ada, firstName, lastName });
      await insert('report', [report(1, personId, { message: 'Ada King wrote, Ada too' })]);
      const { pseudonym } = await erase();
      expect(await read.selectFrom('report').select('message').execute()).toEqual([
        { message: message.replace('erased', pseudonym) },
      ]);
    },
  );

  it('BUG-10: reports go with the person where that is set', async () => {
    const { erase, personId, insert, read, count, change } = await twoPeople(engine);
    await insert('report', [report(1, personId), report(2, null)]);
    await change((each) => writeRetention(each, { reportDays: null, erasedReports: 'remove' }, 'root'));
    await expect(erase()).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    await erase('ada@example.org', 'remove');
    expect(await count('report')).toBe(1);
    const { after } = await read.selectFrom('audit').select('after').executeTakeFirstOrThrow();
    expect(JSON.parse(after ?? '')).toMatchObject({ reports: 1, reportsKept: false });
  });

  it('BUG-10: what others show stays, and an account that only looks like theirs', async () => {
    const { erase, file, personId, database, read, count } = await twoPeople(engine);
    const shared = await file(null);
    await database.transaction((tx) => tx.updateTable('profile').set({ avatar: shared }).execute());
    await addPerson({ database }, { email: 'ben@example.org', password: null });
    const { id } = await read.selectFrom('account').select('id').executeTakeFirstOrThrow();
    // Another provider may call its people whatever it likes.
    await database.transaction((tx) =>
      tx.updateTable('person').set({ subject: id }).where('id', '=', personId).execute(),
    );
    await erase();
    expect([await count('account'), await count('one_time_link')]).toEqual([1, 1]);
    expect(await read.selectFrom('file').select('id').execute()).toEqual([{ id: shared }]);
  });
});
