import type { FullReport } from '#features/feedback/contract/inbox.ts';
import { useTranslation } from 'react-i18next';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { useDeleteReport } from './reports-queries.ts';
import '#web/ui/screen.css';

type DeleteDialogProps = { report: FullReport; onDeleted: () => void; onClose: () => void };

/** Asks before a report is deleted for good, and names what is deleted with it. */
export function DeleteDialog({ report, onDeleted, onClose }: DeleteDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const pictures = report.attachments.length;
  const number = formats.number(report.number);
  const remove = useDeleteReport(report);
  return (
    <ConfirmAction
      title={t('REPORTS.DELETE.TITLE', { number })}
      confirmLabel={t('REPORTS.DELETE.ACTION')}
      tone="danger"
      action={remove.run}
      problem={(error) => problemText(t, error)}
      onDone={(by) => {
        onDeleted();
        notify({
          kind: by === 'us' ? 'success' : 'info',
          key: 'report-deleted',
          title: t(by === 'us' ? 'REPORTS.DELETE.DONE' : 'REPORTS.DELETE.ALREADY', { number }),
        });
        remove.reloadList();
      }}
      onCancel={onClose}
    >
      <div className="section">
        <p>
          {pictures === 0
            ? t('REPORTS.DELETE.TEXT_BARE')
            : t('REPORTS.DELETE.TEXT', { pictures: t('REPORTS.PICTURES', { count: pictures }) })}
        </p>
        {report.reporterId === null ? null : (
          <p>{t('REPORTS.DELETE.REPORTER', { list: t('MY_REPORTS.TITLE') })}</p>
        )}
      </div>
    </ConfirmAction>
  );
}
