import type { ReportStatus } from '#features/feedback/contract/own-reports.ts';
import type { Change } from '#server/platform/database/database.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import { publishToWebhooks } from '#features/webhooks/server/publish.ts';
import type { ReportActor } from './feedback.store.ts';
import type { ReportMails } from './report-mails.ts';

type NoticedReport = { id: string; number: number; reporterId: string | null; status: ReportStatus };

/**
 * Who is notified of what happens to reports in addition to the open screens: webhooks and mail, in the transaction of
 * what they report.
 */
export type ReportNotices = {
  created(
    change: Change,
    report: {
      id: string;
      number: number;
      message: string;
      name: string;
      email: string;
      url: string;
      source: string;
      pictures: number;
      reporterId: string | null;
    },
  ): Promise<void>;
  replied(
    change: Change,
    message: { id: string; side: 'reporter' | 'operator'; text: string; report: NoticedReport },
  ): Promise<void>;
  statusChanged(
    change: Change,
    changed: NoticedReport & { before: ReportStatus; by: ReportActor },
  ): Promise<void>;
};

/** @param parts.mails null where mail is not configured */
export function createReportNotices({
  clock,
  publicUrl,
  mails,
}: {
  clock: Clock;
  publicUrl: string;
  mails: ReportMails | null;
}): ReportNotices {
  const linkTo = (reportId: string) => `${publicUrl}/reports?report=${reportId}`;
  return {
    async created(change, { id, number, reporterId, name, email, message, url, source, pictures }) {
      await publishToWebhooks(change, clock, 'report.created', {
        id,
        number,
        reporterId,
        name,
        email,
        message,
        url,
        source,
        pictures,
        link: linkTo(id),
      });
      await mails?.news(change);
    },
    async replied(change, { id, side, text, report }) {
      await publishToWebhooks(change, clock, 'report.replied', {
        id: report.id,
        number: report.number,
        messageId: id,
        from: side,
        text,
        link: linkTo(report.id),
      });
      await (side === 'operator' ? mails?.replied(change, id) : mails?.news(change));
    },
    statusChanged: (change, { id, number, before, status }) =>
      publishToWebhooks(change, clock, 'report.changed', { id, number, before, status, link: linkTo(id) }),
  };
}
