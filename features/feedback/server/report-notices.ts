import type { ReportStatus } from '#features/feedback/contract/own-reports.ts';
import type { Change } from '#server/platform/database/database.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import { publishToWebhooks } from '#features/webhooks/server/publish.ts';
import type { ReportMails } from './report-mails.ts';

type CreatedReport = {
  id: string;
  number: number;
  message: string;
  name: string;
  email: string;
  url: string;
  source: string;
  pictures: number;
  reporterId: string | null;
};

type NoticedReport = { id: string; number: number; reporterId: string | null; status: ReportStatus };

export type ReportNotices = ReturnType<typeof createReportNotices>;

/**
 * Notifies webhooks and sends mail when a report changes, in the transaction of that change. Open screens are
 * notified elsewhere.
 *
 * @param parts.mails null where mail is not configured
 */
export function createReportNotices({
  clock,
  publicUrl,
  mails,
}: {
  clock: Clock;
  publicUrl: string;
  mails: ReportMails | null;
}) {
  const linkTo = (reportId: string) => `${publicUrl}/reports?report=${reportId}`;
  return {
    async created(change: Change, report: CreatedReport): Promise<void> {
      const { id, number, reporterId, name, email, message, url, source, pictures } = report;
      const data = { id, number, reporterId, name, email, message, url, source, pictures, link: linkTo(id) };
      await publishToWebhooks(change, clock, 'report.created', data);
      await mails?.news(change);
    },
    async replied(
      change: Change,
      message: { id: string; side: 'reporter' | 'operator'; text: string; report: NoticedReport },
    ): Promise<void> {
      const { id: messageId, side: from, text } = message;
      const { id, number } = message.report;
      const data = { id, number, messageId, from, text, link: linkTo(id) };
      await publishToWebhooks(change, clock, 'report.replied', data);
      await (from === 'operator' ? mails?.replied(change, messageId) : mails?.news(change));
    },
    statusChanged: (
      change: Change,
      { id, number, before, status }: NoticedReport & { before: ReportStatus },
    ): Promise<void> =>
      publishToWebhooks(change, clock, 'report.changed', { id, number, before, status, link: linkTo(id) }),
  };
}
