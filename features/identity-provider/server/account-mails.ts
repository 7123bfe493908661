import type { OwnChange } from '#features/home/contract/home.ts';
import type { Core } from '#server/core.ts';
import type { Change } from '#server/platform/database/database.ts';
import type { AccountState } from '#features/directory/server/directory.ts';
import { ownChanges } from '#features/home/server/own-changes.ts';
import { composeMail } from '#features/mail/server/compose-mail.ts';
import type { Composed, Mail } from '#features/mail/server/mail.ts';
import type { MailJob, MailLanguage } from '#features/mail/server/mail.store.ts';
import { profileOf } from '#features/profile/server/profile.store.ts';
import { accountIdOf, type Accounts } from './accounts.ts';
import { inWords, linkWords, mailLanguage } from './link-mails.ts';

/** Sends people mails about what happened with their accounts (SES-14). */
export type AccountMails = {
  /** Called in the transaction of a change that the audit has; the changes of the next minutes come in one mail. */
  notifyPerson(change: Change, personId: string): Promise<void>;
};

const kind = 'account';
const pauseMs = 5 * 60_000;
/** What happened longer ago is no news: mail may have been switched on since. */
const newsMs = 86_400_000;

type Told = Exclude<
  OwnChange['kind'],
  'groups' | 'rights' | 'profile' | 'email' | 'signed-out' | 'sign-in-failed' | 'sign-in-slowed'
>;

type Words = {
  subject(product: string): string;
  lead(email: string): string;
  sentences: Record<Told, string>;
  yes: string;
  no(until: string): string;
  action: string;
};

const words: Record<MailLanguage, Words> = {
  en: {
    subject: (product) => `What happened with your account at ${product}`,
    lead: (email) => `this happened with your account ${email}:`,
    sentences: {
      'new-browser': 'You signed in with a browser that was not known yet.',
      password: 'Your password was changed.',
      'password-removed': 'Your password was removed.',
      'factor-added': 'A passkey or one-time codes were added.',
      'factor-removed': 'A passkey or one-time codes were removed.',
      'factors-reset': 'An operator removed your passkeys and one-time codes.',
      'recovery-codes': 'New recovery codes were made.',
      roles: 'An operator changed your roles.',
    },
    yes: 'Do you know about this? Then you need not do anything.',
    no: (until) =>
      `Was it not you? The link signs you out everywhere, removes passkeys, codes and API tokens that were added since, and lets you choose a new password. It works once, until ${until}.`,
    action: 'This was not me',
  },
  de: {
    subject: (product) => `Was mit Ihrem Konto bei ${product} geschehen ist`,
    lead: (email) => `dies ist mit Ihrem Konto ${email} geschehen:`,
    sentences: {
      'new-browser': 'Sie haben sich mit einem Browser angemeldet, der noch nicht bekannt war.',
      password: 'Ihr Passwort wurde geändert.',
      'password-removed': 'Ihr Passwort wurde entfernt.',
      'factor-added': 'Ein Passkey oder Einmalcodes kamen hinzu.',
      'factor-removed': 'Ein Passkey oder Einmalcodes wurden entfernt.',
      'factors-reset': 'Ein Operator hat Ihre Passkeys und Einmalcodes entfernt.',
      'recovery-codes': 'Neue Wiederherstellungscodes wurden erzeugt.',
      roles: 'Ein Operator hat Ihre Rollen geändert.',
    },
    yes: 'Wissen Sie davon? Dann müssen Sie nichts tun.',
    no: (until) =>
      `Waren Sie es nicht? Der Link meldet Sie überall ab, entfernt Passkeys, Codes und API-Tokens, die seither hinzukamen, und lässt Sie ein neues Passwort wählen. Er funktioniert einmal, bis ${until}.`,
    action: 'Das war ich nicht',
  },
  fr: {
    subject: (product) => `Ce qui s’est passé avec votre compte sur ${product}`,
    lead: (email) => `voici ce qui s’est passé avec votre compte ${email} :`,
    sentences: {
      'new-browser': 'Vous vous êtes connecté avec un navigateur encore inconnu.',
      password: 'Votre mot de passe a été modifié.',
      'password-removed': 'Votre mot de passe a été supprimé.',
      'factor-added': 'Une clé d’accès ou des codes à usage unique ont été ajoutés.',
      'factor-removed': 'Une clé d’accès ou des codes à usage unique ont été supprimés.',
      'factors-reset': 'Un opérateur a supprimé vos clés d’accès et vos codes à usage unique.',
      'recovery-codes': 'De nouveaux codes de récupération ont été créés.',
      roles: 'Un opérateur a modifié vos rôles.',
    },
    yes: 'Vous êtes au courant ? Alors vous n’avez rien à faire.',
    no: (until) =>
      `Ce n’était pas vous ? Le lien vous déconnecte partout, supprime les clés d’accès, codes et jetons d’API ajoutés depuis, et vous laisse choisir un nouveau mot de passe. Il fonctionne une seule fois, jusqu’au ${until}.`,
    action: 'Ce n’était pas moi',
  },
};

