import { sql } from 'kysely';
import type { Reader } from '#server/platform/database/database.ts';

/** Mails that the mail server did not take at their last try, those given up on the last day among them. */
export type FailingMail = {
  count: number;
  givenUp: number;
  since: number;
  kind: string;
  /** Whose account it is about, of the embedded provider; null where it is about none. */
  accountId: string | null;
};

const dayMs = 24 * 3_600_000;

/** Null where every mail was taken, or none was tried yet. `since`, `kind` and `accountId` are the oldest one's. */
export async function failingMail(read: Reader, now: number): Promise<FailingMail | null> {
  const failing = read
    .selectFrom('mail')
    .where('failure', 'is not', null)
    .where(({ or, eb }) => or([eb('next_try_at', 'is not', null), eb('created_at', '>=', now - dayMs)]));
  const counted = await failing
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number>(sql`case when next_try_at is null then 1 else 0 end`).as('givenUp'),
    ])
    .executeTakeFirstOrThrow();
  const oldest = await failing
    .select(['created_at', 'kind', 'account_id'])
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return null;
  return {
    ...counted,
    since: oldest.created_at,
    kind: oldest.kind,
    accountId: oldest.account_id,
  };
}
