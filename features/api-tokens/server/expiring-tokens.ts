import type { Reader } from '#server/platform/database/database.ts';

const weekMs = 7 * 24 * 3_600_000;

/**
 * The tokens that end within a week, the first first. Those that were made for less than two weeks are left
 * out: they were meant to end soon.
 */
export function expiringTokens(
  read: Reader,
  now: number,
): Promise<{ id: string; name: string; expiresAt: number }[]> {
  return read
    .selectFrom('api_token')
    .select(['id', 'name', 'expires_at as expiresAt'])
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('expires_at', '<=', now + weekMs)
    .whereRef('created_at', '<=', (row) => row('expires_at', '-', 2 * weekMs))
    .orderBy('expires_at')
    .orderBy('id')
    .execute();
}
