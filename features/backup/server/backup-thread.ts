import { parentPort, workerData } from 'node:worker_threads';
import { makeBackup } from './make-backup.ts';
import type { Manifest } from './manifest.ts';

export type BackupWork = { dataDir: string; to: string; version: string; now: number };
export type BackupAnswer = { folder: string; manifest: Manifest } | { fault: string };

// A thread of its own: SQLite answers synchronously, and a snapshot takes long.
const { now, ...work } = workerData as BackupWork;
const answer: BackupAnswer = await makeBackup({ ...work, now: () => now, progress: () => {} }).catch(
  (error: Error) => ({ fault: error.message }),
);
parentPort?.postMessage(answer);
