import { copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect, sql, type RawBuilder } from 'kysely';
import type { Migration } from 'kysely/migration';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../features.ts';
import { wasSetUp } from '#features/permissions/server/permissions.store.ts';
import { startApp } from '../../testing/app.ts';
import { startProcess } from '../../testing/child-process.ts';
import {
  afterThisTest,
  engines,
  freshDatabase,
  openDatabase,
  type Place,
} from '../../testing/fresh-database.ts';
import { sqliteFile } from './database.ts';
import { firstMigrations, migrate } from './migrate.ts';
import type { Tables } from './schema.ts';
import { openSqlite } from './sqlite.ts';

const names = Object.keys(migrations);
const addColour: Migration = {
  up: (db) => db.schema.alterTable('setting').addColumn('colour', 'text').execute(),
};
const breakHalfway: Migration = {
  async up(db) {
    await addColour.up(db);
    throw new Error('no further');
  },
};

const open = ({ location }: Place) => openDatabase(location);

/** Migrates as the start does, with another list. */
async function migrateWith(place: Place, more: Record<string, Migration>): Promise<void> {
  const known = { ...migrations, ...more };
  if (place.location.engine === 'sqlite') {
    const file = sqliteFile(place.location.dataDir);
    const { kysely } = openSqlite(file, 'write');
    try {
      await migrate(kysely, { engine: 'sqlite', file }, known);
    } finally {
      await kysely.destroy();
    }
  } else {
    const { read } = await openAsItIs(place);
    await migrate(read, { engine: 'postgres' }, known);
  }
}

/** Opens a database of a newer program, as that program does. */
async function openAsItIs(place: Place): Promise<{ read: Kysely<Tables> }> {
  const read =
    place.location.engine === 'sqlite'
      ? openSqlite(sqliteFile(place.location.dataDir), 'read').kysely
      : new Kysely<Tables>({ dialect: new PostgresDialect({ pool: openPool(place.location.url) }) });
  afterThisTest(() => read.destroy());
  return { read };
}

function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString });
  // Its end does not wait for connections, and the database that is removed then ends those that are left.
  pool.on('error', () => undefined);
  return pool;
}

async function applied(read: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(read);
  return rows.map((row) => row.name);
}

async function columnsOfSetting(read: Kysely<Tables>): Promise<string[]> {
  const tables = await read.introspection.getTables();
  return tables.find((table) => table.name === 'setting')?.columns.map((column) => column.name) ?? [];
}

it('RUN-3: a migration of a capability comes after those that are released', () => {
  const released = Object.keys(firstMigrations);
  expect(names.slice(0, released.length)).toEqual(released);
});

describe.each(engines)('migrations on %s', (engine) => {
  it('RUN-3: make the schema at the first start and leave it alone at the next', async () => {
    const place = await freshDatabase(engine, 'nothing');
    const first = await open(place);
    expect(await applied(first.read)).toEqual(names);
    await first.transaction((tx) =>
      tx.insertInto('setting').values({ name: 'kept', value: 'yes' }).execute(),
    );
    await first.close();
    const second = await open(place);
    expect(await applied(second.read)).toEqual(names);
    expect(await second.read.selectFrom('setting').selectAll().execute()).toEqual([
      { name: 'kept', value: 'yes' },
    ]);
    expect(readdirSync(place.dataDir).filter((name) => name.includes('before'))).toEqual([]);
  });

  it('RUN-3: leave a database as it was when one fails, and go on at the next start', async () => {
    const place = await freshDatabase(engine);
    await expect(migrateWith(place, { '9001-colour': breakHalfway })).rejects.toThrow('no further');
    const database = await open(place);
    expect(await applied(database.read)).toEqual(names);
    expect(await columnsOfSetting(database.read)).toEqual(['name', 'value']);
    await migrateWith(place, { '9001-colour': addColour });
    expect(await columnsOfSetting(database.read)).toEqual(['name', 'value', 'colour']);
  });

  it('RUN-3: refuse to start on a newer schema, and change nothing there', async () => {
    const place = await freshDatabase(engine);
    await migrateWith(place, { '9001-colour': addColour });
    await expect(startApp({ on: place })).rejects.toThrow(
      'The database was written by a newer Portico (9001-colour).',
    );
    // Not even with a migration of its own to apply.
    await expect(migrateWith(place, { '9002-size': addColour })).rejects.toThrow(
      'newer Portico (9001-colour)',
    );
    expect(await applied((await openAsItIs(place)).read)).toEqual([...names, '9001-colour']);
  });

  it('RUN-3: refuse a database that has run them in another order, say what to do, and change nothing there', async () => {
    const place = await freshDatabase(engine);
    const [last = '', before = ''] = names.toReversed();
    const { read } = await openAsItIs(place);
    const database = await open(place);
    await database.transaction((tx) => sql`delete from kysely_migration where name = ${before}`.execute(tx));
    await database.close();
    await expect(startApp({ on: place })).rejects.toThrow(
      `it has run the migration ${last} before ${before}, as programs between two releases may. Start the version`,
    );
    expect(await applied(read)).toEqual(names.filter((name) => name !== before));
  });

  it('RUN-5: leave nothing half made behind when the start is killed', async () => {
    for (const turns of [1, 20, 100, 400, 1500]) {
      const place = await freshDatabase(engine, 'nothing');
      const start = startProcess('testing/database-process.ts', ['open', JSON.stringify(place.location)]);
      await start.line('opening');
      for (let turn = 0; turn < turns; turn += 1) await new Promise((done) => setImmediate(done));
      await start.kill();
      const database = await open(place);
      expect(await applied(database.read)).toEqual(names);
    }
  });

  it('RUN-3: run once when several processes start at the same time', async () => {
    const place = await freshDatabase(engine, 'nothing');
    const starts = Array.from({ length: 4 }, () =>
      startProcess('testing/database-process.ts', ['open', JSON.stringify(place.location)]),
    );
    const ends = await Promise.all(starts.map((start) => start.ended));
    expect(starts.map((start) => start.errors.join('\n'))).toEqual(['', '', '', '']);
    expect(ends).toEqual([0, 0, 0, 0]);
    const database = await open(place);
    expect(await applied(database.read)).toEqual(names);
    expect(await database.read.selectFrom('maintenance').selectAll().execute()).toHaveLength(1);
  });
});

