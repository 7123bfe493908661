import { useTranslation } from 'react-i18next';
import { useServerClock } from '../../../platform/contexts.tsx';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { useStore } from '../../../platform/use-store.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { Maintenance } from './maintenance.ts';
import './maintenance-ribbon.css';

/** Above the screens of who works during maintenance, and of everybody while nothing may be changed (MAINT-4, MAINT-6). */
export function MaintenanceRibbon({ maintenance }: { maintenance: Maintenance }) {
  const gate = useStore(maintenance.gate);
  const { expectedEnd } = useStore(maintenance.state);
  if (gate === 'passed') return <Passed onBack={maintenance.unpass} />;
  if (gate === 'read-only') return <ReadOnly expectedEnd={expectedEnd} />;
  return null;
}

function Passed({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation();
  return (
    <Notice banner severity="medium" role="status">
      <span className="maintenance-ribbon">
        {t('MAINTENANCE.RIBBON.PASSED')}
        <Button small tone="quiet" onClick={onBack}>
          {t('MAINTENANCE.RIBBON.BACK')}
        </Button>
      </span>
    </Notice>
  );
}

function ReadOnly({ expectedEnd }: { expectedEnd: number | null }) {
  const { t } = useTranslation();
  const { date, time, dateTime } = useFormats();
  const now = useServerClock().now();
  const known = expectedEnd !== null && expectedEnd > now;
  return (
    <Notice banner severity="info" role="status">
      {known
        ? t('MAINTENANCE.RIBBON.READ_ONLY_UNTIL', {
            time: date(expectedEnd) === date(now) ? time(expectedEnd) : dateTime(expectedEnd),
          })
        : t('MAINTENANCE.RIBBON.READ_ONLY')}
    </Notice>
  );
}
