import { reportStatus, type ReportStatus } from '#features/feedback/contract/own-reports.ts';
import { useTranslation } from 'react-i18next';
import { Icon } from '#web/ui/icon.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { Spin } from '#web/ui/spinner.tsx';
import { ReportStatusTag, statusLooks, useStatusWord } from '../report/report-status-tag.tsx';

/**
 * The status of a report, and the choice of another. A menu, since each choice is saved and reported to its
 * reporter at once.
 */
export function StatusMenu({
  status,
  busy,
  onStatus,
}: {
  status: ReportStatus;
  busy: boolean;
  onStatus: (status: ReportStatus) => void;
}) {
  const { t } = useTranslation();
  const word = useStatusWord();
  return (
    <Menu
      label={t('REPORTS.CHANGE.LABEL', { status: word(status) })}
      buttonClassName="button button-small report-status"
      align="start"
      button={
        <>
          <ReportStatusTag status={status} />
          {busy ? <Spin size={12} /> : <Icon name="chevron-down" size={12} />}
        </>
      }
      items={[
        {
          label: t('REPORTS.STATUS'),
          options: reportStatus.options.map((one) => ({
            label: word(one),
            icon: statusLooks[one].icon,
            checked: one === status,
            onSelect: () => onStatus(one),
          })),
        },
      ]}
    />
  );
}
