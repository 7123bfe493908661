import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hash as hashOf } from 'node:crypto';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import {
  continueAfter,
  openDatabase,
  publishEverything,
  sqliteFile,
  type Database,
  type DatabaseLocation,
} from '#server/platform/database/database.ts';
import { unfinishedMove } from '#server/platform/database/migrate.ts';
import { openPostgres } from '#server/platform/database/postgres.ts';
import type { Tables } from '#server/platform/database/schema.ts';
import { openSqlite } from '#server/platform/database/sqlite.ts';
import { endUse } from '#server/platform/database/sqlite-snapshot.ts';
import { isStorageFailure } from '#server/platform/database/storage-failure.ts';
import { lockFolder } from '#server/platform/files/data-folder.ts';
import { namesIn } from '#server/platform/files/folders.ts';
import { createFileStore } from '#server/platform/files/file-store.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import { BackupError } from './backup-error.ts';
import { inWords } from './copy-content.ts';
import { holdsData } from './restore-backup.ts';

export type MoveRequest = {
  /** The data folder of the SQLite database; files are stored in it too. */
  dataDir: string;
  url: string;
  to: DatabaseLocation['engine'];
  clock: Clock;
  actor: Actor;
  migrations: Record<string, Migration>;
  progress(text: string): void;
};

/** How many rows a table has, and the sum of their hashes, which does not depend on their order. */
type Summed = { rows: number; sum: string };

export type Moved = {
  tables: Record<string, Summed>;
  files: number;
  bytes: number;
  /** Contents that were lost or damaged before the move. */
  missing: string[];
};

/** Tables that only one engine has, that count current connections, or that `continueAfter` writes. */
const notCopied = new Set(['removed_content', 'file_chunk', 'presence', 'presence_process', 'revision']);

/** The `application_name` by which connections of a move are distinguished from those of a server. */
const ownName = 'portico-move';

const atOnce = 100;

/*
 * A move can be killed at any point: the source is never changed, and the target is whole or unfinished.
 *
 * 1. The target is made with one migration more than a program knows. Until that is removed, no server and no
 *    command opens it; a move that finds it there was killed before, and begins again.
 * 2. Files are copied. They are named by their bytes: what a killed move has copied is stored once.
 * 3. All rows are copied in one transaction, which compares them, and removes the mark at last.
 */
export async function moveDatabase(request: MoveRequest): Promise<Moved> {
  const { dataDir, to, clock, migrations } = request;
  const postgres = { engine: 'postgres', url: named(request.url) } as const;
  const sqlite = { engine: 'sqlite', dataDir } as const;
  const [from, target]: DatabaseLocation[] = to === 'postgres' ? [sqlite, postgres] : [postgres, sqlite];
  if (from === undefined || target === undefined) throw new Error('There are two of them.');
  if (to === 'postgres' && !existsSync(sqliteFile(dataDir)))
    throw new BackupError(`There is no data of Portico in ${dataDir}. DATA_DIR names another folder.`);
  const hold = lockFolder(dataDir);
  if (hold === null)
    throw new BackupError(`A Portico server is running on the data folder ${dataDir}. Stop it first.`);
  try {
    if (to === 'sqlite') await withConnection(from, refuseInUse);
    await refuseData(target);
    // The source is brought up to date as by a start, since both have to have the same tables.
    const [source, moved] = [
      await openDatabase(from, clock, migrations),
      await openDatabase(target, clock, { [unfinishedMove]: unfinishedMigration, ...migrations }),
    ];
    try {
      // A file that was in use would be taken for one that lacks its log.
      if (to === 'postgres') endUse(sqliteFile(dataDir));
      return await move(request, source, moved);
    } finally {
      await source.close();
      await moved.close();
    }
  } finally {
    hold.release();
  }
}

const unfinishedMigration: Migration = { up: () => Promise.resolve() };

function named(url: string): string {
  const own = new URL(url);
  own.searchParams.set('application_name', ownName);
  return own.href;
}

