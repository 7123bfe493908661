import type { OwnReport, ReportStatus } from '#features/feedback/contract/own-reports.ts';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import type { IconName } from '#web/ui/icon.tsx';
import { Tag, type TagKind } from '#web/ui/tag.tsx';
import { latestNews } from '../member/seen-news.ts';

/** Colour shows how much it matters now: blue is new, amber is under way, green is done; the rest is calm. */
export const statusLooks: Record<ReportStatus, { kind: TagKind; icon: IconName }> = {
  new: { kind: 'info', icon: 'inbox' },
  triaged: { kind: 'plain', icon: 'list' },
  'in-progress': { kind: 'medium', icon: 'wrench' },
  resolved: { kind: 'ok', icon: 'check-circle' },
  closed: { kind: 'plain', icon: 'minus' },
  duplicate: { kind: 'plain', icon: 'copy' },
  spam: { kind: 'plain', icon: 'eye-off' },
};

/** Returns the word for a status. */
export function useStatusWord(): (status: ReportStatus) => string {
  const { t } = useTranslation();
  return (status) => t(`REPORT_STATUS.${catalogueKey(status)}`);
}

/** The status of a report, in a word. */
export function ReportStatusTag({ status }: { status: ReportStatus }) {
  const word = useStatusWord();
  return <Tag {...statusLooks[status]}>{word(status)}</Tag>;
}

/**
 * Marks a report that has a reply or another status that its sender has not seen (`hasNews`). It has no surface, so
 * that it is not taken for the status next to it.
 */
export function NewsTag({ report }: { report: OwnReport }) {
  const { t } = useTranslation();
  const answered = report.replies.findLast(({ from }) => from === 'operator')?.at === latestNews(report);
  return (
    <span className="accent rigid small strong">
      {t(answered ? 'RECENT_REPORTS.NEW_REPLY' : 'RECENT_REPORTS.NEW_STATUS')}
    </span>
  );
}
