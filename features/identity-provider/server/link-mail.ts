import type { Clock } from '#server/platform/time/clock.ts';
import type { Database, Reader } from '#server/platform/database/database.ts';
import type { Composer } from '#features/mail/server/mail.ts';
import type { MailJob, MailLanguage } from '#features/mail/server/mail.store.ts';
import type { Accounts } from './accounts.ts';
import type { Account } from './accounts.store.ts';
import { linkMailText, type LinkMailKind } from './link-mail-text.ts';

/** The recipient of a link, and their language. */
export type Recipient = {
  firstName: string;
  blocked: boolean;
  locale: MailLanguage | null;
  timeZone: string | null;
};

export type LinkMailOptions = {
  database: Database;
  clock: Clock;
  accounts: Accounts;
  publicUrl: string;
  productName(): string;
  recipientOf(read: Reader, accountId: string): Promise<Recipient | null>;
};

/** Anyone who types an address can ask for one: it should not lie in a mailbox for long. */
const anHour = 3_600_000;

/**
 * Writes the mail that carries a link (SES-3). Its token is made here, when it is sent, in addition to the
 * one that an operator may have been shown: neither waits in the database. The first that is used ends both.
 */
export function createLinkMail(options: LinkMailOptions): Composer {
  const { database, accounts } = options;

  async function accountOf(job: MailJob): Promise<Account | null> {
    if (job.accountId !== null) return accounts.byId(database.read, job.accountId);
    return job.email === null ? null : accounts.byEmail(database.read, job.email);
  }

  return async (job) => {
    const account = await accountOf(job);
    const to = account === null ? null : await options.recipientOf(database.read, account.id);
    if (account === null || to === null || to.blocked) return null;
    // An account that has a password by now needs no invitation; one that has none was invited.
    if (job.kind === 'invitation' && account.passwordHash !== null) return null;
    const kind = account.passwordHash === null ? 'invitation' : (job.kind as LinkMailKind);
    const { link, expiresAt, revoke } = await accounts.addLink(
      account.id,
      job.kind === 'forgotten' ? anHour : undefined,
    );
    const language = to.locale ?? job.language;
    const text = linkMailText({
      kind,
      language,
      product: options.productName(),
      address: options.publicUrl,
      firstName: to.firstName,
      email: account.email,
      link,
      until: new Intl.DateTimeFormat(language, {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        hour: 'numeric',
        minute: '2-digit',
        timeZoneName: 'short',
        timeZone: to.timeZone ?? 'UTC',
      }).format(expiresAt),
    });
    return { message: { to: account.email, ...text }, undo: revoke };
  };
}
