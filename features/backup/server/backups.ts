import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Migration } from 'kysely/migration';
import { backupOldMs, type BackupRun, type BackupSettings } from '#features/backup/contract/backups.ts';
import type { Config } from '#server/config.ts';
import type { Core } from '#server/core.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { namesIn } from '#server/platform/files/folders.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { createPeriodic, type Periodic } from '#server/platform/time/periodic.ts';
import { backupNames, labelOf } from './backup-files.ts';
import { BackupError, diskFailure, failureOf } from './backup-error.ts';
import type { BackupNews, BackupWork } from './backup-thread.ts';
import * as store from './backups.store.ts';
import { openDestination, type BackupPlace } from './destination.ts';
import { withDataFolder } from './move-database.ts';
import { slotsAround } from './schedule.ts';

/** Next to this file, in TypeScript as in the published bundle. */
const threadFile = join(import.meta.dirname, `backup-thread${extname(import.meta.filename)}`);

type Outcome = Exclude<BackupNews, { progress: string }>;

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;
const heartbeatMs = 2_000;

/** The settings in force: the environment overrides what is stored. */
export function inForce(stored: store.StoredSettings, { backup }: Pick<Config, 'backup'>): BackupSettings {
  return {
    folder: backup.folder ?? stored.folder,
    time: backup.time ?? stored.time,
    zone: backup.zone ?? stored.zone,
    keep: backup.keep ?? stored.keep,
    verifyWeekly: backup.verifyWeekly ?? stored.verify_weekly === 1,
  };
}

/** Where backups are: an object store where the environment names one, else the folder; null: nowhere. */
export function placeOf(
  { folder }: BackupSettings,
  { backupStore }: Pick<Config, 'backupStore'>,
): BackupPlace | null {
  return backupStore ?? folder;
}

/** Since when there has been no good backup, where backups are made automatically; else null. */
export async function withoutBackupSince(
  read: Reader,
  config: Pick<Config, 'backup'>,
): Promise<number | null> {
  const stored = await store.readSettings(read);
  if (inForce(stored, config).folder === null || stored.since === null) return null;
  return Math.max(stored.since, (await store.lastGood(read)) ?? 0);
}

/** The problems of backups that need an operator: the last good one is too old, or the last verified one differs. */
export async function troubledBackups(
  { database: { read }, config }: Pick<Core, 'database' | 'config'>,
  now: number,
): Promise<{ since: number | null; differs: BackupRun | null }> {
  const since = await withoutBackupSince(read, config);
  const [verified] = (await store.readRuns(read, 100))
    .filter(({ verifiedAt }) => verifiedAt !== null)
    .toSorted((one, other) => (other.verifiedAt ?? 0) - (one.verifiedAt ?? 0));
  return {
    since: since !== null && now - since > backupOldMs ? since : null,
    differs: verified !== undefined && verified.faults.length > 0 ? verified : null,
  };
}

