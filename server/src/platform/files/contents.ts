import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Database, Reader, Writer } from '../database/database.ts';
import { readSetting, writeSetting } from '../database/setting.ts';

/*
 * Contents that no row names may be removed only if the database is the one that was in use when they were written.
 * After the database was put back to an older state, all later uploads are unnamed too. These times, in
 * milliseconds, distinguish the two cases:
 *
 * - `agreed`: up to then a sweep has seen that database and contents belong together.
 * - `confirmed`: an operator has confirmed that unnamed contents written until then may go.
 */
const agreedAt = 'contents-agreed-at';
const confirmedAt = 'contents-confirmed-at';

type Agreement = { agreed: number; confirmed: number };

export async function readAgreement(read: Reader): Promise<Agreement> {
  return {
    agreed: Number(await readSetting(read, agreedAt)),
    confirmed: Number(await readSetting(read, confirmedAt)),
  };
}

export function noteAgreed(database: Database, now: number): Promise<void> {
  return database.transaction((tx) => writeSetting(tx, agreedAt, String(now)));
}

/**
 * Lets the next sweep of the server remove all unnamed contents that were written until now, however many they are.
 */
export function confirmSweep(database: Database, now: number): Promise<void> {
  return database.transaction((tx) => writeSetting(tx, confirmedAt, String(now)));
}

/** A content that no row names; `removedAt`: when the last such row was removed, if that is known. */
export type Unnamed = { hash: string; writtenAt: number; removedAt: number };

/** More strays than this number and this share of all contents suggest that it is another database. */
const fewStrays = 20;
const shareOfStrays = 0.2;

/**
 * Divides unnamed contents into those that may go and those that are held until an operator confirms them. A
 * content whose row was removed after it was written may go. Any other is a stray: from an upload that was broken
 * off, or from rows that this database has never seen. Strays written between the last agreement and the start of
 * this process are held; where there are too many strays, all of them are held.
 *
 * @param all how many contents there are
 * @param startedAt when this process began to write contents, milliseconds
 */
export function divideUnnamed(
  unnamed: readonly Unnamed[],
  { agreed, confirmed }: Agreement,
  { all, startedAt }: { all: number; startedAt: number },
): { removable: Unnamed[]; held: Unnamed[] } {
  const isStray = ({ writtenAt, removedAt }: Unnamed) => removedAt < writtenAt && writtenAt > confirmed;
  const strays = unnamed.filter(isStray);
  const tooMany = strays.length > fewStrays && strays.length > all * shareOfStrays;
  const held = strays.filter(({ writtenAt }) => tooMany || (writtenAt > agreed && writtenAt < startedAt));
  const heldHashes = new Set(held.map(({ hash }) => hash));
  return { held, removable: unnamed.filter(({ hash }) => !heldHashes.has(hash)) };
}

/** Bytes that are stored: SHA-256 in hexadecimal, and how many they are. */
export type StoredContent = { hash: string; size: number };

/** `held`: unnamed contents that a sweep left, as an older database may not know their rows; `contents`: all. */
export type Swept = { held: number; contents: number };

/** Received bytes in a temporary file, before they are stored. */
export type Received = StoredContent & { path: string; handle: FileHandle };

/** Where contents are stored: in a folder, in rows of the database, or in an object store. */
export type Contents = {
  /** Syncs a temporary file, where it is the one that stays, and does the other work at the same time. */
  settle(handle: FileHandle, meanwhile?: () => Promise<void>): Promise<void>;
  /**
   * Stores what has been received; answers whether its temporary file has become the stored one.
   *
   * @param later with an object store: whether it is enough that the content is in this installation
   */
  keep(received: Received, later: boolean): Promise<boolean>;
  /** Null where the content is missing. */
  read(content: StoredContent): Promise<Readable | null>;
  sweep(before: number): Promise<Swept>;
  count(): Promise<Swept>;
  close(): Promise<void>;
};

/** Contents in the installation itself, from which they can be moved to an object store. */
export type LocalContents = Contents & { remove(tx: Writer, hash: string): Promise<void> };
