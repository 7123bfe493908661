import type { Database, Reader } from '../database/database.ts';
import { writeSetting, readSetting } from '../database/setting.ts';

/*
 * Contents that no row names are rubbish only as long as the database is the one that was in use when
 * they were written. On a database that was put back to an older state, everything that was uploaded since looks the
 * same. These times, in milliseconds, distinguish the two cases:
 *
 * - `agreed`: up to then a sweep has seen that database and contents belong together.
 * - `confirmed`: an operator has confirmed that what was written until then and is not named may go.
 */
const agreedAt = 'contents-agreed-at';
const confirmedAt = 'contents-confirmed-at';

export type Agreement = { agreed: number; confirmed: number };

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
 * Lets the next sweep of the server remove what was written until now and is not named, however much it is.
 */
export function confirmSweep(database: Database, now: number): Promise<void> {
  return database.transaction((tx) => writeSetting(tx, confirmedAt, String(now)));
}

/** A content that no row names; `removedAt`: when the last such row was removed, if that is known. */
export type Unnamed = { hash: string; writtenAt: number; removedAt: number };

/** So many among so many contents look like another database. */
const fewStrays = 20;
const shareOfStrays = 0.2;

/**
 * Divides what is not named: what may go, and what is held until an operator confirms it. A content whose row
 * was removed after it was written may go. Any other is a stray: of an upload that was broken off, or of rows
 * that this database has never seen. Held are strays from the time between the last agreement and the start
 * of this process, and all of them where there are too many.
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