describe.each(engines)('the migration to a set-up that is done once, on %s', (engine) => {
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0012'));
  const insertPerson = (id: string, issuer: string) =>
    sql`insert into person (id, issuer, subject, email, created_at, version)
      values (${id}, ${issuer}, ${id}, ${`${id}@example.org`}, 1, 1)`;

  /** Migrates a database that holds these people and this row; answers whether it counts as set up. */
  async function afterwards(row: RawBuilder<unknown> | null): Promise<boolean> {
    const place = await freshDatabase(engine, 'nothing');
    const { location } = place;
    const kysely =
      location.engine === 'sqlite'
        ? openSqlite(sqliteFile(location.dataDir), 'write').kysely
        : new Kysely<Tables>({ dialect: new PostgresDialect({ pool: openPool(location.url) }) });
    const where =
      location.engine === 'sqlite'
        ? ({ engine: 'sqlite', file: sqliteFile(location.dataDir) } as const)
        : ({ engine: 'postgres' } as const);
    await migrate(kysely, where, before);
    await insertPerson('ada', 'embedded').execute(kysely);
    await insertPerson('bo', 'https://idp.example').execute(kysely);
    await sql`insert into person_role (person_id, role) values ('bo', 'member')`.execute(kysely);
    await row?.execute(kysely);
    await migrate(kysely, where, migrations);
    const people = await kysely.selectFrom('person').select(['id', 'email_verified']).orderBy('id').execute();
    expect(people).toEqual([
      { id: 'ada', email_verified: 1 },
      { id: 'bo', email_verified: 0 },
    ]);
    const noted = await wasSetUp(kysely);
    await kysely.destroy();
    return noted;
  }

  it('START-6: finds out by what only an operator leaves behind', async () => {
    expect(await afterwards(null)).toBe(false);
    const audit = (action: string) =>
      sql`insert into audit (id, at, actor_kind, actor_name, action, subject) values (${action}, 1, 'start', 'x', ${action}, 'ada')`;
    for (const row of [
      sql`insert into person_role (person_id, role) values ('ada', 'operator')`,
      sql`insert into person_role (person_id, role, given_by) values ('ada', 'member', 'olivia')`,
      sql`insert into account (id, email, created_at) values ('ada', 'ada@example.org', 1)`,
      sql`insert into group_mapping (id, kind, match, name, created_at, created_by, version) values ('1', 'group', 'exact', 'x', 1, 'olivia', 1)`,
      ...['set-up.claim', 'set-up.unattended', 'operator.create', 'operator.reset'].map(audit),
    ])
      expect(await afterwards(row)).toBe(true);
  });
});

describe('migrations on sqlite', () => {
  const copyOf = (place: Place) => `${sqliteFile(place.dataDir)}.before-9001-colour`;
  const settingsIn = (file: string) => {
    const copy = new DatabaseSync(file, { readOnly: true });
    try {
      return copy
        .prepare('select * from setting')
        .all()
        .map((row) => ({ ...row }));
    } finally {
      copy.close();
    }
  };
  const keep = async (place: Place, name: string) => {
    const database = await open(place);
    await database.transaction((tx) => tx.insertInto('setting').values({ name, value: 'yes' }).execute());
    await database.close();
  };

  it('RUN-3: are preceded by a copy of the file, whole and as it was', async () => {
    const place = await freshDatabase('sqlite');
    await keep(place, 'kept');
    // A copy that an earlier start could not finish.
    writeFileSync(`${copyOf(place)}.partial`, 'half a copy');
    await migrateWith(place, { '9001-colour': addColour });
    expect(settingsIn(copyOf(place))).toEqual([{ name: 'kept', value: 'yes' }]);
    expect(settingsIn(sqliteFile(place.dataDir))).toEqual([{ name: 'kept', value: 'yes', colour: null }]);
    expect(existsSync(`${copyOf(place)}.partial`)).toBe(false);
  });

  it('RUN-3: have in that copy what stands in the log next to the file', async () => {
    const place = await freshDatabase('sqlite');
    const other = await open(place);
    await other.transaction((tx) =>
      tx.insertInto('setting').values({ name: 'in the log', value: 'yes' }).execute(),
    );
    copyFileSync(sqliteFile(place.dataDir), `${sqliteFile(place.dataDir)}.alone`);
    expect(settingsIn(`${sqliteFile(place.dataDir)}.alone`)).toEqual([]);
    await migrateWith(place, { '9001-colour': addColour });
    expect(settingsIn(copyOf(place))).toEqual([{ name: 'in the log', value: 'yes' }]);
  });

  it('RUN-3: keep the copy of the first try when a migration fails and is tried again', async () => {
    const place = await freshDatabase('sqlite');
    await keep(place, 'first');
    await expect(migrateWith(place, { '9001-colour': breakHalfway })).rejects.toThrow('no further');
    await keep(place, 'second');
    await migrateWith(place, { '9001-colour': addColour });
    expect(settingsIn(copyOf(place))).toEqual([{ name: 'first', value: 'yes' }]);
    expect(settingsIn(sqliteFile(place.dataDir))).toHaveLength(2);
  });
});
