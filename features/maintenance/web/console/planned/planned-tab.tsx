import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { ComingWindows } from '../windows/coming-windows.tsx';
import { TwoWeeks } from './two-weeks.tsx';

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
          icon="clock"
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
        <ComingWindows windows={windows} onOpen={onOpen} onChange={({ id }) => onPlan(id)} />
      )}
    </>
  );
}
