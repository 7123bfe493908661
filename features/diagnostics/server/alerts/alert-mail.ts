import * as z from 'zod/mini';
import type { Core } from '#server/core.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { composeMail, type MailPart } from '#features/mail/server/compose-mail.ts';
import type { Composer, Mail } from '#features/mail/server/mail.ts';
import type { MailLanguage } from '#features/mail/server/mail.store.ts';
import { readSettings } from '../settings.store.ts';
import { alertedError, type Alert, type SendAlertMail } from './alerts.ts';
import { alertedGroups, type AlertKind } from './alerts.store.ts';

const kind = 'error-alert';

/** What is stored with a waiting mail: the ids of its errors, and none of their texts. */
const about = z.object({
  kind: z.enum(['new', 'returned', 'rate']),
  errors: z.array(z.string()),
  more: z.number(),
  rate: z.optional(z.object({ events: z.number(), minutes: z.number() })),
});

/** Alerts by mail, one to each address of the settings, in the language of the person who has it. */
export function createAlertMail(
  { database, config }: Pick<Core, 'database' | 'config'>,
  { mail, productName }: { mail: Pick<Mail, 'add' | 'composes'> | null; productName(): string },
): SendAlertMail {
  const compose: Composer = async ({ email, about: json, language }) => {
    const { read } = database;
    const { alertMails } = await readSettings(read);
    if (email === null || json === null || !alertMails.includes(email)) return null;
    const given = about.parse(JSON.parse(json));
    const groups = await alertedGroups(read, given.errors);
    if (groups.length === 0) return null;
    const errors = groups.map((group) => alertedError(group, config.publicUrl));
    const alert: Alert = { ...given, errors };
    const theirs = await languageOf(read, email, language);
    const words = alertWords(theirs, given.kind, alert);
    const single = errors.length + given.more === 1;
    const parts: MailPart[] = [
      { text: words.lead },
      ...errors.map((error) => ({
        quote: [
          `${error.project.name} · ${error.kind}: ${error.message}`,
          [error.place, error.lastRelease].filter((part) => part !== null && part !== '').join(' · '),
          ...(single ? [] : [error.url]),
        ].join('\n'),
      })),
      ...(words.more === null ? [] : [{ text: words.more }]),
      {
        action: words.open,
        link: single ? (errors[0]?.url ?? '') : `${config.publicUrl}/diagnostics`,
      },
      { text: words.why },
    ];
    const text = composeMail({
      language: theirs,
      subject: words.subject,
      parts,
      product: productName(),
      address: config.publicUrl,
    });
    return { message: { to: email, ...text } };
  };

  mail?.composes({ kinds: [kind], compose });

  return async (change, alertKind, alert, addresses) => {
    if (mail === null) return;
    const { errors, ...rest } = alert;
    const facts: z.infer<typeof about> = { kind: alertKind, ...rest, errors: errors.map(({ id }) => id) };
    for (const email of addresses)
      await mail.add(change.tx, { kind, email, language: 'en', about: JSON.stringify(facts) }, change.at);
  };
}

