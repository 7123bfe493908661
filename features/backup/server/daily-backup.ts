import { readdir, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import type { BackupSettings } from '#server/config.ts';
import type { Core } from '#server/core.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { lockFolder } from '#server/platform/files/data-folder.ts';
import { BackupError } from './backup-error.ts';
import type { BackupAnswer, BackupWork } from './backup-thread.ts';
import { factsOf, readManifest } from './manifest.ts';

type BackupCore = Pick<Core, 'database' | 'clock' | 'logger' | 'version'> & { config: { dataDir: string } };

export type DailyBackup = {
  /** Makes the backup that is due, if one is. The log names a failure, and the next call tries again; never rejects. */
  makeIfDue(): Promise<void>;
  /** Ends one that is under way; what was written of it is removed by the next. */
  close(): Promise<void>;
};

/** When the last good one was older, an operator is told: a day, and two hours to make it. */
export const staleBackupMs = 26 * 3_600_000;

/** Next to this file, in TypeScript as in the published bundle. */
const threadFile = join(import.meta.dirname, `backup-thread${extname(import.meta.filename)}`);
const portico: Actor = { kind: 'start', id: null, name: 'Portico' };
/** Names that only this file gives. */
const ownName = /^portico-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?<partial>\.partial)?$/;

/** When a backup was made last, by the server or by the command line; null: never. Milliseconds. */
export async function lastBackupAt(read: Reader): Promise<number | null> {
  const last = await read
    .selectFrom('audit')
    .select('at')
    .where('action', '=', 'backup.create')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.at ?? null;
}

/** The last time before `now` at which a backup was due, by the clock of this machine's zone. */
export function lastDue({ hour, minute }: BackupSettings['at'], now: number): number {
  const due = new Date(now);
  due.setHours(hour, minute, 0, 0);
  if (due.getTime() > now) due.setDate(due.getDate() - 1);
  return due.getTime();
}

/**
 * Backups by itself (RUN-8). What has been made is what lies whole in the folder, so a missed one is made after a
 * restart, and one that was interrupted does not count.
 */
export function createDailyBackup(
  { config, database, clock, logger, version }: BackupCore,
  settings: BackupSettings,
): DailyBackup {
  let worker: Worker | null = null;
  let underWay: Promise<void> | null = null;

  async function make(): Promise<void> {
    const now = clock.now();
    const whole = await wholeOnes(settings.folder);
    const newest = whole[0]?.madeAt ?? 0;
    if (newest >= lastDue(settings.at, now)) return;
    await removeInterrupted(settings.folder);
    const name = `portico-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
    const work: BackupWork = { dataDir: config.dataDir, to: join(settings.folder, name), version, now };
    const answer = await inThread(work);
    if (answer === null) return;
    if ('fault' in answer) throw new BackupError(answer.fault);
    const missing = answer.manifest.missing.length;
    const facts = { ...factsOf(answer.manifest), missing };
    await database.change((change) =>
      recordAudit(change, portico, { action: 'backup.create', subject: 'database', after: facts }),
    );
    if (missing > 0) logger.warn({ missing }, 'the daily backup lacks files that were lost before');
    logger.info({ folder: answer.folder, bytes: facts.bytes }, 'daily backup');
    for (const { path } of (await wholeOnes(settings.folder)).slice(settings.keep))
      await rm(path, { recursive: true });
  }

  /** Null: it was ended. */
  function inThread(work: BackupWork): Promise<BackupAnswer | null> {
    return new Promise((done) => {
      let answer: BackupAnswer | null = null;
      // It needs nothing of what the process was given, secrets among it.
      const thread = new Worker(threadFile, { env: {}, workerData: work });
      worker = thread;
      thread.on('message', (message: BackupAnswer) => (answer = message));
      thread.on('error', (error: Error) => (answer = { fault: error.message }));
      thread.once('exit', () => {
        worker = null;
        done(answer);
      });
    });
  }

  return {
    makeIfDue: () =>
      (underWay ??= make()
        .catch((error: unknown) =>
          logger.error({ err: error, folder: settings.folder }, 'the daily backup failed; it is tried again'),
        )
        .finally(() => (underWay = null))),
    async close() {
      await worker?.terminate();
    },
  };
}

/** Those of the folder that are whole, the newest first. Throws where the folder cannot be read. */
async function wholeOnes(folder: string): Promise<{ path: string; madeAt: number }[]> {
  const whole: { path: string; madeAt: number }[] = [];
  for (const name of await readdir(folder)) {
    if (ownName.exec(name)?.groups?.['partial'] !== undefined || !ownName.test(name)) continue;
    const path = join(folder, name);
    const manifest = await readManifest(path).catch(() => null);
    if (manifest !== null) whole.push({ path, madeAt: Date.parse(manifest.createdAt) });
  }
  return whole.toSorted((one, other) => other.madeAt - one.madeAt);
}

/** Of a process that was killed. One that another process is making now is locked, and stays. */
async function removeInterrupted(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (ownName.exec(name)?.groups?.['partial'] === undefined) continue;
    const hold = lockFolder(join(folder, name));
    if (hold === null) continue;
    hold.release();
    await rm(join(folder, name), { recursive: true, force: true });
  }
}
