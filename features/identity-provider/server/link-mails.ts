import type { Config } from '#server/config.ts';
import { embeddedIssuer, type Accounts } from './accounts.ts';
import { createLinkMail } from './link-mail.ts';
import type { Mail } from '#features/mail/server/mail.ts';
import type { MailLanguage } from '#features/mail/server/mail.store.ts';
import { identityOf, personByIdentity } from '#features/directory/server/people.store.ts';
import type { PeopleRoutesOptions } from '#features/people/server/people.routes.ts';
import type { AccountState } from '#features/directory/server/directory.ts';
import { profileOf } from '#features/profile/server/profile.store.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import type { Database } from '#server/platform/database/database.ts';

export type LinkMails = PeopleRoutesOptions['linkMail'] & {
  /** Null where mail is not configured, or no passwords are stored here. */
  mail: Mail | null;
};

/** A person who waits at the sign-in page waits for an hour at most; seconds between tries. */
const forgottenPauses = [15, 60, 300, 900, 1800];

/** Links sent by mail: the embedded provider writes them, people and profiles name the recipient. */
export function createLinkMails(
  config: Pick<Config, 'oidc' | 'publicUrl'>,
  parts: {
    database: Database;
    clock: Clock;
    mail: Mail | null;
    accounts: Accounts;
    accountState(personId: string): AccountState | null | Promise<AccountState | null>;
    productName(): string;
  },
): LinkMails {
  const mail = config.oidc === null ? parts.mail : null;
  const compose = createLinkMail({
    ...parts,
    publicUrl: config.publicUrl,
    async recipientOf(read, accountId) {
      const personId = await personByIdentity(read, embeddedIssuer, accountId);
      const profile = personId === null ? null : await profileOf(read, personId);
      if (personId === null || profile === null) return null;
      const { firstName, timeZone } = profile;
      const locale = mailLanguage(profile.locale);
      const blocked = (await parts.accountState(personId))?.state === 'blocked';
      return { firstName, locale, timeZone, blocked };
    },
  });
  mail?.composes({ kinds: ['invitation', 'reset'], compose });
  mail?.composes({ kinds: ['forgotten'], compose, pauses: forgottenPauses });
  return {
    mail,
    async add(change, personId, askedBy) {
      const identity = mail === null ? null : await identityOf(change.tx, personId);
      if (mail === null || identity?.issuer !== embeddedIssuer) return { mailId: null, mail: 'off' };
      const account = await parts.accounts.byId(change.tx, identity.subject);
      // Without a chosen language the mail is in the operator's.
      const language = mailLanguage((await profileOf(change.tx, askedBy))?.locale ?? null) ?? 'en';
      const kind = account?.passwordHash === null ? 'invitation' : 'reset';
      const added = { kind, accountId: identity.subject, email: null, language } as const;
      return { mailId: await mail.add(change.tx, added, change.at), mail: 'waiting' };
    },
    outcome: (mailId) => (mail === null || mailId === null ? Promise.resolve('off') : mail.outcome(mailId)),
  };
}

function mailLanguage(locale: string | null): MailLanguage | null {
  return (['en', 'de', 'fr'] as const).find((language) => language === locale) ?? null;
}
