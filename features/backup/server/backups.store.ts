import type { Kysely } from 'kysely';
import type { BackupRun } from '#features/backup/contract/backups.ts';
import type { Reader, Writer } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/schema.ts';
import { nextVersion } from '#server/platform/database/sql.ts';
import { newId } from '#server/platform/keys/ids.ts';
import type { BackupError } from './backup-error.ts';
import type { BackupFile } from './backup-files.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** One row. */
    backup_settings: {
      id: number;
      folder: string | null;
      time: string;
      zone: string;
      keep: number;
      verify_weekly: number;
      /** Since when there is a folder; backups that were due before are not made up for. */
      since: number | null;
      version: number;
    };
    backup_run: {
      id: string;
      /** 1 while the backup is being made or verified, else null; over all replicas at most one row has 1. */
      busy: number | null;
      /** The last heartbeat of the process that works on the backup. */
      seen_at: number;
      state: string;
      /** `schedule` or `person` */
      started_by: string;
      started_at: number;
      ended_at: number | null;
      name: string | null;
      bytes: number | null;
      files: number | null;
      progress: string | null;
      reason: string | null;
      detail: string | null;
      verified_at: number | null;
      /** JSON: what differed. */
      faults: string | null;
    };
  }
}

/** Migration 0058. */
export async function createBackupTables(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('backup_settings')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('folder', 'text')
    .addColumn('time', 'text', (column) => column.notNull())
    .addColumn('zone', 'text', (column) => column.notNull())
    .addColumn('keep', 'integer', (column) => column.notNull())
    .addColumn('verify_weekly', 'integer', (column) => column.notNull())
    .addColumn('since', 'bigint')
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute();
  await database.schema
    .createTable('backup_run')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('busy', 'integer', (column) => column.unique())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('started_by', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('name', 'text')
    .addColumn('bytes', 'bigint')
    .addColumn('files', 'integer')
    .addColumn('progress', 'text')
    .addColumn('reason', 'text')
    .addColumn('detail', 'text')
    .addColumn('verified_at', 'bigint')
    .addColumn('faults', 'text')
    .execute();
  await (database as Kysely<Pick<Tables, 'backup_settings'>>)
    .insertInto('backup_settings')
    .values({
      id: 1,
      folder: null,
      time: '03:00',
      zone: 'UTC',
      keep: 14,
      verify_weekly: 0,
      since: null,
      version: 1,
    })
    .execute();
}

export type StoredSettings = Omit<Tables['backup_settings'], 'id'>;

// The only SQL of backup_settings and backup_run.

/** A process that works on a backup writes its heartbeat (`seen_at`) more often than this. */
export const silentMs = 120_000;
const mostRuns = 200;

export async function readSettings(read: Reader): Promise<StoredSettings> {
  return read.selectFrom('backup_settings').selectAll().executeTakeFirstOrThrow();
}

export async function writeSettings(
  tx: Writer,
  settings: Pick<StoredSettings, 'folder' | 'time' | 'zone' | 'keep' | 'verify_weekly' | 'since'>,
): Promise<void> {
  await tx
    .updateTable('backup_settings')
    .set({ ...settings, version: nextVersion })
    .execute();
}

/** Sets a missing `since` where a folder is set from outside: from now on missed backups are made up for. */
export async function beginAt(tx: Writer, now: number): Promise<void> {
  await tx.updateTable('backup_settings').set({ since: now }).where('since', 'is', null).execute();
}

export async function readRuns(read: Reader, most: number): Promise<BackupRun[]> {
  const rows = await read
    .selectFrom('backup_run')
    .selectAll()
    .orderBy('started_at', 'desc')
    .limit(most)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    state: row.state as BackupRun['state'],
    trigger: row.started_by as BackupRun['trigger'],
    startedAt: row.started_at,
    endedAt: row.ended_at,
    name: row.name,
    bytes: row.bytes,
    files: row.files,
    progress: row.progress,
    reason: row.reason as BackupRun['reason'],
    detail: row.detail,
    verifiedAt: row.verified_at,
    faults: row.faults === null ? [] : (JSON.parse(row.faults) as string[]),
  }));
}

/** When the last good backup began, or null. */
export async function lastGood(read: Reader): Promise<number | null> {
  const row = await read
    .selectFrom('backup_run')
    .select(({ fn }) => fn.max('started_at').as('at'))
    .where('state', 'in', ['done', 'verifying'])
    .executeTakeFirst();
  return row?.at ?? null;
}

