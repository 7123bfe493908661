import type { MailOutcome } from '#features/identity-provider/contract/identity-provider.ts';
import type { Core } from '#server/core.ts';
import type { Config } from '#server/config.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import type { Mail, Composer } from '#features/mail/server/mail.ts';
import type { MailLanguage, MailJob } from '#features/mail/server/mail.store.ts';
import { identityOf, personByIdentity } from '#features/directory/server/people.store.ts';
import type { AccountState } from '#features/directory/server/directory.ts';
import { returnToParameter } from '#features/session/contract/session.ts';
import { profileOf } from '#features/profile/server/profile.store.ts';
import { composeMail } from '#features/mail/server/compose-mail.ts';
import { embeddedIssuer, type Accounts } from './accounts.ts';
import type { Account } from './accounts.store.ts';
import { mayRegister } from './factors/sign-in-policy.ts';

/** The recipient of a link, and their language. */
type Recipient = {
  firstName: string;
  blocked: boolean;
  locale: MailLanguage | null;
  timeZone: string | null;
};

/** What a mail says, and the link that was made for it. */
type Prepared = {
  kind: LinkMailKind;
  email: string;
  to: Omit<Recipient, 'blocked'>;
  sent: Awaited<ReturnType<Accounts['addRegistration']>>;
};

/** Anyone who types an address can ask for such a link: it should not lie in a mailbox for long. */
const anHour = 3_600_000;

/** The mails that carry a link. */
type LinkMailKind = 'invitation' | 'reset' | 'forgotten' | 'registration' | 'registered';

type LinkMailFacts = {
  kind: LinkMailKind;
  language: MailLanguage;
  product: string;
  /** The address of the installation, so that the reader sees where the mail comes from. */
  address: string;
  firstName: string;
  email: string;
  link: string;
  /** When the link ends, in words. */
  until: string;
};

type Words = {
  greeting(name: string): string;
  subject: Record<LinkMailKind, (product: string) => string>;
  lead: Record<LinkMailKind, (facts: LinkMailFacts) => string>;
  action: Record<LinkMailKind, string>;
  once(until: string): string;
  copy: string;
  stray: Record<LinkMailKind, string>;
};

