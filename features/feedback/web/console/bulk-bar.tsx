import { reportStatus } from '#features/feedback/contract/own-reports.ts';
import { deleteReport, type FullReport, type ReportSummary } from '#features/feedback/contract/inbox.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton, Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { useQueryClient } from '@tanstack/react-query';
import { statusLooks, useStatusWord } from '../report/report-status-tag.tsx';
import { LabelChoice, PersonChoice, SnoozeChoice } from './choices.tsx';
import { InboxIcon } from './inbox-icon.tsx';
import type { Change } from './use-report-changes.ts';
import { listKey, reportsKey } from './reports-queries.ts';
import '#web/ui/screen.css';

type BulkBarProps = {
  selected: readonly ReportSummary[];
  busy: boolean;
  onChange: (change: Change) => void;
  onDeselect: () => void;
};

/** The actions for the selected reports, in a bar above the list that states what each choice will do. */
export function BulkBar({ selected, busy, onChange, onDeselect }: BulkBarProps) {
  const { t } = useTranslation();
  const word = useStatusWord();
  const count = selected.length;
  const [first, ...others] = selected.map(({ assignee }) => assignee?.id ?? null);
  const reports = t('REPORTS.TOTAL', { count });
  const head = (key: string) => (
    <p className="inbox-bulk-head muted small">{t(`REPORTS.SELECT.${key}_HEAD`, { reports })}</p>
  );
  const button = (icon: ReactNode, label: string) => (
    <>
      {icon}
      <span className="inbox-bulk-word">{label}</span>
    </>
  );
  const choice = (
    name: 'assign' | 'label' | 'snooze',
    label: string,
    icon: ReactNode,
    content: (close: () => void) => ReactNode,
  ) => (
    <Popover
      label={label}
      buttonClassName={`button button-small inbox-bulk-${name}`}
      button={button(icon, label)}
    >
      {(close) => (
        <>
          {head(name.toUpperCase())}
          {content(close)}
        </>
      )}
    </Popover>
  );
  const closing = (close: () => void) => (change: Change) => {
    close();
    onChange(change);
  };
  return (
    <div
      className="bulk-bar inbox-bulk"
      role="toolbar"
      aria-label={t('REPORTS.SELECT.TOOLS')}
      aria-busy={busy}
    >
      <strong role="status">{t('REPORTS.SELECT.COUNT', { count })}</strong>
      <Menu
        label={t('REPORTS.STATUS')}
        align="start"
        buttonClassName="button button-small"
        button={button(<Icon name="check-circle" />, t('REPORTS.STATUS'))}
        head={head('STATUS')}
        items={[
          {
            label: t('REPORTS.STATUS'),
            options: reportStatus.options.map((status) => ({
              label: word(status),
              icon: statusLooks[status].icon,
              checked: selected.every((one) => one.status === status),
              onSelect: () => onChange({ status }),
            })),
          },
        ]}
      />
      {choice('assign', t('REPORTS.ASSIGNEE.ASSIGN'), <Icon name="person" />, (close) => (
        <PersonChoice
          chosen={others.every((id) => id === first) ? first : undefined}
          onChange={closing(close)}
        />
      ))}
      {choice('label', t('REPORTS.LABELS.TITLE'), <InboxIcon name="label" />, () => (
        <LabelChoice labels={selected.map(({ labels }) => labels)} onChange={onChange} />
      ))}
      {choice('snooze', t('REPORTS.SNOOZE.ACTION'), <Icon name="clock" />, (close) => (
        <SnoozeChoice
          isSnoozed={selected.some(({ snoozedUntil }) => snoozedUntil !== null)}
          onChange={closing(close)}
        />
      ))}
      <Button
        small
        aria-label={word('spam')}
        title={word('spam')}
        onClick={() => onChange({ status: 'spam' })}
      >
        {button(<Icon name="eye-off" />, word('spam'))}
      </Button>
      <IconButton small icon="close" label={t('REPORTS.SELECT.CLEAR')} onClick={onDeselect} />
    </div>
  );
}

type DeleteDialogProps = { report: FullReport; onDeleted: () => void; onClose: () => void };

/** Asks before a report is deleted for good, and names what is deleted with it. */
export function DeleteDialog({ report, onDeleted, onClose }: DeleteDialogProps) {
  const { t } = useTranslation();
  const pictures = report.attachments.length;
  const { number } = report;
  const api = useApi();
  const queries = useQueryClient();
  /** Deletes the report; returns false if another person has already deleted it. */
  async function remove(): Promise<boolean> {
    const isOurs = await api.call(deleteReport, { params: { reportId: report.id } }).then(
      () => true,
      (error: unknown) => {
        if (isProblem(error, 'NOT_FOUND')) return false;
        throw error;
      },
    );
    // An answer that is under way may still contain the report.
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
