import { composeMail } from '#features/mail/server/compose-mail.ts';
import type { MailLanguage } from '#features/mail/server/mail.store.ts';

/** The mails that carry a link. */
export type LinkMailKind = 'invitation' | 'reset' | 'forgotten';

export type LinkMailFacts = {
  kind: LinkMailKind;
  language: MailLanguage;
  product: string;
  /** Of the installation, so that the reader sees where it comes from. */
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

const words: Record<MailLanguage, Words> = {
  en: {
    greeting: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
    subject: {
      invitation: (product) => `Your invitation to ${product}`,
      reset: (product) => `Set a new password for ${product}`,
      forgotten: (product) => `Set a new password for ${product}`,
    },
    lead: {
      invitation: ({ product, email }) =>
        `you have been invited to ${product}. Choose a password; from then on you sign in with ${email}.`,
      reset: ({ product, email }) =>
        `an operator of ${product} has sent you this link to set a new password for ${email}. Until you use it your old password works.`,
      forgotten: ({ product, email }) =>
        `somebody, probably you, has asked for a new password for ${email} at ${product}. Until you use the link your old password works.`,
    },
    action: {
      invitation: 'Accept the invitation',
      reset: 'Set a new password',
      forgotten: 'Set a new password',
    },
    once: (until) => `The link works once, until ${until}. Do not pass it on.`,
    copy: 'If the button does not work, copy this address into your browser:',
    stray: {
      invitation: 'Did you not expect this? Then you need not do anything.',
      reset: 'Did you not expect this? Then ask an operator before you use it.',
      forgotten:
        'Was it not you? Then you need not do anything: without the link nobody can change your password.',
    },
  },
  de: {
    greeting: (name) => (name === '' ? 'Guten Tag,' : `Guten Tag ${name},`),
    subject: {
      invitation: (product) => `Ihre Einladung zu ${product}`,
      reset: (product) => `Neues Passwort für ${product} setzen`,
      forgotten: (product) => `Neues Passwort für ${product} setzen`,
    },
    lead: {
      invitation: ({ product, email }) =>
        `Sie sind zu ${product} eingeladen. Wählen Sie ein Passwort; danach melden Sie sich mit ${email} an.`,
      reset: ({ product, email }) =>
        `ein Operator von ${product} hat Ihnen diesen Link geschickt, mit dem Sie ein neues Passwort für ${email} setzen. Bis Sie ihn benutzen, gilt Ihr altes Passwort.`,
      forgotten: ({ product, email }) =>
        `jemand, wahrscheinlich Sie, hat bei ${product} um ein neues Passwort für ${email} gebeten. Bis Sie den Link benutzen, gilt Ihr altes Passwort.`,
    },
    action: {
      invitation: 'Einladung annehmen',
      reset: 'Neues Passwort setzen',
      forgotten: 'Neues Passwort setzen',
    },
    once: (until) => `Der Link funktioniert einmal, bis ${until}. Geben Sie ihn nicht weiter.`,
    copy: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
    stray: {
      invitation: 'Haben Sie das nicht erwartet? Dann müssen Sie nichts tun.',
      reset: 'Haben Sie das nicht erwartet? Dann fragen Sie einen Operator, bevor Sie den Link benutzen.',
      forgotten:
        'Waren Sie es nicht? Dann müssen Sie nichts tun: Ohne den Link kann niemand Ihr Passwort ändern.',
    },
  },
  fr: {
    greeting: (name) => (name === '' ? 'Bonjour,' : `Bonjour ${name},`),
    subject: {
      invitation: (product) => `Votre invitation à ${product}`,
      reset: (product) => `Définir un nouveau mot de passe pour ${product}`,
      forgotten: (product) => `Définir un nouveau mot de passe pour ${product}`,
    },
    lead: {
      invitation: ({ product, email }) =>
        `vous êtes invité à rejoindre ${product}. Choisissez un mot de passe ; vous vous connecterez ensuite avec ${email}.`,
      reset: ({ product, email }) =>
        `un opérateur de ${product} vous a envoyé ce lien pour définir un nouveau mot de passe pour ${email}. Tant que vous ne l’utilisez pas, l’ancien reste valable.`,
      forgotten: ({ product, email }) =>
        `quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour ${email} sur ${product}. Tant que vous n’utilisez pas le lien, l’ancien reste valable.`,
    },
    action: {
      invitation: 'Accepter l’invitation',
      reset: 'Définir un nouveau mot de passe',
      forgotten: 'Définir un nouveau mot de passe',
    },
    once: (until) => `Le lien fonctionne une seule fois, jusqu’au ${until}. Ne le transmettez à personne.`,
    copy: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
    stray: {
      invitation: 'Vous ne l’attendiez pas ? Alors vous n’avez rien à faire.',
      reset: 'Vous ne l’attendiez pas ? Alors demandez à un opérateur avant de l’utiliser.',
      forgotten:
        'Ce n’était pas vous ? Alors vous n’avez rien à faire : sans le lien, personne ne peut changer votre mot de passe.',
    },
  },
};

/** Subject, plain text and simple HTML of a mail with a link. */
export function linkMailText(facts: LinkMailFacts): { subject: string; text: string; html: string } {
  const { kind, language, product, address, link } = facts;
  const phrases = words[language];
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