/** The language of the person with this address; otherwise the installation's first language. */
async function languageOf(read: Reader, email: string, otherwise: MailLanguage): Promise<MailLanguage> {
  const row = await read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .select('locale')
    .where('email', '=', email)
    .where('locale', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  const locale = row?.locale;
  return locale === 'de' || locale === 'fr' || locale === 'en' ? locale : otherwise;
}

type AlertLanguage = 'en' | 'de' | 'fr';

/** The words of an alert mail in the reader's language. */
type AlertWords = { subject: string; lead: string; more: string | null; open: string; why: string };

type Words = {
  one: Record<AlertKind, (kind: string, project: string) => string>;
  many: Record<AlertKind, (count: number) => string>;
  lead: Record<AlertKind, string>;
  often: (events: number, minutes: number) => string;
  more: (count: number) => string;
  open: string;
  openAll: string;
  why: string;
};

const texts: Record<AlertLanguage, Words> = {
  en: {
    one: {
      new: (kind, project) => `New error in ${project}: ${kind}`,
      returned: (kind, project) => `An error happened again in ${project}: ${kind}`,
      rate: (kind, project) => `An error happens often in ${project}: ${kind}`,
    },
    many: {
      new: (count) => `${count} new errors`,
      returned: (count) => `${count} errors happened again`,
      rate: (count) => `${count} errors happen often`,
    },
    lead: {
      new: 'This happened for the first time:',
      returned: 'This was resolved and happened again:',
      rate: 'This happens often:',
    },
    often: (events, minutes) => `This happened at least ${events} times within ${minutes} minutes:`,
    more: (count) => `And ${count} more.`,
    open: 'Open the error',
    openAll: 'Open Diagnostics',
    why: 'You receive this because your address is in the Diagnostics settings. Names, addresses and numbers in the messages are left out.',
  },
  de: {
    one: {
      new: (kind, project) => `Neuer Fehler in ${project}: ${kind}`,
      returned: (kind, project) => `Ein Fehler ist wieder aufgetreten in ${project}: ${kind}`,
      rate: (kind, project) => `Ein Fehler tritt oft auf in ${project}: ${kind}`,
    },
    many: {
      new: (count) => `${count} neue Fehler`,
      returned: (count) => `${count} Fehler sind wieder aufgetreten`,
      rate: (count) => `${count} Fehler treten oft auf`,
    },
    lead: {
      new: 'Das ist zum ersten Mal aufgetreten:',
      returned: 'Das war erledigt und ist wieder aufgetreten:',
      rate: 'Das tritt oft auf:',
    },
    often: (events, minutes) =>
      `Das ist innerhalb von ${minutes} Minuten mindestens ${events}-mal aufgetreten:`,
    more: (count) => `Und ${count} weitere.`,
    open: 'Fehler öffnen',
    openAll: 'Diagnose öffnen',
    why: 'Sie erhalten das, weil Ihre Adresse in den Einstellungen der Diagnose steht. Namen, Adressen und Zahlen in den Meldungen sind weggelassen.',
  },
  fr: {
    one: {
      new: (kind, project) => `Nouvelle erreur dans ${project} : ${kind}`,
      returned: (kind, project) => `Une erreur est réapparue dans ${project} : ${kind}`,
      rate: (kind, project) => `Une erreur revient souvent dans ${project} : ${kind}`,
    },
    many: {
      new: (count) => `${count} nouvelles erreurs`,
      returned: (count) => `${count} erreurs sont réapparues`,
      rate: (count) => `${count} erreurs reviennent souvent`,
    },
    lead: {
      new: 'Ceci est arrivé pour la première fois :',
      returned: 'Ceci était résolu et est réapparu :',
      rate: 'Ceci arrive souvent :',
    },
    often: (events, minutes) => `Ceci est arrivé au moins ${events} fois en ${minutes} minutes :`,
    more: (count) => `Et ${count} de plus.`,
    open: 'Ouvrir l’erreur',
    openAll: 'Ouvrir le diagnostic',
    why: 'Vous recevez ceci parce que votre adresse figure dans les réglages du diagnostic. Les noms, adresses et nombres des messages sont omis.',
  },
};

/** The words around the errors of an alert. */
function alertWords(language: AlertLanguage, kind: AlertKind, { errors, more, rate }: Alert): AlertWords {
  const words = texts[language];
  const [first] = errors;
  const count = errors.length + more;
  return {
    subject:
      count === 1 && first !== undefined
        ? words.one[kind](first.kind, first.project.name)
        : words.many[kind](count),
    lead: rate === undefined ? words.lead[kind] : words.often(rate.events, rate.minutes),
    more: more === 0 ? null : words.more(more),
    open: count === 1 ? words.open : words.openAll,
    why: words.why,
  };
}