/** When a process worked on a backup for the last time; 0: never. */
export async function lastWorked(read: Reader, id: string): Promise<number> {
  const row = await read.selectFrom('backup_run').select('seen_at').where('id', '=', id).executeTakeFirst();
  return row?.seen_at ?? 0;
}

/** Ends the backups and verifications of stopped processes, and removes the oldest rows. */
export async function endSilent(tx: Writer, now: number): Promise<void> {
  const silent = (state: string) =>
    tx
      .updateTable('backup_run')
      .where('busy', '=', 1)
      .where('state', '=', state)
      .where('seen_at', '<', now - silentMs);
  await silent('running')
    .set({ busy: null, state: 'failed', reason: 'interrupted', progress: null, ended_at: now })
    .execute();
  await silent('verifying').set({ busy: null, state: 'done', progress: null }).execute();
  const oldest = await tx
    .selectFrom('backup_run')
    .select('started_at')
    .orderBy('started_at', 'desc')
    .offset(mostRuns)
    .limit(1)
    .executeTakeFirst();
  if (oldest !== undefined)
    await tx.deleteFrom('backup_run').where('started_at', '<=', oldest.started_at).execute();
}

/** Begins a backup; null where a backup or a verification is in progress on any replica. */
export async function beginRun(
  tx: Writer,
  startedBy: BackupRun['trigger'],
  now: number,
): Promise<string | null> {
  const id = newId();
  const { numInsertedOrUpdatedRows: added } = await tx
    .insertInto('backup_run')
    .values({ id, busy: 1, seen_at: now, state: 'running', started_by: startedBy, started_at: now })
    .onConflict((conflict) => conflict.column('busy').doNothing())
    .executeTakeFirstOrThrow();
  return Number(added) === 1 ? id : null;
}

/** Begins to verify a backup; false where any work is in progress on any replica, or the backup is not good. */
export async function beginVerification(tx: Writer, id: string, now: number): Promise<boolean> {
  const busy = await tx.selectFrom('backup_run').select('id').where('busy', '=', 1).executeTakeFirst();
  if (busy !== undefined) return false;
  const { numUpdatedRows: changed } = await tx
    .updateTable('backup_run')
    .set({ busy: 1, seen_at: now, state: 'verifying' })
    .where('id', '=', id)
    .where('state', '=', 'done')
    .executeTakeFirstOrThrow();
  return Number(changed) === 1;
}

export async function noteProgress(tx: Writer, id: string, progress: string, now: number): Promise<void> {
  await tx
    .updateTable('backup_run')
    .set({ progress, seen_at: now })
    .where('id', '=', id)
    .where('busy', '=', 1)
    .execute();
}

export async function endRun(
  tx: Writer,
  id: string,
  outcome: BackupFile | Pick<BackupError, 'reason' | 'message'>,
  now: number,
): Promise<void> {
  const set =
    'bytes' in outcome
      ? { state: 'done', name: outcome.name, bytes: outcome.bytes, files: outcome.files }
      : { state: 'failed', reason: outcome.reason, detail: outcome.message };
  await tx
    .updateTable('backup_run')
    .set({ ...set, busy: null, progress: null, ended_at: now })
    .where('id', '=', id)
    .execute();
}

/** Records what the verification of a backup has found, or why it could not be made. */
export async function endVerification(
  tx: Writer,
  of: { id: string } | { name: string },
  outcome: readonly string[] | Pick<BackupError, 'reason' | 'message'>,
  now: number,
): Promise<void> {
  const found =
    'reason' in outcome
      ? { seen_at: now, reason: outcome.reason, detail: outcome.message }
      : { verified_at: now, faults: JSON.stringify(outcome.slice(0, 20)), reason: null, detail: null };
  const row = tx.updateTable('backup_run').set({ busy: null, progress: null, state: 'done', ...found });
  await ('id' in of ? row.where('id', '=', of.id) : row.where('name', '=', of.name)).execute();
}

/** Removes the file's name from good backups whose file no longer exists. */
export async function noteRemoved(tx: Writer, stored: readonly string[]): Promise<void> {
  const query = tx.updateTable('backup_run').set({ name: null }).where('name', 'is not', null);
  await (stored.length === 0 ? query : query.where('name', 'not in', [...stored])).execute();
}
