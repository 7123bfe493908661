import type { Change, Reader } from '#server/platform/database/database.ts';
import { countRows } from '#server/platform/database/sql.ts';
import type { Composed, Mail } from '#features/mail/server/mail.ts';
import type { MailJob, MailLanguage } from '#features/mail/server/mail.store.ts';
import { composeMail, type MailPart } from '#features/mail/server/compose-mail.ts';
import { excerptOf } from './excerpt.ts';
import { mailAddressOf } from './read-report.ts';
import { readReportSettings } from './report-settings.ts';

export type ReportMails = ReturnType<typeof createReportMails>;

/** Milliseconds within which each address receives at most one mail about all new reports and replies. */
const newsPauseMs = 5 * 60_000;
/** The most reports that such a mail lists. */
const mostListed = 20;

const replyKind = 'report-reply';
const newsKind = 'report-news';

/** Mails about reports, where mail is configured. */
export function createReportMails({
  read,
  mail,
  publicUrl,
  productName,
}: {
  read: Reader;
  mail: Mail;
  publicUrl: string;
  productName(): string;
}) {
  const frame = (language: MailLanguage) => ({ language, product: productName(), address: publicUrl });

  async function composeReply({ about, language }: MailJob): Promise<Composed | null> {
    const found = await read
      .selectFrom('report_message')
      .innerJoin('report', 'report.id', 'report_message.report_id')
      .select([
        'report_message.text',
        'report.number',
        'report.message',
        'report.email',
        'report.reporter_id',
      ])
      .where('report_message.id', '=', about ?? '')
      .executeTakeFirst();
    const to = found === undefined ? null : await mailAddressOf(read, found);
    if (found === undefined || to === null) return null;
    const spoken = (await localeOf(read, 'person.id', found.reporter_id)) ?? language;
    const { subject, parts } = replyMail(spoken, {
      number: found.number,
      excerpt: excerptOf(found.message),
      text: found.text,
      // A reporter who was not signed in has no list of reports.
      link: found.reporter_id === null ? null : `${publicUrl}/my-reports`,
    });
    return { message: { to, ...composeMail({ ...frame(spoken), subject, parts }) } };
  }

  async function composeNews({ email, language, createdAt }: MailJob): Promise<Composed | null> {
    const { notified } = await readReportSettings(read);
    if (email === null || !notified.includes(email)) return null;
    const reports = read.selectFrom('report').where('created_at', '>=', createdAt);
    const replies = read
      .selectFrom('report_message')
      .innerJoin('report', 'report.id', 'report_message.report_id')
      .where('report_message.at', '>=', createdAt)
      .where('report_message.side', '=', 'reporter');
    const counts = [await countRows(reports), await countRows(replies)] as const;
    if (counts[0] + counts[1] === 0) return null;
    const latestReports = await reports
      .select(['id', 'number', 'message', 'name', 'email'])
      .orderBy('number', 'desc')
      .limit(mostListed)
      .execute();
    const latestReplies = await replies
      .select(['report.id', 'report.number', 'report_message.text as message', 'report.name', 'report.email'])
      .orderBy('report_message.at', 'desc')
      .limit(mostListed)
      .execute();
    const spoken = (await localeOf(read, 'person.email', email)) ?? language;
    const listed = (rows: typeof latestReports) =>
      rows.map(({ id, number, message, ...sender }) => ({
        number,
        excerpt: excerptOf(message),
        from: sender.name || sender.email,
        link: `${publicUrl}/reports?report=${id}`,
      }));
    const { subject, parts } = newsMail(spoken, {
      reports: { count: counts[0], listed: listed(latestReports) },
      replies: { count: counts[1], listed: listed(latestReplies) },
      inbox: `${publicUrl}/reports`,
    });
    return { message: { to: email, ...composeMail({ ...frame(spoken), subject, parts }) } };
  }

  mail.composes({ kinds: [replyKind], compose: composeReply });
  mail.composes({ kinds: [newsKind], compose: composeNews });

  return {
    /** Mails the reporter that an operator has replied. */
    async replied(change: Change, messageId: string): Promise<void> {
      const { language } = await readReportSettings(change.tx);
      await mail.add(change.tx, { kind: replyKind, language, about: messageId }, change.at);
    },
    /** Mails the addresses of the settings about a new report or a reply of a reporter. */
    async news(change: Change): Promise<void> {
      const { notified, language } = await readReportSettings(change.tx);
      for (const email of notified)
        await mail.addCollected(change.tx, { kind: newsKind, email, language }, change.at, newsPauseMs);
    },
  };
}

