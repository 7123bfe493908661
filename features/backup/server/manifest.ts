import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { BackupError } from './backup-error.ts';

/*
 * A backup is a folder: `portico.sqlite`, the contents of files under `files/ab/ab…` by their SHA-256, and
 * `manifest.json`, which is written last. Without it a backup is not whole.
 */

export const manifestName = 'manifest.json';
export const databaseName = 'portico.sqlite';

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const bytes = z.number().check(z.int(), z.nonnegative());

const manifest = z.object({
  /** The version of this format; a later Portico writes another number. */
  format: z.literal(1),
  /** The version that made the backup. */
  portico: z.string(),
  /** The last migration of the database. */
  schema: z.string(),
  /** When the snapshot of the database was taken, ISO 8601. */
  createdAt: z.iso.datetime(),
  database: z.object({ bytes, sha256 }),
  contents: z.array(z.object({ sha256, bytes })),
  /** Contents that the database names and that were lost before the backup was made. */
  missing: z.array(sha256),
  /** How many rows each table had; earlier releases did not count them. */
  rows: z.optional(z.record(z.string(), bytes)),
});
export type Manifest = z.infer<typeof manifest>;

/** The path of a file's content in a backup, which is the same in a data folder. */
export function contentPath(folder: string, hash: string): string {
  return join(folder, 'files', hash.slice(0, 2), hash);
}

/** Reads the manifest of a backup. Throws BackupError where the backup is incomplete or of a later format. */
export async function readManifest(backup: string): Promise<Manifest> {
  const text = await readFile(join(backup, manifestName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    if (!existsSync(backup)) throw new BackupError(`There is no folder ${backup}.`);
    throw new BackupError(
      `${backup} is no whole backup: it holds no ${manifestName}. Either it was interrupted while it was made, or it is something else.`,
    );
  });
  const parsed = manifest.safeParse(parseOrNull(text));
  if (parsed.success) return parsed.data;
  const { format } = (parseOrNull(text) ?? {}) as { format?: unknown };
  throw new BackupError(
    typeof format === 'number' && format > 1
      ? `${backup} was made by a newer Portico. Use that version.`
      : `${join(backup, manifestName)} is damaged. Use another backup.`,
  );
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
