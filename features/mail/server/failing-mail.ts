import { sql } from 'kysely';
import type { Reader } from '#server/platform/database/database.ts';

/** Mails that the mail server did not accept at their last try, including those given up within the last day. */
export type FailingMail = {
  count: number;
  givenUp: number;
  since: number;
  kind: string;
  /** The account of the embedded provider that the mail is about; null where it is about none. */
  accountId: string | null;
};

const dayMs = 24 * 3_600_000;

/** Null if all mails were accepted or none was tried yet. `since`, `kind` and `accountId` are of the oldest mail. */
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
