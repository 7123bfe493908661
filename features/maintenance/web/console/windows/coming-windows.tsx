import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { Button } from '#web/ui/button.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useServerNow } from '../use-server-now.ts';
import { NotifiedFrom } from './notified-from.tsx';
import { isRunning, phaseAt } from './phase-at.ts';
import { PhaseTag } from './phase-tag.tsx';
import { StepDialog } from './step-dialog.tsx';
import { Span } from './span.tsx';

type ComingWindowsProps = {
  windows: readonly MaintenanceWindow[];
  onOpen: (window: MaintenanceWindow) => void;
  onChange: (window: MaintenanceWindow) => void;
};

/** The planned windows, the next first. */
export function ComingWindows({ windows, onOpen, onChange }: ComingWindowsProps) {
  const { t } = useTranslation();
  const now = useServerNow();
  const [calledOff, setCalledOff] = useState<string | null>(null);
  const asked = windows.find((one) => one.id === calledOff);
  const columns: Column<MaintenanceWindow>[] = [
    {
      key: 'title',
      header: t('MAINTENANCE.CONSOLE.COLUMNS.TITLE'),
      role: 'primary',
      cell: (window) => <strong dir="auto">{window.title}</strong>,
    },
    {
      key: 'phase',
      header: t('MAINTENANCE.CONSOLE.COLUMNS.PHASE'),
      role: 'beside',
      tight: true,
      cell: (window) => <PhaseTag phase={phaseAt(window, now)} />,
    },
    {
      key: 'when',
      header: t('MAINTENANCE.CONSOLE.COLUMNS.WHEN'),
      cell: (window) => <Span startsAt={window.startsAt} endsAt={window.endsAt} />,
    },
    {
      key: 'mode',
      header: t('MAINTENANCE.CONSOLE.COLUMNS.MODE'),
      cell: (window) => t(`MAINTENANCE.CONSOLE.WINDOW_MODES.${catalogueKey(window.mode)}.LABEL`),
    },
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
        <span className="row-actions">
          <Button small tone="quiet" onClick={() => onChange(window)}>
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
  ];
  return (
    <section className="section" aria-labelledby="coming-windows">
      <h2 id="coming-windows">{t('MAINTENANCE.CONSOLE.COMING')}</h2>
      <Table
        caption={t('MAINTENANCE.CONSOLE.COMING')}
        columns={columns}
        rows={windows}
        rowKey={(window) => window.id}
        open={{ act: onOpen }}
      />
      {asked === undefined ? null : (
        <StepDialog window={asked} step="cancel" onClose={() => setCalledOff(null)} />
      )}
    </section>
  );
}
