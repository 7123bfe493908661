import { exportReports } from '#features/feedback/contract/inbox.ts';
import { useTranslation } from 'react-i18next';
import { readProblemText } from '#web/platform/calls/problem-text.ts';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { useDownload } from '#web/platform/files/use-download.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { Problem } from '#web/ui/notice.tsx';
import { filterQuery, type InboxFilter } from './inbox-filter.ts';

const megabyte = 1_000_000;

/** Saves what the filter shows as a file, and shows the progress. */
export function ExportMenu({ filter, count }: { filter: InboxFilter; count: number | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const api = useApi();
  const { saving, received, cancel } = useDownload<'csv' | 'jsonl'>('portico-reports', (format, options) => {
    const { order: _order, ...query } = filterQuery(filter, formats.timeZone);
    return api.download(exportReports, { query: { ...query, format } }, options);
  });
  const save = (ending: 'csv' | 'jsonl') => {
    if (!saving.isPending) saving.mutate(ending);
  };
  return (
    <div className="flex middle">
      <Menu
        label={t('REPORTS.EXPORT.TITLE')}
        buttonClassName="button button-quiet"
        button={
          <>
            <Icon name="download" />
            <span className="visually-hidden">{t('REPORTS.EXPORT.TITLE')}</span>
          </>
        }
        head={
          count === undefined ? undefined : (
            <p className="inbox-bulk-head muted small">
              {t('REPORTS.EXPORT.HEAD', { reports: t('REPORTS.TOTAL', { count }) })}
            </p>
          )
        }
        items={[
          { label: t('REPORTS.EXPORT.CSV'), icon: 'list', onSelect: () => save('csv') },
          { label: t('REPORTS.EXPORT.JSONL'), icon: 'download', onSelect: () => save('jsonl') },
        ]}
      />
      <div role="status" className="muted small">
        {saving.isPending ? (
          <>
            {t('REPORTS.EXPORT.PROGRESS', { size: formats.number(Math.floor(received / megabyte)) })}{' '}
            <Button small tone="quiet" onClick={cancel}>
              {t('COMMON.CANCEL')}
            </Button>
          </>
        ) : null}
      </div>
      <Problem>{saving.isError ? readProblemText(t, saving.error) : null}</Problem>
    </div>
  );
}
