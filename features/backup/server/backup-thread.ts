import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { failureOf } from './backup-error.ts';
import type { BackupFile, BackupFileRequest } from './backup-files.ts';
import type { BackupPlace } from './destination.ts';

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
  if (work.kind === 'make') {
    const { makeBackupFile } = await import('./backup-files.ts');
    return { made: await makeBackupFile({ ...work, now: () => work.at, progress }) };
  }
  const [{ openDestination }, { verifyBackup }] = await Promise.all([
    import('./destination.ts'),
    import('./verify-backup.ts'),
  ]);
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

// First of all: to load the rest takes as long as many requests.
giveWay();
run(workerData as BackupWork).then(report, async (error: unknown) => {
  const { failureOf } = await import('./backup-error.ts');
  report({ failed: failureOf(error) });
});
