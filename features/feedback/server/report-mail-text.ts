import type { MailPart } from '#features/mail/server/compose-mail.ts';
import type { MailLanguage } from '#features/mail/server/mail.store.ts';

type Listed = { number: number; excerpt: string; from: string; link: string };

export type ReplyFacts = {
  number: number;
  /** The beginning of what was reported. */
  excerpt: string;
  /** The reply. */
  text: string;
  /** Where the reporter reads it; null where they have no list of reports. */
  link: string | null;
};

export type NewsFacts = {
  reports: { count: number; listed: readonly Listed[] };
  replies: { count: number; listed: readonly Listed[] };
  inbox: string;
};

type Words = {
  replySubject(number: number): string;
  replyLead(number: number): string;
  yourReport: string;
  openReply: string;
  noAnswer: string;
  copy: string;
  newsSubject(reports: number, replies: number): string;
  reports(count: number): string;
  replies(count: number): string;
  more(count: number): string;
  openInbox: string;
};

const many = (count: number, one: string, more: string) => (count === 1 ? one : `${count} ${more}`);

const words: Record<MailLanguage, Words> = {
  en: {
    replySubject: (number) => `Reply to your report #${number}`,
    replyLead: (number) => `There is a reply to your report #${number}:`,
    yourReport: 'You had written:',
    openReply: 'Open My reports',
    noAnswer: 'Answers to this email are not read. Reply in the application, under My reports.',
    copy: 'If the button does not work, copy this address into your browser:',
    newsSubject: (reports, replies) =>
      [
        ...(reports === 0 ? [] : [many(reports, 'New report', 'new reports')]),
        ...(replies === 0 ? [] : [many(replies, 'Reply to a report', 'replies to reports')]),
      ].join(', '),
    reports: (count) => many(count, 'A new report has arrived:', 'new reports have arrived:'),
    replies: (count) => many(count, 'A reporter has replied:', 'replies of reporters have arrived:'),
    more: (count) => `… and ${count} more`,
    openInbox: 'Open the inbox',
  },
  de: {
    replySubject: (number) => `Antwort auf Ihre Meldung #${number}`,
    replyLead: (number) => `Auf Ihre Meldung #${number} gibt es eine Antwort:`,
    yourReport: 'Sie hatten geschrieben:',
    openReply: '„Meine Meldungen“ öffnen',
    noAnswer:
      'Antworten auf diese E-Mail werden nicht gelesen. Antworten Sie in der Anwendung unter „Meine Meldungen“.',
    copy: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
    newsSubject: (reports, replies) =>
      [
        ...(reports === 0 ? [] : [many(reports, 'Neue Meldung', 'neue Meldungen')]),
        ...(replies === 0 ? [] : [many(replies, 'Antwort zu einer Meldung', 'Antworten zu Meldungen')]),
      ].join(', '),
    reports: (count) => many(count, 'Eine neue Meldung ist eingegangen:', 'neue Meldungen sind eingegangen:'),
    replies: (count) =>
      many(count, 'Jemand hat zu einer Meldung geantwortet:', 'Antworten zu Meldungen sind eingegangen:'),
    more: (count) => `… und ${count} weitere`,
    openInbox: 'Posteingang öffnen',
  },
  fr: {
    replySubject: (number) => `Réponse à votre signalement nº ${number}`,
    replyLead: (number) => `Votre signalement nº ${number} a reçu une réponse :`,
    yourReport: 'Vous aviez écrit :',
    openReply: 'Ouvrir « Mes signalements »',
    noAnswer:
      'Les réponses à cet e-mail ne sont pas lues. Répondez dans l’application, sous « Mes signalements ».',
    copy: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
    newsSubject: (reports, replies) =>
      [
        ...(reports === 0 ? [] : [many(reports, 'Nouveau signalement', 'nouveaux signalements')]),
        ...(replies === 0 ? [] : [many(replies, 'Réponse à un signalement', 'réponses à des signalements')]),
      ].join(', '),
    reports: (count) =>
      many(count, 'Un nouveau signalement est arrivé :', 'nouveaux signalements sont arrivés :'),
    replies: (count) =>
      many(count, 'Une personne a répondu à un signalement :', 'réponses à des signalements sont arrivées :'),
    more: (count) => `… et ${count} de plus`,
    openInbox: 'Ouvrir la boîte de réception',
  },
};

type Written = { subject: string; parts: MailPart[] };

/** To the reporter: the reply, and the beginning of the report. */
export function replyMail(language: MailLanguage, { number, excerpt, text, link }: ReplyFacts): Written {
  const phrases = words[language];
  return {
    subject: phrases.replySubject(number),
    parts: [
      { text: phrases.replyLead(number) },
      { quote: text },
      { text: phrases.yourReport },
      { quote: excerpt },
      ...(link === null
        ? []
        : [{ action: phrases.openReply, link }, { text: phrases.noAnswer }, { copy: phrases.copy, link }]),
    ],
  };
}

/** To operators: what has arrived since the last mail. */
export function newsMail(language: MailLanguage, { reports, replies, inbox }: NewsFacts): Written {
  const phrases = words[language];
  const section = (lead: string, { count, listed }: NewsFacts['reports']): MailPart[] =>
    count === 0
      ? []
      : [
          { text: lead },
          ...listed.map(({ number, from, excerpt, link }) => ({
            quote: `#${number}${from === '' ? '' : ` · ${from}`}\n${excerpt}\n${link}`,
          })),
          ...(count > listed.length ? [{ text: phrases.more(count - listed.length) }] : []),
        ];
  return {
    subject: phrases.newsSubject(reports.count, replies.count),
    parts: [
      ...section(phrases.reports(reports.count), reports),
      ...section(phrases.replies(replies.count), replies),
      { action: phrases.openInbox, link: inbox },
      { copy: phrases.copy, link: inbox },
    ],
  };
}
