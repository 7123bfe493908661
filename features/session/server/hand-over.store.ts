import type { Reader, Writer } from '#server/platform/database/database.ts';
import { removeSome } from '#server/platform/database/sql.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** Codes that bring a session to the host of an application, each once. */
    hand_over_code: {
      code_hash: string;
      session_id: string;
      host: string;
      /** The hash of the verifier that the asking browser has in a cookie of that host. */
      challenge: string;
      expires_at: number;
    };
    /** The cookies of a session at the hosts of applications. */
    host_session: { secret_hash: string; session_id: string; host: string; created_at: number };
  }
}

// The only SQL that writes hand_over_code and host_session. Both end with their session, by their reference to it.

/** The most cookies of a session at one host, since several tabs may come there at once; older ones end. */
const mostOfHost = 5;

export type HandOverCode = {
  codeHash: string;
  sessionId: string;
  /** The only host that accepts the code. */
  host: string;
  /** The hash of the verifier that the asking browser has in a cookie of that host. */
  challenge: string;
  expiresAt: number;
};

export async function insertHandOverCode(tx: Writer, code: HandOverCode): Promise<void> {
  await tx
    .insertInto('hand_over_code')
    .values({
      code_hash: code.codeHash,
      session_id: code.sessionId,
      host: code.host,
      challenge: code.challenge,
      expires_at: code.expiresAt,
    })
    .execute();
}

/** The code, and the challenges, that a browser shows at a host. */
type ShownCode = { codeHash: string; host: string; challenges: string[]; now: number };

/** Whether a code would be accepted; checked first, so that a wrong code costs no write. */
export async function hasHandOverCode(
  read: Reader,
  { codeHash, host, challenges, now }: ShownCode,
): Promise<boolean> {
  if (challenges.length === 0) return false;
  const row = await read
    .selectFrom('hand_over_code')
    .select('session_id')
    .where('code_hash', '=', codeHash)
    .where('host', '=', host)
    .where('challenge', 'in', challenges)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Removes a code and answers its session: of several calls with one code, only one gets the session. Null where
 * there is no such code for this host and this browser; a code that another browser shows stays.
 */
export async function takeHandOverCode(
  tx: Writer,
  { codeHash, host, challenges, now }: ShownCode,
): Promise<{ sessionId: string; challenge: string } | null> {
  const row = await tx
    .deleteFrom('hand_over_code')
    .where('code_hash', '=', codeHash)
    .where('host', '=', host)
    .where('challenge', 'in', challenges)
    .where('expires_at', '>', now)
    .returning(['session_id', 'challenge'])
    .executeTakeFirst();
  return row === undefined ? null : { sessionId: row.session_id, challenge: row.challenge };
}

export async function sweepHandOverCodes(tx: Writer, now: number, most: number): Promise<number> {
  return removeSome(tx, 'hand_over_code', 'code_hash', most, (rows) => rows.where('expires_at', '<=', now));
}

export async function insertHostSession(
  tx: Writer,
  given: { secretHash: string; sessionId: string; host: string; createdAt: number },
): Promise<void> {
  const { secretHash, sessionId, host, createdAt } = given;
  await tx
    .deleteFrom('host_session')
    .where('secret_hash', 'in', (query) =>
      query
        .selectFrom('host_session')
        .select('secret_hash')
        .where('session_id', '=', sessionId)
        .where('host', '=', host)
        .orderBy('created_at', 'desc')
        .orderBy('secret_hash')
        .limit(1_000)
        .offset(mostOfHost - 1),
    )
    .execute();
  await tx
    .insertInto('host_session')
    .values({ secret_hash: secretHash, session_id: sessionId, host, created_at: createdAt })
    .execute();
}

/** The id of the session whose cookie of this host holds the secret of this hash. */
export async function sessionIdAtHost(
  read: Reader,
  host: string,
  secretHash: string,
): Promise<string | null> {
  const row = await read
    .selectFrom('host_session')
    .select('session_id')
    .where('secret_hash', '=', secretHash)
    .where('host', '=', host)
    .executeTakeFirst();
  return row?.session_id ?? null;
}