export const linkWords: Record<MailLanguage, Words> = {
  en: {
    greeting: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
    subject: {
      invitation: (product) => `Your invitation to ${product}`,
      reset: (product) => `Set a new password for ${product}`,
      forgotten: (product) => `Set a new password for ${product}`,
      registration: (product) => `Your account at ${product}`,
      registered: (product) => `Your account at ${product}`,
    },
    lead: {
      invitation: ({ product, email }) =>
        `you have been invited to ${product}. Choose a password; from then on you sign in with ${email}.`,
      reset: ({ product, email }) =>
        `an operator of ${product} has sent you this link to set a new password for ${email}. Until you use it your old password works.`,
      forgotten: ({ product, email }) =>
        `somebody, probably you, has asked for a new password for ${email} at ${product}. Until you use the link your old password works.`,
      registration: ({ product, email }) =>
        `somebody, probably you, asked for an account for ${email} at ${product}. Give your name and choose a password; until then there is no account.`,
      registered: ({ product, email, address }) =>
        `somebody, probably you, asked for an account for ${email} at ${product}. There is one already: sign in at ${address}, or set a new password. Until you use the link your old password works.`,
    },
    action: {
      invitation: 'Accept the invitation',
      reset: 'Set a new password',
      forgotten: 'Set a new password',
      registration: 'Create the account',
      registered: 'Set a new password',
    },
    once: (until) => `The link works once, until ${until}. Do not pass it on.`,
    copy: 'If the button does not work, copy this address into your browser:',
    stray: {
      invitation: 'Did you not expect this? Then you need not do anything.',
      reset: 'Did you not expect this? Then ask an operator before you use it.',
      forgotten:
        'Was it not you? Then you need not do anything: without the link nobody can change your password.',
      registration: 'Was it not you? Then you need not do anything: without the link nobody gets an account.',
      registered:
        'Was it not you? Then you need not do anything: without the link nobody can change your password.',
    },
  },
  de: {
    greeting: (name) => (name === '' ? 'Guten Tag,' : `Guten Tag ${name},`),
    subject: {
      invitation: (product) => `Ihre Einladung zu ${product}`,
      reset: (product) => `Neues Passwort für ${product} setzen`,
      forgotten: (product) => `Neues Passwort für ${product} setzen`,
      registration: (product) => `Ihr Konto bei ${product}`,
      registered: (product) => `Ihr Konto bei ${product}`,
    },
    lead: {
      invitation: ({ product, email }) =>
        `Sie sind zu ${product} eingeladen. Wählen Sie ein Passwort; danach melden Sie sich mit ${email} an.`,
      reset: ({ product, email }) =>
        `ein Operator von ${product} hat Ihnen diesen Link geschickt, mit dem Sie ein neues Passwort für ${email} setzen. Bis Sie ihn benutzen, gilt Ihr altes Passwort.`,
      forgotten: ({ product, email }) =>
        `jemand, wahrscheinlich Sie, hat bei ${product} um ein neues Passwort für ${email} gebeten. Bis Sie den Link benutzen, gilt Ihr altes Passwort.`,
      registration: ({ product, email }) =>
        `jemand, wahrscheinlich Sie, hat bei ${product} um ein Konto für ${email} gebeten. Geben Sie Ihren Namen an und wählen Sie ein Passwort; bis dahin gibt es kein Konto.`,
      registered: ({ product, email, address }) =>
        `jemand, wahrscheinlich Sie, hat bei ${product} um ein Konto für ${email} gebeten. Es gibt schon eines: Melden Sie sich unter ${address} an, oder setzen Sie ein neues Passwort. Bis Sie den Link benutzen, gilt Ihr altes Passwort.`,
    },
    action: {
      invitation: 'Einladung annehmen',
      reset: 'Neues Passwort setzen',
      forgotten: 'Neues Passwort setzen',
      registration: 'Konto anlegen',
      registered: 'Neues Passwort setzen',
    },
    once: (until) => `Der Link funktioniert einmal, bis ${until}. Geben Sie ihn nicht weiter.`,
    copy: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
    stray: {
      invitation: 'Haben Sie das nicht erwartet? Dann müssen Sie nichts tun.',
      reset: 'Haben Sie das nicht erwartet? Dann fragen Sie einen Operator, bevor Sie den Link benutzen.',
      forgotten:
        'Waren Sie es nicht? Dann müssen Sie nichts tun: Ohne den Link kann niemand Ihr Passwort ändern.',
      registration:
        'Waren Sie es nicht? Dann müssen Sie nichts tun: Ohne den Link bekommt niemand ein Konto.',
      registered:
        'Waren Sie es nicht? Dann müssen Sie nichts tun: Ohne den Link kann niemand Ihr Passwort ändern.',
    },
  },
  fr: {
    greeting: (name) => (name === '' ? 'Bonjour,' : `Bonjour ${name},`),
    subject: {
      invitation: (product) => `Votre invitation à ${product}`,
      reset: (product) => `Définir un nouveau mot de passe pour ${product}`,
      forgotten: (product) => `Définir un nouveau mot de passe pour ${product}`,
      registration: (product) => `Votre compte sur ${product}`,
      registered: (product) => `Votre compte sur ${product}`,
    },
    lead: {
      invitation: ({ product, email }) =>
        `vous êtes invité à rejoindre ${product}. Choisissez un mot de passe ; vous vous connecterez ensuite avec ${email}.`,
      reset: ({ product, email }) =>
        `un opérateur de ${product} vous a envoyé ce lien pour définir un nouveau mot de passe pour ${email}. Tant que vous ne l’utilisez pas, l’ancien reste valable.`,
      forgotten: ({ product, email }) =>
        `quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour ${email} sur ${product}. Tant que vous n’utilisez pas le lien, l’ancien reste valable.`,
      registration: ({ product, email }) =>
        `quelqu’un, sans doute vous, a demandé un compte pour ${email} sur ${product}. Indiquez votre nom et choisissez un mot de passe ; jusque-là, il n’y a pas de compte.`,
      registered: ({ product, email, address }) =>
        `quelqu’un, sans doute vous, a demandé un compte pour ${email} sur ${product}. Il en existe déjà un : connectez-vous sur ${address}, ou définissez un nouveau mot de passe. Tant que vous n’utilisez pas le lien, l’ancien reste valable.`,
    },
    action: {
      invitation: 'Accepter l’invitation',
      reset: 'Définir un nouveau mot de passe',
      forgotten: 'Définir un nouveau mot de passe',
      registration: 'Créer le compte',
      registered: 'Définir un nouveau mot de passe',
    },
    once: (until) => `Le lien fonctionne une seule fois, jusqu’au ${until}. Ne le transmettez à personne.`,
    copy: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
    stray: {
      invitation: 'Vous ne l’attendiez pas ? Alors vous n’avez rien à faire.',
      reset: 'Vous ne l’attendiez pas ? Alors demandez à un opérateur avant de l’utiliser.',
      forgotten:
        'Ce n’était pas vous ? Alors vous n’avez rien à faire : sans le lien, personne ne peut changer votre mot de passe.',
      registration:
        'Ce n’était pas vous ? Alors vous n’avez rien à faire : sans le lien, personne n’obtient de compte.',
      registered:
        'Ce n’était pas vous ? Alors vous n’avez rien à faire : sans le lien, personne ne peut changer votre mot de passe.',
    },
  },
};

