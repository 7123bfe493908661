import type { MaintenanceSettings } from '@portico/contract/maintenance/settings';
import type { MaintenanceWindow } from '@portico/contract/maintenance/windows';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../../platform/i18n/formats-context.tsx';
import { namedActor } from '../../../../platform/named-person.ts';
import { Time } from '../../../../ui/time.tsx';
import { ModeSection } from './mode-section.tsx';
import { NoticeSection } from './notice-section.tsx';

/** The notice and the switch that hold until an operator takes them back, apart from what is planned. */
export function ByHand({
  settings,
  running,
}: {
  settings: MaintenanceSettings;
  /** The window that is in force. */
  running: MaintenanceWindow | null;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <section className="section section-divided" aria-labelledby="by-hand">
      <div>
        <h2 id="by-hand">{t('MAINTENANCE.CONSOLE.BY_HAND.TITLE')}</h2>
        <p className="muted">
          {t('MAINTENANCE.CONSOLE.BY_HAND.LEAD')}
          {settings.changedAt === null || settings.changedBy === null ? null : (
            <>
              {' '}
              {t('MAINTENANCE.CONSOLE.CHANGED_BY', {
                name: namedActor(t, settings.changedBy, settings.names),
              })}{' '}
              <Time at={settings.changedAt} formats={formats} />
            </>
          )}
        </p>
      </div>
      <div className="by-hand">
        <NoticeSection settings={settings} />
        <ModeSection settings={settings} running={running} />
      </div>
    </section>
  );
}
