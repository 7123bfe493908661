import { createApiToken } from '#features/api-tokens/contract/api-tokens.ts';
import { createFlag } from '#features/flags/contract/flags.ts';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import {
  erasePerson,
  getRetention,
  previewErasure,
  setRetention,
} from '#features/erasure/contract/erasure.ts';
import { getPerson, listPeople } from '#features/people/contract/people.ts';
import { getProfile } from '#features/profile/contract/profile.ts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { fates } from '#server/features.ts';
import type { Fate } from '#server/platform/database/schema.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { fetchWith } from '#server/testing/client.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addPerson, addToken } from '#server/testing/people.ts';
import { createPersonalData } from '#server/testing/personal-data.ts';
import { pictureFile } from '#server/testing/pictures.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { upload } from '#server/testing/upload.ts';
import { finalSweepAfterMs } from './erase-person.ts';

const ada = { email: 'ada.erasable@example.org', firstName: 'Adalgunde', lastName: 'Unmistakable' };
const words = ['ada.erasable', 'adalgunde', 'unmistakable'];

const outcome = ({ status, problem }: { status: number; problem: { code: string } | null }) =>
  problem === null ? `${status}` : `${status} ${problem.code}`;

async function erase(
  by: SignedIn,
  personId: string,
  confirmation: string,
  reports: 'keep' | 'remove' = 'keep',
) {
  return by.call(erasePerson, { params: { personId }, body: { confirmation, reports } });
}

async function setFate(by: SignedIn, erasedReports: 'keep' | 'remove', reportDays: number | null = null) {
  const { version } = (await by.call(getRetention, {})).body;
  return by.call(setRetention, { body: { erasedReports, reportDays, version } });
}

/** Every place of every table that holds one of the words, as `table.column`. */
async function placesHolding(app: TestApp, wanted: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const { name } of await app.database.read.introspection.getTables()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      app.database.read,
    );
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        const text = String(value).toLowerCase();
        if (wanted.some((word) => text.includes(word.toLowerCase()))) found.add(`${name}.${column}`);
      }
    }
  }
  return [...found].toSorted();
}

/** Stored until the final sweep; files without a reference stay until another sweep an hour later. */
const underWay = (bytes: boolean) => [
  'erasure.emails',
  'erasure.full_name',
  ...(bytes ? ['file_chunk.bytes'] : []),
];

/**
 * The failed requests, except sign-ins whose account was erased during them: these end with the provider's own
 * failure.
 */
const failures = (app: TestApp) =>
  app.log.filter(({ level, msg }) => level >= 50 && msg !== 'the embedded provider failed');

/** Where a fate is declared, as `table.column`. */
const declared = (wanted: Fate) =>
  Object.entries<Partial<Record<Fate, readonly string[]>>>(fates).flatMap(([table, byFate]) =>
    (byFate[wanted] ?? []).map((column) => `${table}.${column}`),
  );

/** A row that names the person in every column that can; what no capability writes of itself gets the address. */
async function createAllPersonalData(app: TestApp, person: SignedIn): Promise<void> {
  await createPersonalData(app, person);
  for (const place of declared('name')) {
    const [table = '', column = ''] = place.split('.');
    await app.database.transaction((tx) =>
      sql`update ${sql.table(table)} set ${sql.ref(column)} = ${person.email}`.execute(tx),
    );
  }
}

