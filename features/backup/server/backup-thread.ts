import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf } from './backup-error.ts';
import { makeBackupFile, type BackupFile, type BackupFileRequest } from './backup-files.ts';
import { openDestination, type BackupPlace } from './destination.ts';
import { verifyBackup } from './verify-backup.ts';

// A thread of its own, since sums, snapshots and encryption of gigabytes would hold up the event loop.

export type BackupWork =
  | ({ kind: 'make' } & Omit<BackupFileRequest, 'now' | 'progress'> & { at: number })
  | { kind: 'verify'; place: BackupPlace; name: string; passphrase: string | null; known: string[] };

export type BackupNews =
  | { progress: string }
  | { made: BackupFile }
  | { faults: string[] }
  | { failed: ReturnType<typeof failureOf> };

const report = (news: BackupNews): void => parentPort?.postMessage(news, []);
const progress = (text: string): void => report({ progress: text });

async function run(work: BackupWork): Promise<BackupNews> {
  if (work.kind === 'make') return { made: await makeBackupFile({ ...work, now: () => work.at, progress }) };
  const { place, name, passphrase, known } = work;
  const settle = () => Promise.resolve();
  return openDestination(place).withFile(name, async (path) => {
    const { faults } = await verifyBackup({ path, passphrase, known, settle, progress });
    return { faults };
  });
}

/** Gives requests of people priority. Linux numbers threads like processes; elsewhere threads have no priority. */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_LOW);
  } catch {
    // Where /proc is hidden a backup is made all the same.
  }
}

giveWay();
run(workerData as BackupWork).then(report, (error: unknown) => report({ failed: failureOf(error) }));
