import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { daysFrom } from '#web/platform/time/days.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { useServerNow } from '#web/platform/time/use-now.ts';
import { isRunning, overlaps, phaseAt } from './windows/phase-at.ts';
import { StepDialog } from './windows/window-steps.tsx';
import { NotifiedFrom, WindowTable } from './windows/window-table.tsx';
import { useFormats } from '#web/platform/contexts.tsx';

type PlannedTabProps = {
  windows: readonly MaintenanceWindow[];
  onOpen: (window: MaintenanceWindow) => void;
  onPlan: (windowId: string) => void;
};

/** What is planned: the next two weeks at a glance, and the list of all windows that are not over. */
export function PlannedTab({ windows, onOpen, onPlan }: PlannedTabProps) {
  const { t } = useTranslation();
  return (
    <>
      <section className="section" aria-labelledby="two-weeks">
        <h2 id="two-weeks">{t('MAINTENANCE.CONSOLE.WEEKS.TITLE')}</h2>
        <TwoWeeks windows={windows} onOpen={onOpen} />
      </section>
      {windows.length === 0 ? (
        <EmptyState
          icon="wrench"
          title={t('MAINTENANCE.CONSOLE.EMPTY.TITLE')}
          action={
            <Button icon="plus" onClick={() => onPlan('new')}>
              {t('MAINTENANCE.CONSOLE.PLAN.OPEN')}
            </Button>
          }
        >
          {t('MAINTENANCE.CONSOLE.EMPTY.TEXT')}
        </EmptyState>
      ) : (
        <ComingWindows windows={windows} onOpen={onOpen} onPlan={onPlan} />
      )}
    </>
  );
}

/** The planned windows, the next first. */
function ComingWindows({ windows, onOpen, onPlan }: PlannedTabProps) {
  const { t } = useTranslation();
  const now = useServerNow();
  const [calledOff, setCalledOff] = useState<string | null>(null);
  const asked = windows.find((one) => one.id === calledOff);
  return (
    <WindowTable
      id="coming-windows"
      title={t('MAINTENANCE.CONSOLE.COMING')}
      windows={windows}
      columns={[
        {
          key: 'lead',
          header: t('MAINTENANCE.CONSOLE.COLUMNS.LEAD'),
          narrow: 'labelled',
          cell: (window) => <NotifiedFrom window={window} />,
        },
        {
          key: 'actions',
          header: t('MAINTENANCE.CONSOLE.COLUMNS.ACTIONS'),
          headerHidden: true,
          tight: true,
          align: 'end',
          cell: (window) => (
            <span className="row-actions wrap gap-1 nowrap">
              <Button small tone="quiet" onClick={() => onPlan(window.id)}>
                {t('MAINTENANCE.CONSOLE.CHANGE')}
                <span className="visually-hidden"> {window.title}</span>
              </Button>
              {isRunning(phaseAt(window, now)) ? null : (
                <Button small tone="quiet" onClick={() => setCalledOff(window.id)}>
                  {t('MAINTENANCE.CONSOLE.STEPS.CANCEL.ACTION')}
                  <span className="visually-hidden"> {window.title}</span>
                </Button>
              )}
            </span>
          ),
        },
      ]}
      onOpen={onOpen}
    >
      {asked === undefined ? null : (
        <StepDialog window={asked} step="cancel" onClose={() => setCalledOff(null)} />
      )}
    </WindowTable>
  );
}

const days = 14;

type TwoWeeksProps = {
  windows: readonly MaintenanceWindow[];
  onOpen: (window: MaintenanceWindow) => void;
};

/** Two weeks from today on, by the reader's days, with the windows on each. */
function TwoWeeks({ windows, onOpen }: TwoWeeksProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useServerNow();
  const starts = daysFrom(now, days, formats.timeZone);
  const weekday = named(formats.locale, formats.timeZone, { weekday: 'short' });
  const day = named(formats.locale, formats.timeZone, { day: 'numeric' });
  const dayOfMonth = named(formats.locale, formats.timeZone, { day: 'numeric', month: 'short' });
  return (
    <ol className="weeks panel" aria-label={t('MAINTENANCE.CONSOLE.WEEKS.LABEL')}>
      {starts.slice(0, days).map((startsAt, index) => {
        const on = windows.filter((window) =>
          overlaps(window, { startsAt, endsAt: starts[index + 1] ?? startsAt }),
        );
        return (
          <li
            key={startsAt}
            className="weeks-day stack gap-1 shrinks"
            data-today={index === 0}
            data-free={on.length === 0}
          >
            <span className="weeks-date strong nowrap" aria-hidden="true">
              <small className="muted">{weekday(startsAt)}</small>{' '}
              {(index === 0 || day(startsAt) === '1' ? dayOfMonth : day)(startsAt)}
            </span>
            <span className="visually-hidden">
              {index === 0
                ? t('MAINTENANCE.CONSOLE.WEEKS.TODAY', { date: formats.date(startsAt) })
                : formats.date(startsAt)}
              {on.length === 0 && index > 0 ? `, ${t('MAINTENANCE.CONSOLE.WEEKS.FREE')}` : null}
            </span>
            {on.length === 0 && index === 0 ? (
              <span className="muted small">{t('MAINTENANCE.CONSOLE.WEEKS.FREE')}</span>
            ) : null}
            {on.map((window) => (
              <button
                key={window.id}
                type="button"
                className={`weeks-window grid shrinks ${window.mode === 'announce' ? 'tone-info' : 'tone-medium'} small`}
                data-mode={window.mode}
                title={window.title}
                onClick={() => onOpen(window)}
              >
                {window.startsAt >= startsAt ? <strong>{formats.time(window.startsAt)}</strong> : null}
                <span className="two-lines" dir="auto">
                  {window.title}
                </span>
              </button>
            ))}
          </li>
        );
      })}
    </ol>
  );
}

function named(
  locale: string,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): (at: number) => string {
  const format = new Intl.DateTimeFormat(locale, { timeZone, ...options });
  return (at) => format.format(at);
}
