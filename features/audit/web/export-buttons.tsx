import { exportAudit } from '#features/audit/contract/audit.ts';
import { useTranslation } from 'react-i18next';
import { useApi, useServerClock } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useDownload } from '#web/platform/files/use-download.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { type AuditFilter, filterQuery } from './audit-queries.ts';

const megabyte = 1_000_000;

/** Saves what the filter finds, and shows the progress. */
export function ExportButtons({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const api = useApi();
  const clock = useServerClock();
  const { saving, received, cancel } = useDownload<'csv' | 'jsonl'>('portico-audit', (format, options) =>
    api.download(
      exportAudit,
      { query: { ...filterQuery(filter, formats.timeZone, clock.now()), format } },
      options,
    ),
  );
  return (
    <div className="audit-export">
      <div className="audit-export-buttons">
        {(['csv', 'jsonl'] as const).map((format) => (
          <Button
            key={format}
            icon="download"
            busy={saving.isPending && saving.variables === format}
            aria-disabled={saving.isPending}
            onClick={() => {
              if (!saving.isPending) saving.mutate(format);
            }}
          >
            {t(format === 'csv' ? 'AUDIT.EXPORT.CSV' : 'AUDIT.EXPORT.JSONL')}
          </Button>
        ))}
      </div>
      <div role="status">
        {saving.isPending ? (
          <p className="audit-export-progress">
            <span>
              {t('AUDIT.EXPORT.PROGRESS', { size: formats.number(Math.floor(received / megabyte)) })}
            </span>{' '}
            <Button small tone="quiet" onClick={cancel}>
              {t('COMMON.CANCEL')}
            </Button>
          </p>
        ) : saving.data === 'saved' ? (
          // Not a notification, which would cover these buttons.
          <p className="audit-export-progress">{t('AUDIT.EXPORT.DONE')}</p>
        ) : null}
      </div>
      {saving.isError ? (
        <Notice severity="high" role="alert">
          {problemText(t, saving.error)}
        </Notice>
      ) : null}
    </div>
  );
}