const isTold = (change: OwnChange): change is OwnChange & { kind: Told } =>
  Object.hasOwn(words.en.sentences, change.kind) && (change.kind !== 'password' || change.byCaller);

/** Sends mails only where people sign in here: a provider of the company sends its own. */
export function createAccountMails(
  core: Core,
  parts: {
    accounts: Accounts;
    mail: Mail | null;
    accountState(personId: string): AccountState | null | Promise<AccountState | null>;
    productName(): string;
  },
): AccountMails {
  const { database, clock, config } = core;
  const { accounts } = parts;
  const mail = config.oidc === null ? parts.mail : null;

  async function compose({ about, email, createdAt }: MailJob): Promise<Composed | null> {
    const personId = about ?? '';
    const accountId = await accountIdOf(database.read, personId);
    const account = accountId === null ? null : await accounts.byId(database.read, accountId);
    const state = (await parts.accountState(personId))?.state;
    const changes = (await ownChanges(database.read, personId, createdAt)).filter(isTold);
    if (email === null || account === null || account.passwordHash === null || state === 'blocked')
      return null;
    if (changes.length === 0 || createdAt < clock.now() - newsMs) return null;
    const profile = await profileOf(database.read, personId);
    const language = mailLanguage(profile?.locale ?? null) ?? 'en';
    const when = (at: number): string => inWords(at, language, profile?.timeZone ?? null);
    const { link, expiresAt, revoke } = await accounts.addLink(account.id, { denies: createdAt });
    const { subject, lead, sentences, yes, no, action } = words[language];
    const { greeting, copy } = linkWords[language];
    const product = parts.productName();
    const content = composeMail({
      language,
      product,
      address: config.publicUrl,
      subject: subject(product),
      parts: [
        { text: greeting(profile?.firstName ?? '') },
        { text: lead(account.email) },
        ...changes.map(({ kind: what, at, client, network }) => ({
          quote: [
            sentences[what],
            [when(at), client, network].filter((part) => part !== null).join(' · '),
          ].join('\n'),
        })),
        { text: yes },
        { text: no(when(expiresAt)) },
        { action, link },
        { copy, link },
      ],
    });
    return { message: { to: email, ...content }, undo: revoke };
  }

  mail?.composes({ kinds: [kind], compose });
  return {
    async notifyPerson(change, personId) {
      const person = await change.tx
        .selectFrom('person')
        .select('email')
        .where('id', '=', personId)
        .executeTakeFirst();
      if (mail === null || person === undefined || person.email === '') return;
      const { email } = person;
      await mail.addCollected(
        change.tx,
        { kind, email, language: 'en', about: personId },
        change.at,
        pauseMs,
      );
    },
  };
}