export type LinkMails = {
  /** Adds the mail in the transaction of the invitation; `mailId` is null where mail is not configured. */
  add(
    change: Change,
    personId: string,
    askedBy: string,
  ): Promise<{ mailId: string | null; mail: MailOutcome }>;
  outcome(mailId: string | null): Promise<MailOutcome>;
  /** Null where mail is not configured, or no passwords are stored here. */
  mail: Mail | null;
};

/** Seconds between tries: a person who waits at the sign-in page waits for an hour at most. */
const forgottenPauses = [15, 60, 300, 900, 1800];

/** Links sent by mail: the embedded provider writes them, people and profiles name the recipient. */
export function createLinkMails(
  config: Pick<Config, 'oidc' | 'publicUrl'>,
  parts: Pick<Core, 'database' | 'clock'> & {
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
  mail?.composes({ kinds: ['forgotten', 'registration'], compose, pauses: forgottenPauses });
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

export function mailLanguage(locale: string | null): MailLanguage | null {
  return (['en', 'de', 'fr'] as const).find((language) => language === locale) ?? null;
}

/**
 * Writes the mail that carries a link (SES-3, SES-16). The token is made here, when the mail is sent, in addition
 * to one that an operator may have been shown: neither waits in the database. The first that is used ends both.
 */
function createLinkMail(
  options: Pick<Core, 'database' | 'clock'> & {
    accounts: Accounts;
    publicUrl: string;
    productName(): string;
    recipientOf(read: Reader, accountId: string): Promise<Recipient | null>;
  },
): Composer {
  const { database, accounts } = options;

  async function accountOf(job: MailJob): Promise<Account | null> {
    if (job.accountId !== null) return accounts.byId(database.read, job.accountId);
    return job.email === null ? null : accounts.byEmail(database.read, job.email);
  }

  /** The mail for an account; null: no mail (any more). */
  async function forAccount(job: MailJob, account: Account): Promise<Prepared | null> {
    const to = await options.recipientOf(database.read, account.id);
    if (to === null || to.blocked) return null;
    // An account that has a password by now needs no invitation; one that has none was invited.
    if (job.kind === 'invitation' && account.passwordHash !== null) return null;
    const asked = job.kind === 'registration' ? 'registered' : (job.kind as LinkMailKind);
    const kind = account.passwordHash === null ? 'invitation' : asked;
    const byStranger = job.kind === 'forgotten' || job.kind === 'registration';
    const sent = await accounts.addLink(account.id, byStranger ? { lifetimeMs: anHour } : {});
    return { kind, email: account.email, to, sent };
  }

  /** The mail for an address without an account: a link that registers the address, if it may (SES-16). */
  async function forStranger({ kind, email, about }: MailJob): Promise<Prepared | null> {
    if (kind !== 'registration' || email === null || !(await mayRegister(database.read, email))) return null;
    const { link, ...sent } = await accounts.addRegistration(email, anHour);
    const place = about === null ? '' : `?${returnToParameter}=${encodeURIComponent(about)}`;
    const to = { firstName: '', locale: null, timeZone: null };
    return { kind, email, to, sent: { ...sent, link: link.replace('#', `${place}#`) } };
  }

  return async (job) => {
    const account = await accountOf(job);
    const prepared = await (account === null ? forStranger(job) : forAccount(job, account));
    if (prepared === null) return null;
    const { kind, email, to, sent } = prepared;
    const language = to.locale ?? job.language;
    const text = linkMailText({
      kind,
      language,
      product: options.productName(),
      address: options.publicUrl,
      firstName: to.firstName,
      email,
      link: sent.link,
      until: inWords(sent.expiresAt, language, to.timeZone),
    });
    return { message: { to: email, ...text }, undo: sent.revoke };
  };
}

/** A time in a mail; without a chosen time zone in UTC. */
export function inWords(at: number, language: MailLanguage, timeZone: string | null): string {
  return new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: timeZone ?? 'UTC',
  }).format(at);
}

/** Subject, plain text and simple HTML of a mail with a link. */
function linkMailText(facts: LinkMailFacts): { subject: string; text: string; html: string } {
  const { kind, language, product, address, link } = facts;
  const phrases = linkWords[language];
  return composeMail({
    language,
    product,
    address,
    subject: phrases.subject[kind](product),
    parts: [
      { text: phrases.greeting(facts.firstName) },
      { text: phrases.lead[kind](facts) },
      { action: phrases.action[kind], link },
      { text: phrases.once(facts.until) },
      { copy: phrases.copy, link },
      { text: phrases.stray[kind] },
    ],
  });
}
