import type { Kysely } from 'kysely';
import { sessionEnd, type SessionEnd } from '#features/session/contract/end.ts';
import type { BrowserWords } from '#contract/rules/browser-in-words.ts';
import type { Change, Reader, Writer } from '#server/platform/database/database.ts';
import { removeSome } from '#server/platform/database/sql.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    session: {
      id: string;
      secret_hash: string;
      person_id: string;
      id_token: string;
      created_at: number;
      seen_at: number;
      expires_at: number;
      /** Product names without versions, as the browser calls itself; null where it is unknown. */
      browser: string | null;
      system: string | null;
      /** When the session's person has last proved who they are. */
      proved_at: number;
    };
    map_cookie: { session_id: string; handle_hash: string; expires_at: number };
  }
}

// The only SQL that writes session and map_cookie.

export async function addProof({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('session')
    .addColumn('proved_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
}

/** The most sessions that are listed; a person with more can end all others at once. */
const mostShown = 200;

export type Session = {
  id: string;
  personId: string;
  idToken: string;
  createdAt: number;
  seenAt: number;
  expiresAt: number;
};

export async function insertSession(
  tx: Writer,
  session: Session & BrowserWords & { secretHash: string; provedAt: number },
): Promise<void> {
  await tx
    .insertInto('session')
    .values({
      id: session.id,
      secret_hash: session.secretHash,
      person_id: session.personId,
      id_token: session.idToken,
      created_at: session.createdAt,
      seen_at: session.seenAt,
      expires_at: session.expiresAt,
      browser: session.browser,
      system: session.system,
      proved_at: session.provedAt,
    })
    .execute();
}

/** When the person of a session has last proved who they are; 0: the session is gone. */
export async function lastProof(read: Reader, id: string): Promise<number> {
  const row = await read.selectFrom('session').select('proved_at').where('id', '=', id).executeTakeFirst();
  return row?.proved_at ?? 0;
}

/** Notes a proof; false where there is a later one, or the session is gone. */
export async function noteProof(tx: Writer, id: string, at: number): Promise<boolean> {
  const noted = await tx
    .updateTable('session')
    .set({ proved_at: at })
    .where('id', '=', id)
    .where('proved_at', '<', at)
    .executeTakeFirst();
  return Number(noted.numUpdatedRows) === 1;
}

export function sessionById(read: Reader, id: string): Promise<Session | null> {
  return readSession(read, 'id', id);
}

export function sessionBySecret(read: Reader, secretHash: string): Promise<Session | null> {
  return readSession(read, 'secret_hash', secretHash);
}

async function readSession(
  read: Reader,
  column: 'id' | 'secret_hash',
  value: string,
): Promise<Session | null> {
  const row = await read.selectFrom('session').selectAll().where(column, '=', value).executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    personId: row.person_id,
    idToken: row.id_token,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    expiresAt: row.expires_at,
  };
}

/** Of the sessions with these ids, the ids of those that are not over; `idleBefore` as in `sweepSessions`. */
export async function sessionsGoingOn(
  read: Reader,
  ids: readonly string[],
  now: number,
  idleBefore: number,
): Promise<Set<string>> {
  const rows = await read
    .selectFrom('session')
    .select('id')
    .where('id', 'in', ids)
    .where('expires_at', '>', now)
    .where('seen_at', '>', idleBefore)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The sessions of a person that are not over, the last seen first; `idleBefore` as in `sweepSessions`. */
export async function sessionsOf(
  read: Reader,
  personId: string,
  { now, idleBefore }: { now: number; idleBefore: number },
): Promise<(Pick<Session, 'id' | 'createdAt' | 'seenAt' | 'expiresAt'> & BrowserWords)[]> {
  const rows = await read
    .selectFrom('session')
    .select(['id', 'created_at', 'seen_at', 'expires_at', 'browser', 'system'])
    .where('person_id', '=', personId)
    .where('expires_at', '>', now)
    .where('seen_at', '>', idleBefore)
    .orderBy('seen_at', 'desc')
    .orderBy('id')
    .limit(mostShown)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    expiresAt: row.expires_at,
    browser: row.browser,
    system: row.system,
  }));
}

/** Notes that a session was used, unless another call has noted a later time. */
export async function touchSession(tx: Writer, id: string, now: number): Promise<void> {
  await tx
    .updateTable('session')
    .set({ seen_at: now })
    .where('id', '=', id)
    .where('seen_at', '<', now)
    .execute();
}

