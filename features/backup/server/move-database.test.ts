import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { getProfile } from '#features/profile/contract/profile.ts';
import { sqliteFile, type Database } from '#server/platform/database/database.ts';
import { beginUse } from '#server/platform/database/sqlite-snapshot.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { startProcess } from '#server/testing/child-process.ts';
import { runInside } from '#server/testing/command-line.ts';
import { dump } from '#server/testing/dump.ts';
import { addError } from '#server/testing/errors.ts';
import {
  afterThisTest,
  engines,
  freshDatabase,
  openDatabase,
  type Place,
} from '#server/testing/fresh-database.ts';
import { createPersonalData } from '#server/testing/personal-data.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { readFiles, storeFiles } from '#server/testing/stored-files.ts';
import { contentPath } from './manifest.ts';

const withBoth = engines.length === 2;

/** Two places that one command reaches: a folder, and a PostgreSQL. */
async function pair() {
  const [sqlite, postgres] = [
    await freshDatabase('sqlite', 'nothing'),
    await freshDatabase('postgres', 'nothing'),
  ];
  const url = postgres.location.engine === 'postgres' ? postgres.location.url : '';
  return { sqlite, postgres: { ...postgres, dataDir: sqlite.dataDir }, url };
}
type Pair = Awaited<ReturnType<typeof pair>>;

const environment = ({ sqlite, url }: Pair) => ({ DATA_DIR: sqlite.dataDir, DATABASE_URL: url });

const move = (places: Pair, to: string, ...more: string[]) =>
  runInside(['move', '--to', to, ...more], { PUBLIC_URL: 'http://localhost:1', ...environment(places) });

/** Everything but what a move itself adds, and the table that one engine alone uses. */
async function content({ location }: Place): Promise<Record<string, readonly string[]>> {
  const database = await openDatabase(location);
  const tables = Object.entries(await dump(database));
  await database.close();
  const own = ['revision', 'changed', 'file_chunk', 'removed_content'];
  const isMoves = (row: string) => /"backup\.restore"|"in-use"/.test(row);
  return Object.fromEntries(
    tables
      .filter(([name]) => !own.includes(name))
      .map(([name, rows]) => [name, rows.filter((row) => !isMoves(row))]),
  );
}

/** An installation with rows of every capability, stopped. */
async function installation(on: Place): Promise<{ app: TestApp; person: SignedIn }> {
  const app = await startApp({ on });
  await signIn(app, { roles: ['operator'] });
  const person = await signIn(app, { email: 'grace@example.org', roles: ['operator'] });
  await createPersonalData(app, person);
  const { numbers } = await addError(app, { events: [{ at: 1, sample: { a: 'ä' } }, { at: 2 }, { at: 3 }] });
  // The next one has the number after it all the same.
  await app.database.transaction((tx) =>
    tx
      .deleteFrom('error_event')
      .where('n', '=', Math.max(...numbers))
      .execute(),
  );
  await app.stop();
  return { app, person };
}

const startOn = (app: TestApp, place: Place) =>
  startApp({ after: { ...app, place }, config: { database: place.location, dataDir: place.dataDir } });

const lastNumber = async ({ read }: Database) =>
  Number(
    (
      await read
        .selectFrom('error_event')
        .select((row) => row.fn.max('n').as('n'))
        .executeTakeFirst()
    )?.n,
  );