/** Opens a separate connection without a timeout for statements; it runs no migrations. */
async function withConnection<T>(
  location: DatabaseLocation,
  work: (kysely: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const { kysely, close } =
    location.engine === 'sqlite'
      ? { ...openSqlite(sqliteFile(location.dataDir), 'write'), close: null }
      : openPostgres(location.url, { statements: false });
  try {
    return await work(kysely);
  } finally {
    await (close?.() ?? kysely.destroy());
  }
}

/** Throws BackupError if a server may be writing to PostgreSQL: the move would miss those writes. */
async function refuseInUse(read: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_stat_activity
    where datname = current_database() and usename = current_user and backend_type = 'client backend'
      and application_name <> ${ownName}`.execute(read);
  const others = rows[0]?.n ?? 0;
  if (others > 0)
    throw new BackupError(
      `${others} other connections use the database as the same user. Stop all servers, and what else uses it; a pooler too.`,
    );
}

/** Throws BackupError where the target holds anything but an unfinished move. */
async function refuseData(target: DatabaseLocation): Promise<void> {
  if (target.engine === 'sqlite' && !(await holdsData(target.dataDir))) return;
  const where = target.engine === 'sqlite' ? target.dataDir : 'The database of DATABASE_URL';
  const held = new BackupError(`${where} holds data already. Name an empty one.`);
  if (target.engine === 'sqlite' && !existsSync(sqliteFile(target.dataDir))) throw held;
  await withConnection(target, async (kysely) => {
    const tables = await kysely.introspection.getTables({ withInternalKyselyTables: true });
    if (tables.every(({ name, isView }) => isView || name.startsWith('kysely_'))) return;
    if (!tables.some(({ name }) => name === 'kysely_migration')) throw held;
    const { rows } = await sql`select name from kysely_migration where name = ${unfinishedMove}`.execute(
      kysely,
    );
    if (rows.length === 0) throw held;
  });
}

async function move(request: MoveRequest, source: Database, target: Database): Promise<Moved> {
  const files = await moveFiles(request, source, target);
  return withConnection(source.location, (own) =>
    // On SQLite this transaction holds the write lock: a command that starts now waits or fails, and loses nothing.
    consistent(own, source.engine).execute(async (from) => {
      const last = await from.selectFrom('revision').select(['n', 'at']).executeTakeFirstOrThrow();
      await continueAfter(target, { revision: last.n, at: last.at });
      return target.change(async (change) => {
        const { tx } = change;
        if (target.engine === 'postgres')
          await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
        const tables = await copyRows(request, { from, source: source.engine, tx, target: target.engine });
        if (source.engine === 'postgres') await refuseInUse(from);
        await publishEverything(change);
        await recordAudit(change, request.actor, {
          action: 'backup.restore',
          subject: 'database',
          after: { moved: true, from: source.engine, to: target.engine, files: files.files },
        });
        await sql`delete from kysely_migration where name = ${unfinishedMove}`.execute(tx);
        // What is in an object store stays there. Older releases have no such table.
        const stored = 'object_content' in tables ? await storedInObjects(tx) : new Set<string>();
        const missing = files.missing.filter((hash) => !stored.has(hash));
        return { tables, ...files, missing };
      });
    }),
  );
}

async function storedInObjects(tx: Transaction<Tables>): Promise<Set<string>> {
  const rows = await tx.selectFrom('object_content').select('hash').where('state', '=', 'stored').execute();
  return new Set(rows.map(({ hash }) => hash));
}

type Copying = Pick<MoveRequest, 'clock' | 'migrations' | 'progress'> & {
  /** Where the installation has its data. */
  database: DatabaseLocation;
  dataDir: string;
};

/**
 * Gives `work` an SQLite data folder with the state of the installation at one moment, while its servers run: its
 * own folder or, for PostgreSQL, a copy in it that is removed afterwards. Contents in an object store stay there.
 */
export async function withDataFolder<T>(
  { database: location, dataDir, clock, migrations, progress }: Copying,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  if (location.engine === 'sqlite') return work(dataDir);
  const { url, directUrl = url } = location;
  // A fixed name, so that the next backup removes what a killed process has left.
  const folder = join(dataDir, 'copy-for-backup');
  const hold = lockFolder(folder);
  if (hold === null) throw new BackupError('Another backup is being made of this database.');
  try {
    for (const name of await namesIn(folder))
      if (join(folder, name) !== hold.file) await rm(join(folder, name), { recursive: true });
    const copy = await openDatabase({ engine: 'sqlite', dataDir: folder }, clock, migrations);
    try {
      await withConnection({ engine: 'postgres', url: named(directUrl) }, (own) =>
        consistent(own, 'postgres').execute(async (from) => {
          await sql`set local idle_in_transaction_session_timeout = 0`.execute(from);
          await copy.transaction((tx) =>
            copyRows({ progress }, { from, source: 'postgres', tx, target: 'sqlite' }),
          );
          // Reads files by the same snapshot, in which rows that were removed since then still exist.
          const source: Database = { ...copy, engine: 'postgres', location, read: from, longReads: from };
          await moveFiles({ dataDir: folder, clock, progress }, source, copy);
        }),
      );
    } finally {
      await copy.close();
    }
    return await work(folder);
  } finally {
    hold.release();
    await rm(folder, { recursive: true, force: true });
  }
}

type Sides = {
  from: Transaction<Tables>;
  source: Database['engine'];
  tx: Transaction<Tables>;
  target: Database['engine'];
};

/** Replaces the rows of the target with a copy of all rows, and compares them. */
async function copyRows(
  request: Pick<MoveRequest, 'progress'>,
  { from, source, tx, target }: Sides,
): Promise<Moved['tables']> {
  const names = await tablesInOrder(source === 'sqlite' ? from : tx);
  for (const name of names.toReversed()) await tx.deleteFrom(name).execute();
  const tables: Record<string, Summed> = {};
  for (const name of names) tables[name] = await copyTable(request, name, from, source, tx);
  await copySequences(from, source, tx);
  for (const name of names) await compare(request, name, tables[name], tx, target);
  return tables;
}

const consistent = (kysely: Kysely<Tables>, engine: Database['engine']) =>
  engine === 'sqlite'
    ? kysely.transaction()
    : kysely.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');

async function moveFiles(
  { dataDir, clock, progress }: Pick<MoveRequest, 'dataDir' | 'clock' | 'progress'>,
  source: Database,
  target: Database,
) {
  const contents = await source.read
    .selectFrom('file')
    .select((row) => ['hash', row.fn.max('size').as('size')])
    .groupBy('hash')
    .orderBy('hash')
    .execute();
  const [from, to] = [source, target].map((database) => createFileStore({ database, dataDir, clock }));
  const missing: string[] = [];
  let bytes = 0;
  for (const [index, content] of contents.entries()) {
    progress(`Copying files: ${index + 1} of ${contents.length} (${inWords(bytes)})`);
    const stream = await from?.read(content).catch(() => null);
    // A damaged content is stored under the hash of its bytes, to which no row refers, so a sweep removes it.
    const stored = stream ? await to?.write(stream, content.size) : undefined;
    if (stored?.hash !== content.hash) missing.push(content.hash);
    bytes += stored?.size ?? 0;
  }
  return { files: contents.length - missing.length, bytes, missing };
}

/** The tables to copy, each after those that it refers to. A PostgreSQL database may hold other tables too. */
async function tablesInOrder(sqlite: Kysely<Tables>): Promise<(keyof Tables)[]> {
  const { rows } = await sql<{ name: string; refers_to: string }>`
    select m.name, f."table" as refers_to from sqlite_master m join pragma_foreign_key_list(m.name) f
    where m.type = 'table' and f."table" <> m.name`.execute(sqlite);
  const found = await sqlite.introspection.getTables();
  const waiting = new Set(found.map(({ name }) => name).filter((name) => !notCopied.has(name)));
  const ordered: string[] = [];
  while (waiting.size > 0) {
    const free = [...waiting].filter(
      (name) => !rows.some((row) => row.name === name && waiting.has(row.refers_to)),
    );
    if (free.length === 0) throw new Error(`They refer to each other: ${[...waiting].join(', ')}.`);
    for (const name of free) waiting.delete(name);
    ordered.push(...free);
  }
  return ordered as (keyof Tables)[];
}

type Row = Record<string, unknown>;

/** The rows of a table in batches: all of them may not fit into memory. */
async function* rowsOf(
  tx: Transaction<Tables>,
  engine: Database['engine'],
  table: string,
): AsyncGenerator<Row[]> {
  const all = sql<Row>`select * from ${sql.table(table)}`;
  if (engine === 'postgres') {
    await sql`declare move_rows no scroll cursor for ${all}`.execute(tx);
    for (;;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(atOnce)} from move_rows`.execute(tx);
      if (rows.length === 0) break;
      yield rows;
    }
    await sql`close move_rows`.execute(tx);
    return;
  }
  let rows: Row[] = [];
  for await (const row of tx
    .selectFrom(table as 'setting')
    .selectAll()
    .stream()) {
    if (rows.push(row) < atOnce) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

function createSum() {
  let [rows, sum] = [0, 0n];
  return {
    add(row: Row): void {
      const values = Object.keys(row)
        .toSorted()
        .map((name) => [
          name,
          row[name] instanceof Uint8Array ? { bytes: hashOf('sha256', row[name]) } : row[name],
        ]);
      rows += 1;
      sum += hashOf('sha256', JSON.stringify(values), 'buffer').readBigUInt64BE();
    },
    result: (): Summed => ({ rows, sum: BigInt.asUintN(64, sum).toString(16).padStart(16, '0') }),
  };
}

async function copyTable(
  { progress }: Pick<MoveRequest, 'progress'>,
  name: keyof Tables,
  from: Transaction<Tables>,
  engine: Database['engine'],
  tx: Transaction<Tables>,
): Promise<Summed> {
  const sum = createSum();
  for await (const rows of rowsOf(from, engine, name)) {
    rows.forEach(sum.add);
    await tx
      .insertInto(name as 'setting')
      .values(rows as Tables['setting'][])
      .execute()
      .catch((cause: unknown) => {
        if (isStorageFailure(cause)) throw cause;
        const { message } = cause as Error;
        throw new BackupError(`A row of ${name} cannot be stored (${message}). Nothing was moved.`, {
          cause,
        });
      });
    progress(`Copying ${name}: ${sum.result().rows} rows`);
  }
  return sum.result();
}

async function compare(
  { progress }: Pick<MoveRequest, 'progress'>,
  name: keyof Tables,
  expected: Summed | undefined,
  tx: Transaction<Tables>,
  engine: Database['engine'],
): Promise<void> {
  progress(`Comparing ${name}`);
  const sum = createSum();
  for await (const rows of rowsOf(tx, engine, name)) rows.forEach(sum.add);
  const found = sum.result();
  if (found.rows !== expected?.rows || found.sum !== expected.sum)
    throw new BackupError(
      `The table ${name} differs: ${expected?.rows} rows (${expected?.sum}) were read, ${found.rows} (${found.sum}) were stored. Nothing was moved.`,
    );
}

/** Copies the last number of each table that numbers its rows, so that no number is ever assigned twice. */
async function copySequences(
  from: Transaction<Tables>,
  engine: Database['engine'],
  tx: Transaction<Tables>,
): Promise<void> {
  const [sqlite, postgres] = engine === 'sqlite' ? [from, tx] : [tx, from];
  const sequences = await sql<{ name: string; sequence: string; last: number | null }>`
    select t.relname as name, s.oid::regclass::text as sequence, pg_sequence_last_value(s.oid) as last
    from pg_class s join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i') join pg_class t on t.oid = d.refobjid
    where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace`.execute(postgres);
  const counters = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(
    sqlite,
  );
  for (const { name, sequence, last } of sequences.rows) {
    if (engine === 'sqlite') {
      const seq = counters.rows.find((row) => row.name === name)?.seq ?? 0;
      if (seq > 0) await sql`select setval(${sequence}::regclass, ${seq})`.execute(tx);
    } else {
      await sql`delete from sqlite_sequence where name = ${name}`.execute(tx);
      await sql`insert into sqlite_sequence (name, seq) values (${name}, ${last ?? 0})`.execute(tx);
    }
  }
}