/** Makes a session end at `until` at the latest. */
export async function limitSession(tx: Writer, id: string, until: number): Promise<void> {
  await tx
    .updateTable('session')
    .set({ expires_at: until })
    .where('id', '=', id)
    .where('expires_at', '>', until)
    .execute();
}

/** Stores the newest ID token of a session, by which the provider recognises the session at sign-out. */
export async function storeIdToken(tx: Writer, id: string, idToken: string): Promise<void> {
  await tx.updateTable('session').set({ id_token: idToken }).where('id', '=', id).execute();
}

/** @param reason null where another session takes its place at once */
export async function deleteSession(change: Change, id: string, reason: SessionEnd | null): Promise<void> {
  await change.tx.deleteFrom('session').where('id', '=', id).execute();
  change.publish('session', id);
  if (reason !== null) change.publish('session-end', endKey(id, reason));
}

const endKey = (id: string, reason: SessionEnd): string => `${id} ${reason}`;

/** Parses the key of a published `session-end`; null where another release has written it. */
export function readEndKey(key: string): { sessionId: string; reason: SessionEnd } | null {
  const [sessionId = '', text] = key.split(' ');
  const { data: reason } = sessionEnd.safeParse(text);
  return reason === undefined ? null : { sessionId, reason };
}

/** Why a session that is gone was ended; null where it ended by time alone. */
export async function endOf(read: Reader, id: string): Promise<SessionEnd | null> {
  const keys = sessionEnd.options.map((reason) => endKey(id, reason));
  const row = await read
    .selectFrom('changed')
    .select('key')
    .where('topic', '=', 'session-end')
    .where('key', 'in', keys)
    .orderBy('revision', 'desc')
    .executeTakeFirst();
  return row === undefined ? null : (readEndKey(row.key)?.reason ?? null);
}

/** Ends the sessions of a person except `except`; their access tokens are refused from then on. */
export async function endSessionsOf(
  change: Change,
  personId: string,
  reason: SessionEnd,
  except: string | null = null,
): Promise<void> {
  const rows = await change.tx.selectFrom('session').select('id').where('person_id', '=', personId).execute();
  for (const { id } of rows) if (id !== except) await deleteSession(change, id, reason);
}

/** Ends every session there is; answers how many. */
export async function endAllSessions(change: Change, reason: SessionEnd): Promise<number> {
  const rows = await change.tx.selectFrom('session').select('id').execute();
  for (const { id } of rows) await deleteSession(change, id, reason);
  return rows.length;
}

/** Sets the map cookie of a session, or extends it: there is one per session (SES-5). */
export async function storeMapCookie(
  tx: Writer,
  sessionId: string,
  handleHash: string,
  expiresAt: number,
): Promise<void> {
  await tx
    .insertInto('map_cookie')
    .values({ session_id: sessionId, handle_hash: handleHash, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict.column('session_id').doUpdateSet({ handle_hash: handleHash, expires_at: expiresAt }),
    )
    .execute();
}

/** The session of a map cookie, and when the cookie expires; null where it is not in force. */
export async function sessionByMapHandle(
  read: Reader,
  handleHash: string,
  now: number,
): Promise<{ sessionId: string; expiresAt: number } | null> {
  const row = await read
    .selectFrom('map_cookie')
    .select(['session_id', 'expires_at'])
    .where('handle_hash', '=', handleHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row === undefined ? null : { sessionId: row.session_id, expiresAt: row.expires_at };
}

export async function hasMapCookie(read: Reader, sessionId: string): Promise<boolean> {
  const found = await read
    .selectFrom('map_cookie')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Removes the map cookie of a session; the guard of the map services refuses it at once. */
export async function deleteMapCookie(change: Change, sessionId: string): Promise<void> {
  await change.tx.deleteFrom('map_cookie').where('session_id', '=', sessionId).execute();
  change.publish('map-cookie', sessionId);
}

/**
 * Removes up to `most` sessions that have ended by themselves, with their map cookies; answers how many.
 *
 * @param idleBefore sessions last seen before this time are over
 */
export async function sweepSessions(
  tx: Writer,
  now: number,
  idleBefore: number,
  most: number,
): Promise<number> {
  return removeSome(tx, 'session', 'id', most, (rows) =>
    rows.where((where) => where.or([where('expires_at', '<=', now), where('seen_at', '<=', idleBefore)])),
  );
}