describe.runIf(withBoth)('a move between SQLite and PostgreSQL', () => {
  it('RUN-9: copies every row and file, there and back, and no person is signed out', async () => {
    const places = await pair();
    const { app, person } = await installation(places.sqlite);
    const files = await storeFiles(places.sqlite, { word: 'moved', count: 5 });
    // As a server leaves it that was killed.
    beginUse(sqliteFile(places.sqlite.dataDir), true);
    const before = await content(places.sqlite);
    const last = Number(before['error_event']?.length);

    const there = await move(places, 'postgres', '--json');
    expect(there).toMatchObject({ code: 0, errors: '' });
    const result = JSON.parse(there.out) as { tables: Record<string, { rows: number }>; files: number };
    expect(result).toMatchObject({ to: 'postgres', missing: [] });
    expect(result.tables['error_event']?.rows).toBe(last);
    expect(Object.values(result.tables).filter(({ rows }) => rows > 0).length).toBeGreaterThan(40);
    expect(await content(places.postgres)).toEqual(before);

    const onPostgres = await startOn(app, places.postgres);
    expect((await onPostgres.call(getProfile, { params: { userId: person.id } }, person)).status).toBe(200);
    const contents = await readFiles(onPostgres.database, places.sqlite.dataDir, files);
    for (const { id, bytes } of files) expect(contents.get(id)).toEqual(bytes);
    const lastThere = await lastNumber(onPostgres.database);
    expect((await addError(onPostgres, {})).numbers).toEqual([lastThere + 2]);
    await onPostgres.stop();

    const home: Pair = { ...places, sqlite: await freshDatabase('sqlite', 'nothing') };
    const moved = await content(places.postgres);
    expect(await move(home, 'sqlite')).toMatchObject({ code: 0, out: 'sqlite' });
    expect(await content(home.sqlite)).toEqual(moved);
    const onFile = await startOn(app, home.sqlite);
    expect((await onFile.call(getProfile, { params: { userId: person.id } }, person)).status).toBe(200);
    expect(onFile.log.filter(({ level }) => level >= 40)).toEqual([]);
    const back = await readFiles(onFile.database, home.sqlite.dataDir, files);
    for (const { id, bytes } of files) expect(back.get(id)).toEqual(bytes);
    expect((await addError(onFile, {})).numbers).toEqual([lastThere + 3]);
  });

  it.each(['postgres', 'sqlite'] as const)(
    'RUN-9: to %s, killed half-way, leaves the source as it is and a target that nothing opens; again it ends',
    async (to) => {
      const places = await pair();
      const [source, target] =
        to === 'postgres' ? [places.sqlite, places.postgres] : [places.postgres, places.sqlite];
      const { app } = await installation(source);
      const files = await storeFiles(source, { word: 'moved', count: 5 });
      const before = await content(source);

      const client = new pg.Client({ connectionString: `${places.url}?application_name=portico-move` });
      await client.connect();
      afterThisTest(() => client.end());
      await client.query('select pg_advisory_lock(7)');
      if (to === 'postgres') await client.query(waitAtFlags);
      else await client.query('begin; lock table flag in access exclusive mode');
      const child = startProcess('cli.ts', ['move', '--to', to], environment(places));
      const waiting = async () =>
        // In this database: other tests have theirs on the same server.
        (
          await client.query(
            'select 1 from pg_locks join pg_database d on d.oid = database and d.datname = current_database() where not granted',
          )
        ).rows.length;
      await expect.poll(waiting).toBeGreaterThan(0);
      await child.kill();
      await client.query(to === 'postgres' ? 'drop event trigger arm' : 'rollback');
      await client.query('select pg_advisory_unlock_all()');

      expect(await content(source)).toEqual(before);
      const opened = openDatabase(target.location);
      await expect(opened).rejects.toThrow('A move into this database was not finished');
      expect((await move(places, to)).errors).toContain('Moved to');
      expect(await content(target)).toEqual(before);
      const moved = await startOn(app, target);
      const contents = await readFiles(moved.database, target.dataDir, files);
      for (const { id, bytes } of files) expect(contents.get(id)).toEqual(bytes);
    },
  );

  it('RUN-9: refuses a target that holds data, a source in use, and a source that is not there', async () => {
    const places = await pair();
    expect((await move(places, 'postgres')).errors).toContain('There is no data of Portico');
    const { app } = await installation(places.sqlite);
    const running = await startApp({ on: places.sqlite });
    expect((await move(places, 'postgres')).errors).toContain('A Portico server is running');
    await running.stop();
    expect((await move(places, 'postgres')).code).toBe(0);
    expect((await move(places, 'postgres')).errors).toContain('holds data already');
    expect((await move(places, 'sqlite')).errors).toContain('holds data already');
    const other: Pair = { ...places, sqlite: await freshDatabase('sqlite', 'nothing') };
    const replica = await startOn(app, places.postgres);
    const refused = await move(other, 'sqlite');
    expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('other connections') });
    expect(existsSync(sqliteFile(other.sqlite.dataDir))).toBe(false);
    await replica.stop();
  });

  it('RUN-9: stores nothing where a value would be another there, and names files that were lost', async () => {
    const places = await pair();
    await installation(places.sqlite);
    const [lost, stored] = await storeFiles(places.sqlite, { word: 'moved', count: 3 });
    /** SQLite stores any value in any column. */
    const write = async (column: string, value: string) => {
      const database = await openDatabase(places.sqlite.location);
      await database.transaction((tx) =>
        sql`update file set ${sql.ref(column)} = ${sql.raw(value)}`.execute(tx),
      );
      await database.close();
    };
    await write('width', '1.5');
    const refused = await move(places, 'postgres');
    expect(refused).toMatchObject({ code: 1, errors: expect.stringMatching(/^A row of file cannot be/) });
    await write('width', 'null');
    await write('filename', "x'4142'");
    const differs = await move(places, 'postgres');
    expect(differs).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^The table file differs: \d+ rows/),
    });
    await write('filename', "'a'");
    for (const { hash = '' } of [{ ...lost }, { ...stored }])
      await rm(contentPath(places.sqlite.dataDir, hash));
    const database = await openDatabase(places.sqlite.location);
    await database.transaction((tx) =>
      tx
        .insertInto('object_content')
        .values({ hash: stored?.hash ?? '', size: stored?.bytes.length ?? 0, state: 'stored', at: 1 })
        .execute(),
    );
    await database.close();
    const again = await move(places, 'postgres', '--json');
    expect(again.code).toBe(1);
    expect(JSON.parse(again.out)).toMatchObject({ missing: [lost?.hash] });
  });

  it('RUN-9: takes postgres or sqlite, and needs DATABASE_URL', async () => {
    const places = await pair();
    expect(await move(places, 'mysql')).toMatchObject({ code: 2 });
    const { code, errors } = await runInside(['move', '--to', 'postgres'], {
      DATA_DIR: places.sqlite.dataDir,
      PUBLIC_URL: 'http://localhost:1',
    });
    expect([code, errors]).toEqual([1, expect.stringContaining('DATABASE_URL')]);
  });
});

/** Lets the first row that is written into `flag` wait for a lock, in a database that has no such table yet. */
const waitAtFlags = `
  create function wait() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(7); return new; end $$;
  create function arm() returns event_trigger language plpgsql as $$ begin
    if to_regclass('flag') is not null and not exists (select 1 from pg_trigger where tgname = 'halt') then
      create trigger halt before insert on flag for each row execute function wait();
    end if; end $$;
  create event trigger arm on ddl_command_end when tag in ('CREATE TABLE') execute function arm()`;
