import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { deleteAllLinks } from '#features/identity-provider/server/accounts.store.ts';
import { deleteAllRecords } from '#features/identity-provider/server/oidc-record.store.ts';
import { deleteAllMail } from '#features/mail/server/mail.store.ts';
import { endAllSessions } from '#features/session/server/session.store.ts';
import { giveUpWaiting } from '#features/webhooks/server/deliveries.store.ts';
import { publishEverything, type Change, type Database } from '#server/platform/database/database.ts';
import { deleteSigningKeys } from '#server/platform/keys/signing-key.ts';

/** How many a restore has made invalid: sessions, unused links, waiting mails, waiting messages of webhooks. */
export type Ended = { sessions: number; links: number; mails: number; messages: number };

/**
 * Prepares a database that was restored to an older state. What was ended, used or sent since then must not
 * work or be sent again: sessions, signing keys, links and outboxes go, unless the database was only moved.
 * All followers read again, under a time later than any that they have seen.
 *
 * @param moved nothing has changed since the backup was made
 * @param facts for the audit: which backup it was
 */
export function settleRestored(
  database: Database,
  actor: Actor,
  { moved, facts }: { moved: boolean; facts: Record<string, unknown> },
): Promise<Ended> {
  return database.change(async (change) => {
    const ended = moved ? { sessions: 0, links: 0, mails: 0, messages: 0 } : await endWhatWasOpen(change);
    await publishEverything(change);
    await recordAudit(change, actor, {
      action: 'backup.restore',
      subject: 'database',
      after: { ...facts, moved, ...ended },
    });
    return ended;
  });
}

async function endWhatWasOpen(change: Change): Promise<Ended> {
  const sessions = await endAllSessions(change, 'operator');
  await deleteAllRecords(change.tx);
  await deleteSigningKeys(change);
  return {
    sessions,
    links: await deleteAllLinks(change.tx),
    mails: await deleteAllMail(change.tx),
    messages: await giveUpWaiting(change.tx, change.at),
  };
}