describe.each(engines)('erasing a person on %s', (engine) => {
  const once = provedOn(engine);
  async function start() {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const operator = await signIn(app, { roles: ['operator'], email: 'operator@example.org' });
    return { app, clock, operator };
  }

  const lastLook = async ({ app, clock }: { app: TestApp; clock: { move(ms: number): void } }) => {
    clock.move(finalSweepAfterMs + 1);
    await app.sweep();
    clock.move(2 * 3_600_000);
    await app.sweep();
  };

  it.each(['keep', 'remove'] as const)(
    'BUG-10: leaves the person in no column of any table, with reports to %s',
    async (fate) => {
      const { app, clock, operator } = await start();
      const person = await signIn(app, { ...ada, roles: ['operator'] });
      expect((await setFate(operator, fate)).status).toBe(200);
      await createAllPersonalData(app, person);
      const sent = await app.database.read.selectFrom('report').select('id').orderBy('number').execute();
      const before = await placesHolding(app, [...words, person.id]);
      const wanted = [
        ...declared('name'),
        'report.assignee_id',
        'report_history.before',
        'report_message.text',
        'report_settings.notified',
        'report.message',
        'report.search_key',
        'audit.after',
        'file.owner',
      ];
      expect(
        wanted.filter((place) => !before.includes(place)),
        'No row names the person in these columns: write a row that names the person in `testing/personal-data.ts` of its capability.',
      ).toEqual([]);

      const preview = (await operator.call(previewErasure, { params: { personId: person.id } })).body;
      expect(preview).toMatchObject({
        email: ada.email,
        confirmation: ada.email,
        reports: 2,
        pictures: 2,
        files: 2,
        sessions: 1,
        apiTokens: 1,
        erasedReports: fate,
        hindrance: null,
      });
      const answer = await erase(operator, person.id, ` ${ada.email.toUpperCase()} `, fate);
      expect(outcome(answer)).toBe('200');
      const { pseudonym, finished } = answer.body;
      expect(finished).toBe(true);
      expect(pseudonym).toMatch(/^erased person [0-9a-f]{6}$/);

      // At once: no one finds them, and they are refused everywhere.
      expect(await placesHolding(app, words)).toEqual(underWay(engine === 'postgres'));
      expect(outcome(await person.call(getProfile, { params: { userId: 'current' } }))).toMatch(
        /^(401|403) /,
      );
      expect(outcome(await operator.call(getPerson, { params: { personId: person.id } }))).toBe(
        '404 NOT_FOUND',
      );
      expect((await operator.call(listPeople, {})).body.people.map(({ email }) => email)).toEqual([
        operator.email,
      ]);
      const again = await openBrowser(app.url).signIn({ email: ada.email, password: person.password });
      expect(again.problem?.code).toBeDefined();

      await lastLook({ app, clock });
      expect(await placesHolding(app, words)).toEqual([]);
      const ids = await placesHolding(app, [person.id]);
      expect(declared('id').filter((place) => !ids.includes(place))).toEqual([]);
      expect(ids.filter((place) => !declared('id').includes(place))).toEqual(['audit.search_key']);

      // What others need of their work is still there, under one name.
      const reports = await app.database.read.selectFrom('report').selectAll().orderBy('number').execute();
      expect(reports.map(({ id }) => id)).toEqual(fate === 'keep' ? sent.map(({ id }) => id) : []);
      expect(sent).toHaveLength(2);
      for (const report of reports)
        expect(report).toMatchObject({ name: pseudonym, email: '', reporter_id: null });
      expect(reports.map(({ message }) => message)).toEqual(
        fate === 'keep' ? [`I am ${pseudonym}, and it is broken.`, 'Again.'] : [],
      );
      const owners = await app.database.read.selectFrom('file').select('owner').execute();
      expect(owners).toEqual([{ owner: 'source-maps' }]);
      const flag = await app.database.read.selectFrom('flag').select('changed_by').executeTakeFirstOrThrow();
      expect(flag.changed_by).toBe(pseudonym);
      const audited = await app.database.read
        .selectFrom('audit')
        .selectAll()
        .where('action', '=', 'person.erase')
        .executeTakeFirstOrThrow();
      expect(audited).toMatchObject({ actor_name: operator.email, subject: person.id });
      expect(JSON.parse(audited.after ?? '')).toEqual({
        name: pseudonym,
        reports: 2,
        pictures: 2,
        files: 2,
        reportsKept: fate === 'keep',
      });
    },
  );

  it.each(once)('BUG-10 SES-9: ends their API tokens and those made with them, and no others', async () => {
    const { app, clock, operator } = await start();
    const person = await signIn(app, { ...ada, roles: ['operator'] });
    const rights = ['SETTINGS_WRITE', 'PEOPLE_READ'];
    const make = async (name: string, accessToken: string) => {
      const body = { name, rights, expiresAt: clock.now() + 3_600_000 };
      const made = await app.call(createApiToken, { body }, { accessToken });
      return made.status === 201 ? made.body.secret : 'nothing';
    };
    const hers = await make('hers', person.accessToken);
    const child = await make('child', hers);
    const grandchild = await make('grandchild', child);
    const others = [
      await make('another’s', operator.accessToken),
      await addToken(app, { rights: ['PEOPLE_READ'], clock }),
    ];
    const opens = (secrets: string[]) =>
      Promise.all(
        secrets.map(async (accessToken) => outcome(await app.call(listPeople, {}, { accessToken }))),
      );
    const family = [hers, child, grandchild];
    expect(await opens([...family, ...others])).toEqual(Array(5).fill('200'));

    // While the erasure is under way a request that was accepted before may still go on: tokens that it makes
    // are worthless.
    const late = make('late', child);
    expect(outcome(await erase(operator, person.id, ada.email))).toBe('200');
    expect(await opens(family)).toEqual(Array(3).fill('401 TOKEN_INVALID'));
    expect((await opens([await late]))[0]).toMatch(/^40[13] /);
    expect(await opens(others)).toEqual(['200', '200']);
    const creators = async () =>
      (await app.database.read.selectFrom('api_token').select('created_by').execute()).map(
        ({ created_by }) => created_by,
      );
    // Each token still has the creator whose rights limit it.
    expect((await creators()).filter((id) => id === null)).toHaveLength(1);
    await lastLook({ app, clock });
    expect(new Set(await creators())).toEqual(new Set([null, operator.id]));
    expect(failures(app)).toEqual([]);
  });

  it.each(once)('BUG-10: every table declares what becomes of people in it', async () => {
    const { app } = await start();
    const tables = await app.database.read.introspection.getTables();
    const textual = Object.fromEntries(
      tables.map(({ name, columns }) => [
        name,
        columns
          .filter(({ dataType }) => /text|char/i.test(dataType))
          .map((column) => column.name)
          .toSorted(),
      ]),
    );
    const declared = Object.fromEntries(
      Object.entries(fates).map(([table, byFate]) => [
        table,
        Object.values(byFate).flat<string[][]>().toSorted(),
      ]),
    );
    expect(declared).toEqual(textual);
  });

  // That each is refused as well: erase-steps.test.ts.
  it.each(once)('BUG-10: the preview says who cannot be erased', async () => {
    const { app, operator } = await start();
    const id = await addPerson(app, { email: 'ada@example.org' });
    const accessToken = await addToken(app, { rights: ['PEOPLE_WRITE'] });
    const hindrance = async (personId: string, by: { accessToken: string }) =>
      (await app.call(previewErasure, { params: { personId } }, by)).body.hindrance;
    expect(await hindrance(operator.id, { accessToken })).toBe('last-administrator');
    expect(await hindrance(operator.id, operator)).toBe('yourself');
    expect(await hindrance(id, operator)).toBeNull();
  });

  it('BUG-10: the preview lists a flag that names the person in any of its free texts', async () => {
    const { app, operator } = await start();
    const { id, email } = await signIn(app, { email: 'ada@example.org' });
    const flag = { enabled: true, description: '', defaultValue: true, rules: [], tags: [] };
    await operator.call(createFlag, { body: { ...flag, key: 'a-flag', type: 'boolean' } });
    const columns = declared('free text').filter((place) => place.startsWith('flag.'));
    expect(columns).toContain('flag.description');
    for (const column of columns.map((place) => sql.ref(place.slice('flag.'.length)))) {
      const preview = async () =>
        (await operator.call(previewErasure, { params: { personId: id } })).body.flags;
      const write = (text: string) =>
        app.database.transaction((tx) => sql`update flag set ${column} = ${text}`.execute(tx));
      expect(await preview()).toEqual([]);
      await write(JSON.stringify([email.toUpperCase()]));
      expect(await preview()).toEqual(['a-flag']);
      await write('[]');
    }
  });

  it('BUG-10, RIGHT-3: of two who erase each other at once one stays', async () => {
    const { app } = await start();
    const [one, other] = [
      await signIn(app, { roles: ['operator'] }),
      await signIn(app, { roles: ['operator'] }),
    ];
    const answers = await Promise.all([erase(one, other.id, other.email), erase(other, one.id, one.email)]);
    // The third operator stays in any case; an erased person can erase no one.
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    const people = await app.database.read
      .selectFrom('person')
      .select('id')
      .where('blocked_at', 'is', null)
      .execute();
    expect(people.length).toBeGreaterThanOrEqual(1);
    expect(failures(app)).toEqual([]);
  });

  it('BUG-10: what arrives during the erasure is removed at its end', async () => {
    const { app, clock, operator } = await start();
    const person = await signIn(app, { ...ada });
    const busy = [0, 1, 2].flatMap((n) => [
      upload(app, person, [{ filename: `unmistakable ${n}.txt`, bytes: `text ${n}` }]).catch(() => []),
      person.call(saveFeedback, { body: { message: `Adalgunde Unmistakable ${n}`, email: ada.email } }),
      openBrowser(app.url).signIn({ email: ada.email, password: person.password }),
    ]);
    expect(outcome(await erase(operator, person.id, ada.email))).toBe('200');
    await Promise.all(busy);
    // A slow request that was accepted before.
    await app.database.transaction(async (tx) => {
      await tx
        .insertInto('file')
        .values({
          id: 'late',
          owner: person.id,
          filename: 'unmistakable',
          content_type: 'text/plain',
          size: 1,
          width: null,
          height: null,
          hash: 'a',
          created_at: 1,
        })
        .execute();
      await tx.updateTable('maintenance').set({ changed_by: ada.email }).execute();
    });
    await lastLook({ app, clock });
    expect(await placesHolding(app, words)).toEqual([]);
    expect(await app.database.read.selectFrom('erasure').selectAll().execute()).toEqual([]);
    expect(await app.database.read.selectFrom('person').select('id').execute()).toEqual([
      { id: operator.id },
    ]);
    expect(failures(app)).toEqual([]);
  });

  it('BUG-10 SES-1: a person who is erased while they sign in is back at the sign-in, and has no session by it', async () => {
    const { app, clock, operator } = await start();
    const person = await signIn(app, { ...ada });
    const browser = openBrowser(app.url);
    const { path } = await browser.go('/auth/login');
    const { body } = await browser.submit(path, { email: ada.email, password: person.password });
    let next = body.next;
    while (!next.includes('/auth/callback')) {
      const { headers } = await fetchWith(browser.cookies, new URL(next, app.url));
      next = headers.get('location') ?? '/auth/callback of nobody';
    }
    expect(outcome(await erase(operator, person.id, ada.email))).toBe('200');
    expect((await browser.go(next)).path).toMatch(/^\/idp\/sign-in\//);
    await lastLook({ app, clock });
    expect(await app.database.read.selectFrom('person').select('id').execute()).toEqual([
      { id: operator.id },
    ]);
  });

  it('BUG-10: addresses that others have too, or that look alike, stay theirs', async () => {
    const { app, operator } = await start();
    const one = await addPerson(app, { email: 'anna@example.org' });
    await addPerson(app, { email: 'joanna@example.org', firstName: 'Jo', lastName: 'Anna' });
    await addPerson(app, { email: 'twin@example.org' });
    const twin = await addPerson(app, { email: 'twin@example.org' });
    const changedBy = (name: string) =>
      app.database.transaction((tx) => tx.updateTable('maintenance').set({ changed_by: name }).execute());
    const now = async () =>
      (await app.database.read.selectFrom('maintenance').select('changed_by').executeTakeFirstOrThrow())
        .changed_by;
    await changedBy('joanna@example.org');
    await erase(operator, one, 'anna@example.org');
    expect(await now()).toBe('joanna@example.org');
    await changedBy('twin@example.org');
    expect(outcome(await erase(operator, twin, 'twin@example.org'))).toBe('200');
    expect(await now()).toBe('twin@example.org');
  });

  it.each(once)(
    'BUG-10: reports older than the setting go with their pictures, and the audit counts them',
    async () => {
      const { app, clock, operator } = await start();
      const data = Buffer.from(pictureFile('png', 8, 8)).toString('base64');
      const attachments = [{ data, filename: 'a.png', contentType: 'image/png' }];
      const report = (message: string) => operator.call(saveFeedback, { body: { message, attachments } });
      await report('An old one.');
      expect((await setFate(operator, 'keep', 30)).body).toMatchObject({ reportDays: 30 });
      await app.sweep();
      expect(await app.database.read.selectFrom('report').select('id').execute()).toHaveLength(1);
      clock.move(31 * 86_400_000);
      const fresh = await signIn(app, { roles: ['operator'] });
      await fresh.call(saveFeedback, { body: { message: 'A new one.' } });
      await app.sweep();
      const left = await app.database.read.selectFrom('report').select('message').execute();
      expect(left).toEqual([{ message: 'A new one.' }]);
      expect(await app.database.read.selectFrom('file').select('id').execute()).toEqual([]);
      const audited = await app.database.read
        .selectFrom('audit')
        .select(['actor_name', 'after'])
        .where('action', '=', 'report.expire')
        .execute();
      const counts = audited.map(
        ({ after }) => JSON.parse(after ?? '') as { reports: number; pictures: number },
      );
      expect(counts.reduce((sum, { reports }) => sum + reports, 0)).toBe(1);
      expect(counts.reduce((sum, { pictures }) => sum + pictures, 0)).toBe(1);
    },
  );
});
