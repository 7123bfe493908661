import type { Change, Reader } from '#server/platform/database/database.ts';
import { countRows } from '#server/platform/database/count-rows.ts';
import type { Composed, Mail } from '#features/mail/server/mail.ts';
import type { MailJob, MailLanguage } from '#features/mail/server/mail.store.ts';
import { composeMail } from '#features/mail/server/compose-mail.ts';
import { excerptOf } from './excerpt.ts';
import { mailAddressOf } from './read-report.ts';
import { newsMail, replyMail } from './report-mail-text.ts';
import { readReportSettings } from './report-settings.ts';

/** Mails about reports, where mail is configured. */
export type ReportMails = {
  /** To the reporter: an operator has replied. */
  replied(change: Change, messageId: string): Promise<void>;
  /** To the addresses of the settings: there is a new report, or a reporter has replied. */
  news(change: Change): Promise<void>;
};

/** A flood of reports is one mail to each address in this time. */
const newsPauseMs = 5 * 60_000;
/** Reports that such a mail lists. */
const mostListed = 20;

const replyKind = 'report-reply';
const newsKind = 'report-news';

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
}): ReportMails {
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
    async replied(change, messageId) {
      const { language } = await readReportSettings(change.tx);
      await mail.add(change.tx, { kind: replyKind, language, about: messageId }, change.at);
    },
    async news(change) {
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
