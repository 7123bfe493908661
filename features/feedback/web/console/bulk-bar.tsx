import { reportStatus } from '#features/feedback/contract/own-reports.ts';
import type { ReportSummary } from '#features/feedback/contract/inbox.ts';
import { useTranslation } from 'react-i18next';
import { IconButton, Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { statusLooks, useStatusWord } from '../report/report-status-tag.tsx';
import { LabelChoice, PersonChoice, SnoozeChoice } from './choices.tsx';
import { InboxIcon } from './inbox-icon.tsx';
import type { Change } from './use-report-changes.ts';

type BulkBarProps = {
  selected: readonly ReportSummary[];
  busy: boolean;
  onChange: (change: Change) => void;
  onDeselect: () => void;
};

/** What can be done with the selected reports; it floats above the list, and says what a choice will do. */
export function BulkBar({ selected, busy, onChange, onDeselect }: BulkBarProps) {
  const { t } = useTranslation();
  const word = useStatusWord();
  const count = selected.length;
  const [first, ...others] = selected.map(({ assignee }) => assignee?.id ?? null);
  const reports = t('REPORTS.TOTAL', { count });
  const head = (text: string) => <p className="inbox-bulk-head muted small">{text}</p>;
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
        button={
          <>
            <Icon name="check-circle" />
            <span className="inbox-bulk-word">{t('REPORTS.STATUS')}</span>
          </>
        }
        head={head(t('REPORTS.SELECT.STATUS_HEAD', { reports }))}
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
      <Popover
        label={t('REPORTS.ASSIGNEE.ASSIGN')}
        buttonClassName="button button-small inbox-bulk-assign"
        button={
          <>
            <Icon name="person" />
            <span className="inbox-bulk-word">{t('REPORTS.ASSIGNEE.ASSIGN')}</span>
          </>
        }
      >
        {(close) => (
          <>
            {head(t('REPORTS.SELECT.ASSIGN_HEAD', { reports }))}
            <PersonChoice
              chosen={others.every((id) => id === first) ? first : undefined}
              onChoose={(person) => {
                close();
                onChange(
                  person === null ? { assigneeId: null } : { assigneeId: person.id, named: person.name },
                );
              }}
            />
          </>
        )}
      </Popover>
      <Popover
        label={t('REPORTS.LABELS.TITLE')}
        buttonClassName="button button-small inbox-bulk-label"
        button={
          <>
            <InboxIcon name="label" />
            <span className="inbox-bulk-word">{t('REPORTS.LABELS.TITLE')}</span>
          </>
        }
      >
        {() => (
          <>
            {head(t('REPORTS.SELECT.LABEL_HEAD', { reports }))}
            <LabelChoice
              labels={selected.map(({ labels }) => labels)}
              onToggle={(label, add) => onChange(add ? { addLabels: [label] } : { removeLabels: [label] })}
            />
          </>
        )}
      </Popover>
      <Popover
        label={t('REPORTS.SNOOZE.ACTION')}
        buttonClassName="button button-small inbox-bulk-snooze"
        button={
          <>
            <Icon name="clock" />
            <span className="inbox-bulk-word">{t('REPORTS.SNOOZE.ACTION')}</span>
          </>
        }
      >
        {(close) => (
          <>
            {head(t('REPORTS.SELECT.SNOOZE_HEAD', { reports }))}
            <SnoozeChoice
              isSnoozed={selected.some(({ snoozedUntil }) => snoozedUntil !== null)}
              onChoose={(until) => {
                close();
                onChange({ snoozedUntil: until });
              }}
            />
          </>
        )}
      </Popover>
      <Button small icon="eye-off" onClick={() => onChange({ status: 'spam' })}>
        {word('spam')}
      </Button>
      <IconButton small icon="close" label={t('REPORTS.SELECT.CLEAR')} onClick={onDeselect} />
    </div>
  );
}
