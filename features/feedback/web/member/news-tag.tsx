import type { OwnReport } from '#features/feedback/contract/own-reports.ts';
import { useTranslation } from 'react-i18next';
import { Tag } from '#web/ui/tag.tsx';
import { latestNews } from './seen-news.ts';

/** Marks a report that has a reply or another status that its sender has not seen (`hasNews`). */
export function NewsTag({ report }: { report: OwnReport }) {
  const { t } = useTranslation();
  const answered = report.replies.findLast(({ from }) => from === 'operator')?.at === latestNews(report);
  return (
    <Tag kind="info" icon={answered ? 'inbox' : 'clock'}>
      {t(answered ? 'RECENT_REPORTS.NEW_REPLY' : 'RECENT_REPORTS.NEW')}
    </Tag>
  );
}
