import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Clock } from './time/clock.ts';
import type { Database, Reader } from './database/database.ts';
import { newId } from './keys/ids.ts';
import type { Logger } from './log/logger.ts';
import { isFull } from './database/storage-failure.ts';
import { writeWholeFile } from './files/whole-file.ts';

export type StartChecks = {
  database: Database;
  dataDir: string;
  clock: Clock;
  logger: Logger;
  /** Go on where the clock is behind, and date from it again (`ALLOW_CLOCK_BEHIND`). */
  allowClockBehind: boolean;
};

const dayMs = 86_400_000;
/** Changes come at least daily where people work; a month without one is worth a line in the log. */
const longAgoMs = 30 * dayMs;

/**
 * What must hold before the first request: the storage can be written, which only a real write shows, and the
 * clock is not behind what is stored. A full disk does not stop the start, since reading goes on.
 *
 * @throws with one line for the operator
 */
export async function checkStart(checks: StartChecks): Promise<void> {
  await checkClock(checks);
  try {
    await writeInDatabase(checks);
    writeInFolders(checks.dataDir);
  } catch (error) {
    if (!isFull(error)) throw error;
    checks.logger.error(
      { err: error },
      'the disk is full: what is stored can be read, and nothing new can be stored',
    );
  }
}

async function writeInDatabase({ database, dataDir }: StartChecks): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await tx
        .updateTable('revision')
        .set({ n: sql`n` })
        .where('id', '=', 1)
        .execute();
      const name = `start ${newId()}`;
      await tx.insertInto('setting').values({ name, value: '' }).execute();
      await tx.deleteFrom('setting').where('name', '=', name).execute();
    });
    if (database.engine === 'postgres') await refuseMissingRights(database.read);
  } catch (error) {
    const { message } = error as Error;
    throw database.engine === 'sqlite'
      ? notWritable(dataDir, message, error)
      : new Error(
          `DATABASE_URL holds "(a secret)"; expected a PostgreSQL that Portico may write to (${message}).`,
          { cause: error },
        );
  }
}

/** Checks all tables at the start, so that a missing right is not first found when a person needs the table. */
async function refuseMissingRights(read: Reader): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname not like 'kysely%'
      and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert'))
    order by relname`.execute(read);
  if (rows.length > 0) throw new Error(`permission denied for ${rows.map(({ name }) => name).join(', ')}`);
}

function writeInFolders(dataDir: string): void {
  for (const folder of [dataDir, join(dataDir, 'files'), join(dataDir, 'files/tmp')].filter((path) =>
    existsSync(path),
  )) {
    const file = join(folder, `start-${newId()}`);
    try {
      writeWholeFile(file, 'x');
      rmSync(file);
    } catch (error) {
      throw notWritable(folder, (error as Error).message, error);
    }
  }
}

function notWritable(path: string, reason: string, cause: unknown): Error {
  return new Error(
    `DATA_DIR holds ${JSON.stringify(path)}; expected a folder that Portico may write to (${reason}).`,
    {
      cause,
    },
  );
}

/**
 * A clock that was ahead for a while has dated changes in the future, and each later one comes after them:
 * until the clock has caught up every date is wrong. A clock that is behind now lets sessions live too long.
 */
async function checkClock({ database, clock, logger, allowClockBehind }: StartChecks): Promise<void> {
  const now = clock.now();
  const last = await lastTime(database.read);
  if (last > now + dayMs) {
    if (!allowClockBehind) throw new Error(clockBehind(now, last));
    await dateAnew(database, now);
    logger.warn(
      { clock: inWords(now), last: inWords(last) },
      'the clock is behind the database; it is dated from the clock again',
    );
  } else if (last > 0 && now > last + longAgoMs) {
    logger.warn(
      { clock: inWords(now), last: inWords(last) },
      'nothing was changed for a month; if the clock is wrong, stop now: every change is dated by it',
    );
  }
}

async function lastTime(read: Reader): Promise<number> {
  const { at } = await read.selectFrom('revision').select('at').executeTakeFirstOrThrow();
  const { created } = await read
    .selectFrom('session')
    .select((row) => row.fn.max<number | null>('created_at').as('created'))
    .executeTakeFirstOrThrow();
  return Math.max(at, created ?? 0);
}

/** Times in the future that later changes follow, or for which something waits: they are now. */
const waitedFor = [
  ['revision', 'at'],
  ['changed', 'at'],
  ['mail', 'next_try_at'],
  ['mail', 'claimed_until'],
  ['notice_choice', 'told_at'],
  ['notice_choice', 'due_at'],
  ['provider_session', 'next_check_at'],
  ['provider_session', 'claimed_until'],
  ['webhook_delivery', 'next_try_at'],
  ['webhook_delivery', 'claimed_until'],
] as const;

/** Rows that would outlive every limit, or refuse people and mails until that time. */
const endedRows = [
  ['session', 'created_at'],
  ['one_time_link', 'created_at'],
  ['sign_in_guess', 'last_at'],
  ['mail_pause', 'last_at'],
] as const;

/** Later changes are dated by the clock again; what history says was done in the future stays as it is written. */
async function dateAnew(database: Database, now: number): Promise<void> {
  await database.transaction(async (tx) => {
    for (const [table, column] of waitedFor)
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${now} where ${sql.ref(column)} > ${now}`.execute(
        tx,
      );
    for (const [table, column] of endedRows)
      await sql`delete from ${sql.table(table)} where ${sql.ref(column)} > ${now}`.execute(tx);
  });
}

function clockBehind(now: number, last: number): string {
  return (
    `The clock says ${inWords(now)}, and the last change in the database is of ${inWords(last)}. Set the clock. ` +
    'If it is right now, and was wrong then, start once with ALLOW_CLOCK_BEHIND=true.'
  );
}

function inWords(time: number): string {
  return new Date(time).toISOString();
}
