import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id, instant, line, version } from '#contract/text.ts';

/** The age, in milliseconds, at which the last good backup is too old and needs an operator. */
export const backupOldMs = 26 * 3_600_000;

const timeZone = line(1, 60).check(z.refine(isTimeZone, 'is not a time zone'));

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export const backupFields = {
  /**
   * Where backups are written: a folder, or the address of an object store, which the environment alone can name; null:
   * none are made by themselves.
   */
  folder: z.nullable(line(1, 1_000).check(z.regex(/^(?:\/|[A-Za-z]:\\|s3:\/\/)/, 'is not a whole path'))),
  time: z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)),
  zone: timeZone,
  /** How many are kept. */
  keep: z.int().check(z.minimum(1), z.maximum(1_000)),
  /** Whether a backup is restored and compared every week. */
  verifyWeekly: z.boolean(),
};
export const backupSettings = z.object(backupFields);
export type BackupSettings = z.infer<typeof backupSettings>;

export const backupReason = z.enum(['folder', 'denied', 'full', 'passphrase', 'interrupted', 'other']);

export const backupRun = z.object({
  id,
  /** `verifying`: the backup is done, and is being restored and compared. */
  state: z.enum(['running', 'done', 'failed', 'verifying']),
  trigger: z.enum(['schedule', 'person']),
  startedAt: instant,
  endedAt: z.nullable(instant),
  /** The name of the file; null where there is none. */
  name: z.nullable(z.string()),
  bytes: z.nullable(z.number()),
  files: z.nullable(z.number()),
  /** The progress, in English; null where the backup is not in progress. */
  progress: z.nullable(z.string()),
  reason: z.nullable(backupReason),
  /** More about the reason, in English. */
  detail: z.nullable(z.string()),
  verifiedAt: z.nullable(instant),
  /** What differed when it was verified; empty: nothing. */
  faults: z.array(z.string()),
});
export type BackupRun = z.infer<typeof backupRun>;

export const backups = z.object({
  settings: backupSettings,
  /** Which of the settings the environment has fixed. */
  fixed: z.array(z.enum(['folder', 'time', 'zone', 'keep', 'verifyWeekly'])),
  /** Whether there is a passphrase, which only the environment knows. */
  encrypted: z.boolean(),
  lastGoodAt: z.nullable(instant),
  nextAt: z.nullable(instant),
  /** Whether the last good backup is too old. */
  old: z.boolean(),
  /** The latest first. */
  runs: z.array(backupRun),
  version,
});
export type Backups = z.infer<typeof backups>;

const access = { right: 'SETTINGS_WRITE' } as const;

export const getBackups = route({
  method: 'GET',
  path: '/v1/backups',
  summary: 'When backups are made, and what became of the last ones (RUN-7)',
  access,
  closed: 'open',
  answer: backups,
});

export const setBackups = route({
  method: 'PUT',
  path: '/v1/backups',
  summary: 'Sets when and where backups are made; what the environment has fixed stays (RUN-7)',
  access,
  fresh: true,
  body: z.strictObject({ ...backupFields, version }),
  answer: backups,
});

export const startBackup = route({
  method: 'POST',
  path: '/v1/backups/runs',
  summary: 'Makes a backup now; CONFLICT where one is under way or no folder is set (RUN-7)',
  access,
  closed: 'open',
  answer: backups,
});

export const verifyStoredBackup = route({
  method: 'POST',
  path: '/v1/backups/runs/:runId/verification',
  summary: 'Restores a backup into an empty folder and compares it (RUN-7)',
  access,
  closed: 'open',
  params: z.object({ runId: id }),
  answer: backups,
});