/** Makes backups on schedule, and verifies them. */
export function createBackups(core: Core, migrations: Record<string, Migration>) {
  const { config, database, clock, logger } = core;
  const label = labelOf(config.publicUrl);
  const { passphrase } = config.backup;
  let periodic: Periodic | null = null;
  let current: Promise<Outcome> | null = null;
  let worker: Worker | null = null;
  let closing = false;

  /** Stores a line of progress every few seconds while `run` works; a failure becomes the outcome. */
  async function work(id: string, run: (progress: (text: string) => void) => Promise<Outcome>) {
    let progress = '';
    const heart = setInterval(() => {
      database
        .transaction((tx) => store.noteProgress(tx, id, progress, clock.now()))
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'the progress of a backup could not be written'),
        );
    }, heartbeatMs);
    try {
      current = run((text) => (progress = text)).catch((error: unknown) => ({ failed: failureOf(error) }));
      return await current;
    } finally {
      clearInterval(heart);
      current = null;
    }
  }

  /** Runs a thread to its end; answers its outcome. */
  async function inThread(order: BackupWork, progress: (text: string) => void): Promise<Outcome> {
    if (order.kind === 'make' && typeof order.place === 'string')
      return inThreadWith(tmpdir(), order, progress);
    // A thread that is ended removes nothing itself, nor does a process that is killed, and what it has unpacked is not
    // encrypted.
    const prefix = `${label}-work-`;
    for (const name of await namesIn(tmpdir()))
      if (name.startsWith(prefix)) await rm(join(tmpdir(), name), { recursive: true, force: true });
    const scratch = await mkdtemp(join(tmpdir(), prefix)).catch((error: unknown) => {
      throw diskFailure(error, tmpdir());
    });
    try {
      return await inThreadWith(scratch, order, progress);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  async function inThreadWith(
    scratch: string,
    order: BackupWork,
    progress: (text: string) => void,
  ): Promise<Outcome> {
    throwIfClosing();
    const thread = new Worker(threadFile, {
      workerData: order,
      env: { TMPDIR: scratch },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    worker = thread;
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    thread.on('message', (news: BackupNews) => {
      if ('progress' in news) progress(news.progress);
      else resolve(news);
    });
    thread.on('error', reject);
    thread.on('exit', () => reject(serverStopped()));
    return promise.finally(() => (worker = null));
  }

  function serverStopped(): BackupError {
    return new BackupError('The server stopped.', { reason: 'interrupted' });
  }

  function throwIfClosing(): void {
    if (closing) throw serverStopped();
  }

  async function make(id: string, settings: BackupSettings): Promise<void> {
    const place = placeOf(settings, config);
    if (place === null) return;
    const order = {
      kind: 'make',
      objectStore: config.files,
      place,
      label,
      keep: settings.keep,
      passphrase,
      version: core.version,
      at: clock.now(),
    } as const;
    const news = await work(id, (progress) => {
      const copied = (text: string) => {
        throwIfClosing();
        progress(text);
      };
      return withDataFolder({ ...config, clock, migrations, progress: copied }, (dataDir) =>
        inThread({ ...order, dataDir }, progress),
      );
    });
    if ('made' in news) {
      const { made } = news;
      logger.info(made, 'a backup was made');
      if (made.missing > 0) logger.warn(made, 'files were lost before the backup was made');
      if (made.kept > 0) logger.warn(made, 'older backups could not be removed');
      const stored = await backupNames(openDestination(place), label);
      await database.transaction(async (tx) => {
        await store.endRun(tx, id, made, clock.now());
        await store.noteRemoved(tx, stored);
      });
    } else if ('failed' in news) {
      logger.error({ failure: news.failed }, 'a backup could not be made');
      await database.transaction((tx) => store.endRun(tx, id, news.failed, clock.now()));
    }
  }

  async function verify(run: { id: string; name: string }, place: BackupPlace): Promise<void> {
    const order = {
      kind: 'verify',
      place,
      name: run.name,
      passphrase,
      known: Object.keys(migrations),
    } as const;
    const news = await work(run.id, (progress) => inThread(order, progress));
    if ('made' in news) return;
    // No room or a store that is away says nothing about the backup; under another passphrase it cannot be restored.
    const isFault = 'failed' in news && ['other', 'passphrase'].includes(news.failed.reason);
    const failed = 'failed' in news && !isFault ? news.failed : null;
    const faults = 'faults' in news ? news.faults : isFault ? [news.failed.message] : [];
    if (failed !== null) logger.warn({ run, failure: failed }, 'a backup could not be verified');
    else if (faults.length > 0) logger.error({ run, faults }, 'a backup cannot be restored as it was');
    await database.transaction((tx) =>
      store.endVerification(tx, { id: run.id }, failed ?? faults, clock.now()),
    );
  }

  /** Lets work go on after the response; a failure is logged. */
  function inBackground(running: Promise<void>): void {
    running.catch((error: unknown) =>
      logger.error({ err: error }, 'the outcome of a backup could not be written'),
    );
  }

  async function start(trigger: BackupRun['trigger']): Promise<void> {
    const settings = inForce(await store.readSettings(database.read), config);
    if (settings.folder === null)
      throw new HttpProblem('CONFLICT', { detail: 'There is no folder to make backups in.' });
    const id = await database.transaction((tx) => store.beginRun(tx, trigger, clock.now()));
    if (id === null) throw underWay();
    inBackground(make(id, settings));
  }

  async function startVerification(id: string): Promise<void> {
    const place = placeOf(inForce(await store.readSettings(database.read), config), config);
    const run = (await store.readRuns(database.read, 200)).find((one) => one.id === id && one.name !== null);
    if (place === null || run?.name == null)
      throw new HttpProblem('NOT_FOUND', { detail: 'There is no such backup any more.' });
    if (!(await database.transaction((tx) => store.beginVerification(tx, id, clock.now())))) throw underWay();
    inBackground(verify({ id, name: run.name }, place));
  }

  function underWay(): HttpProblem {
    return new HttpProblem('CONFLICT', {
      detail: 'A backup is made or verified now. Wait until it has ended.',
    });
  }

  /** Starts due work: a backup at its time, after a missed time, or an hour after a failure; then a weekly check. */
  async function beginDue(): Promise<void> {
    const now = clock.now();
    await database.transaction((tx) => store.endSilent(tx, now));
    const stored = await store.readSettings(database.read);
    const settings = inForce(stored, config);
    if (settings.folder === null || stored.since === null) return;
    const runs = await store.readRuns(database.read, 100);
    if (runs.some(({ state }) => state === 'running' || state === 'verifying')) return;
    const { last } = slotsAround(settings, now);
    const tried = runs[0]?.startedAt ?? 0;
    const good = (await store.lastGood(database.read)) ?? 0;
    if (last > stored.since && good < last && (tried < last || now - tried >= hourMs)) {
      await ignoreConflict(start('schedule'));
      return;
    }
    const latest = runs.find(({ state, name }) => state === 'done' && name !== null);
    const verified = Math.max(0, ...runs.map(({ verifiedAt }) => verifiedAt ?? 0));
    if (!settings.verifyWeekly || latest === undefined || now - verified < weekMs) return;
    if (latest.reason !== null && now - (await store.lastWorked(database.read, latest.id)) < hourMs) return;
    await ignoreConflict(startVerification(latest.id));
  }

  core.metrics.add({
    name: 'portico_backup_last_good_age_seconds',
    help: 'Time since the last good backup; left out while none are made by themselves.',
    type: 'gauge',
    of: 'database',
    async read(read, now) {
      const since = await withoutBackupSince(read, config);
      return since === null ? null : Math.max(0, now - since) / 1_000;
    },
  });

  return {
    startByPerson: () => start('person'),
    startVerification,
    async begin() {
      if (config.backup.folder !== null) await database.transaction((tx) => store.beginAt(tx, clock.now()));
      periodic = createPeriodic(logger, 30_000, { backups: beginDue });
    },
    sweeps: { backups: beginDue },
    /** Aborts the work in progress; the next run removes what it has left. */
    async close() {
      closing = true;
      await periodic?.stop();
      await worker?.terminate();
      await current;
    },
  };
}

export type BackupsByItself = ReturnType<typeof createBackups>;

/** Ignores the conflict that means that another replica was first. */
async function ignoreConflict(starting: Promise<void>): Promise<void> {
  await starting.catch((error: unknown) => {
    if (!(error instanceof HttpProblem)) throw error;
  });
}