/** The language that a person has chosen, or null. */
async function localeOf(
  read: Reader,
  column: 'person.id' | 'person.email',
  value: string | null,
): Promise<MailLanguage | null> {
  if (value === null) return null;
  const row = await read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .select('profile.locale')
    .where(column, '=', value)
    .limit(1)
    .executeTakeFirst();
  return (['en', 'de', 'fr'] as const).find((language) => language === row?.locale) ?? null;
}

type Listed = { number: number; excerpt: string; from: string; link: string };

type ReplyFacts = {
  number: number;
  /** The beginning of the report's message. */
  excerpt: string;
  /** The reply. */
  text: string;
  /** The page where the reporter reads the reply; null if they have no list of reports. */
  link: string | null;
};

type NewsFacts = {
  reports: { count: number; listed: readonly Listed[] };
  replies: { count: number; listed: readonly Listed[] };
  inbox: string;
};

const many = (count: number, one: string, more: string) => (count === 1 ? one : `${count} ${more}`);

const words = {
  en: {
    replySubject: (number: number) => `Reply to your report #${number}`,
    replyLead: (number: number) => `There is a reply to your report #${number}:`,
    yourReport: 'You had written:',
    openReply: 'Open My reports',
    noAnswer: 'Answers to this email are not read. Reply in the application, under My reports.',
    copy: 'If the button does not work, copy this address into your browser:',
    newsSubject: (reports: number, replies: number) =>
      [
        ...(reports === 0 ? [] : [many(reports, 'New report', 'new reports')]),
        ...(replies === 0 ? [] : [many(replies, 'Reply to a report', 'replies to reports')]),
      ].join(', '),
    reports: (count: number) => many(count, 'A new report has arrived:', 'new reports have arrived:'),
    replies: (count: number) => many(count, 'A reporter has replied:', 'replies of reporters have arrived:'),
    more: (count: number) => `… and ${count} more`,
    openInbox: 'Open the inbox',
  },
  de: {
    replySubject: (number: number) => `Antwort auf Ihre Meldung #${number}`,
    replyLead: (number: number) => `Auf Ihre Meldung #${number} gibt es eine Antwort:`,
    yourReport: 'Sie hatten geschrieben:',
    openReply: '„Meine Meldungen“ öffnen',
    noAnswer:
      'Antworten auf diese E-Mail werden nicht gelesen. Antworten Sie in der Anwendung unter „Meine Meldungen“.',
    copy: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
    newsSubject: (reports: number, replies: number) =>
      [
        ...(reports === 0 ? [] : [many(reports, 'Neue Meldung', 'neue Meldungen')]),
        ...(replies === 0 ? [] : [many(replies, 'Antwort zu einer Meldung', 'Antworten zu Meldungen')]),
      ].join(', '),
    reports: (count: number) =>
      many(count, 'Eine neue Meldung ist eingegangen:', 'neue Meldungen sind eingegangen:'),
    replies: (count: number) =>
      many(count, 'Jemand hat zu einer Meldung geantwortet:', 'Antworten zu Meldungen sind eingegangen:'),
    more: (count: number) => `… und ${count} weitere`,
    openInbox: 'Posteingang öffnen',
  },
  fr: {
    replySubject: (number: number) => `Réponse à votre signalement #${number}`,
    replyLead: (number: number) => `Votre signalement #${number} a reçu une réponse :`,
    yourReport: 'Vous aviez écrit :',
    openReply: 'Ouvrir « Mes signalements »',
    noAnswer:
      'Les réponses à cet e-mail ne sont pas lues. Répondez dans l’application, sous « Mes signalements ».',
    copy: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
    newsSubject: (reports: number, replies: number) =>
      [
        ...(reports === 0 ? [] : [many(reports, 'Nouveau signalement', 'nouveaux signalements')]),
        ...(replies === 0 ? [] : [many(replies, 'Réponse à un signalement', 'réponses à des signalements')]),
      ].join(', '),
    reports: (count: number) =>
      many(count, 'Un nouveau signalement est arrivé :', 'nouveaux signalements sont arrivés :'),
    replies: (count: number) =>
      many(count, 'Une personne a répondu à un signalement :', 'réponses à des signalements sont arrivées :'),
    more: (count: number) => `… et ${count} de plus`,
    openInbox: 'Ouvrir la boîte de réception',
  },
} satisfies Record<MailLanguage, unknown>;

type Written = { subject: string; parts: MailPart[] };

/** The mail to the reporter: the reply, and the beginning of the report. */
function replyMail(language: MailLanguage, { number, excerpt, text, link }: ReplyFacts): Written {
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

/** The mail to operators: the reports and replies since the last mail. */
function newsMail(language: MailLanguage, { reports, replies, inbox }: NewsFacts): Written {
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
