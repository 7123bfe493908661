import type { Change, Reader, Writer } from '#server/platform/database/database.ts';
import { removeSome } from '#server/platform/database/sql.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** The provider's side of a session that began there (SES-4). */
    provider_session: {
      session_id: string;
      issuer: string;
      subject: string;
      /** The provider's id of its session, where it sends one. */
      sid: string | null;
      /** Sealed; null where there is no refresh token, or it is of no use. */
      refresh_token: string | null;
      /** When the provider is asked again; null: not at all. */
      next_check_at: number | null;
      /** Until when a process has claimed the check; afterwards another may. */
      claimed_until: number | null;
      /** Since when the refresh token may have been used up by a request whose answer never came. */
      unsure_since: number | null;
      /** Tries in a row without an answer. */
      failures: number;
    };
    /** Logout tokens that have been used. */
    logout_token: { id_hash: string; expires_at: number };
  }
}

// The only SQL that writes provider_session and logout_token.

export type NewProviderSession = {
  sessionId: string;
  issuer: string;
  subject: string;
  sid: string | null;
  /** Sealed. */
  refreshToken: string | null;
  nextCheckAt: number | null;
};

/**
 * Stores the provider's side of a session. A further sign-in replaces it, since some providers refuse the earlier
 * refresh token from then on.
 */
export async function storeProviderSession(change: Change, session: NewProviderSession): Promise<void> {
  const { refreshToken } = session;
  const refreshed = {
    refresh_token: refreshToken,
    next_check_at: session.nextCheckAt,
    claimed_until: null,
    unsure_since: null,
    failures: 0,
  };
  await change.tx
    .insertInto('provider_session')
    .values({
      session_id: session.sessionId,
      issuer: session.issuer,
      subject: session.subject,
      sid: session.sid,
      ...refreshed,
    })
    .onConflict((conflict) =>
      conflict
        .column('session_id')
        .doUpdateSet({ sid: session.sid, ...(refreshToken === null ? {} : refreshed) }),
    )
    .execute();
}

/**
 * A session whose provider is to be asked; `wasUnsure` where an answer to an earlier try may have been lost.
 */
export type DueSession = {
  sessionId: string;
  personId: string;
  subject: string;
  refreshToken: string;
  wasUnsure: boolean;
  failures: number;
};

/** Sessions of an issuer that are in use and due, the longest waiting first. */
export async function dueSessions(
  read: Reader,
  issuer: string,
  { now, seenSince, most }: { now: number; seenSince: number; most: number },
): Promise<DueSession[]> {
  const rows = await read
    .selectFrom('provider_session')
    .innerJoin('session', 'session.id', 'provider_session.session_id')
    .select([
      'provider_session.session_id',
      'provider_session.subject',
      'provider_session.refresh_token',
      'provider_session.unsure_since',
      'provider_session.failures',
      'session.person_id',
    ])
    .where('provider_session.next_check_at', '<=', now)
    .where('provider_session.issuer', '=', issuer)
    .where((row) =>
      row.or([
        row('provider_session.claimed_until', 'is', null),
        row('provider_session.claimed_until', '<=', now),
      ]),
    )
    .where('session.expires_at', '>', now)
    .where('session.seen_at', '>', seenSince)
    .orderBy('provider_session.next_check_at')
    .limit(most)
    .execute();
  return rows.flatMap((row) =>
    row.refresh_token === null
      ? []
      : [
          {
            sessionId: row.session_id,
            personId: row.person_id,
            subject: row.subject,
            refreshToken: row.refresh_token,
            wasUnsure: row.unsure_since !== null,
            failures: row.failures,
          },
        ],
  );
}

/** Claims a session for one process; false where another one has it. */
export async function claimCheck(
  tx: Writer,
  { sessionId, refreshToken }: Pick<DueSession, 'sessionId' | 'refreshToken'>,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const taken = await tx
    .updateTable('provider_session')
    .set((row) => ({
      claimed_until: until,
      // From here on the answer may be lost, with the process or on its way.
      unsure_since: row.fn.coalesce('unsure_since', row.lit(now)),
    }))
    .where('session_id', '=', sessionId)
    .where('refresh_token', '=', refreshToken)
    .where('next_check_at', '<=', now)
    .where((row) => row.or([row('claimed_until', 'is', null), row('claimed_until', '<=', now)]))
    .executeTakeFirst();
  return Number(taken.numUpdatedRows) === 1;
}

/**
 * Releases a session that was claimed, and stores what is known now; false where another token has been stored since,
 * such as by a person who has just proved who they are: the answer is about the older one.
 */
export async function finishCheck(
  tx: Writer,
  { sessionId, refreshToken }: Pick<DueSession, 'sessionId' | 'refreshToken'>,
  next: {
    refreshToken: string | null;
    nextCheckAt: number | null;
    unsureSince: number | null;
    failures: number;
  },
): Promise<boolean> {
  const finished = await tx
    .updateTable('provider_session')
    .set({
      refresh_token: next.refreshToken,
      next_check_at: next.nextCheckAt,
      unsure_since: next.unsureSince,
      failures: next.failures,
      claimed_until: null,
    })
    .where('session_id', '=', sessionId)
    .where('refresh_token', '=', refreshToken)
    .executeTakeFirst();
  return Number(finished.numUpdatedRows) === 1;
}

/** The sealed refresh token of a session, where an issuer gave one. */
export async function refreshTokenOf(
  read: Reader,
  issuer: string,
  sessionId: string,
): Promise<string | null> {
  const row = await read
    .selectFrom('provider_session')
    .select('refresh_token')
    .where('session_id', '=', sessionId)
    .where('issuer', '=', issuer)
    .executeTakeFirst();
  return row?.refresh_token ?? null;
}

/** The sessions that a provider's logout token means. */
export async function sessionsAt(
  read: Reader,
  issuer: string,
  { subject, sid }: { subject: string | null; sid: string | null },
): Promise<string[]> {
  let query = read.selectFrom('provider_session').select('session_id').where('issuer', '=', issuer);
  if (sid !== null) query = query.where('sid', '=', sid);
  if (subject !== null) query = query.where('subject', '=', subject);
  return (await query.execute()).map((row) => row.session_id);
}

/** Notes that a logout token has been used; false where it had been used before. */
export async function noteLogoutToken(tx: Writer, idHash: string, expiresAt: number): Promise<boolean> {
  const noted = await tx
    .insertInto('logout_token')
    .values({ id_hash: idHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id_hash').doNothing())
    .executeTakeFirst();
  return Number(noted.numInsertedOrUpdatedRows) === 1;
}

/** Removes up to `most` logout tokens that would be refused for their age; answers how many went. */
export async function sweepLogoutTokens(tx: Writer, now: number, most: number): Promise<number> {
  return removeSome(tx, 'logout_token', 'id_hash', most, (rows) => rows.where('expires_at', '<=', now));
}
