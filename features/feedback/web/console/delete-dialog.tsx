import { deleteReport, type FullReport } from '#features/feedback/contract/inbox.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { listKey, reportsKey } from './reports-queries.ts';
import '#web/ui/screen.css';

type DeleteDialogProps = { report: FullReport; onDeleted: () => void; onClose: () => void };

/** Asks before a report is deleted for good, and names what is deleted with it. */
export function DeleteDialog({ report, onDeleted, onClose }: DeleteDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const pictures = report.attachments.length;
  const number = formats.number(report.number);
  const api = useApi();
  const queries = useQueryClient();
  /** Answers whether it was there: another person may have deleted it. */
  async function remove(): Promise<boolean> {
    const isOurs = await api.call(deleteReport, { params: { reportId: report.id } }).then(
      () => true,
      (error: unknown) => {
        if (isProblem(error, 'NOT_FOUND')) return false;
        throw error;
      },
    );
    // An answer that is under way may still contain it.
    await queries.cancelQueries({ queryKey: reportsKey });
    return isOurs;
  }
  return (
    <ConfirmAction
      title={t('REPORTS.DELETE.TITLE', { number })}
      confirmLabel={t('REPORTS.DELETE.ACTION')}
      tone="danger"
      action={remove}
      problem={(error) => problemText(t, error)}
      onDone={(isOurs) => {
        onDeleted();
        notify({
          kind: isOurs ? 'success' : 'info',
          key: 'report-deleted',
          title: t(isOurs ? 'REPORTS.DELETE.DONE' : 'REPORTS.DELETE.ALREADY', { number }),
        });
        void queries.invalidateQueries({ queryKey: listKey });
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
