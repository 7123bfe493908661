import type {
  Notice as MaintenanceNotice,
  TextByLanguage,
  UpcomingWindow,
} from '#features/maintenance/contract/maintenance.ts';
import type { MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { textOfPhase } from '#features/maintenance/contract/window-texts.ts';
import { useTranslation } from 'react-i18next';
import { useServerClock } from '#web/platform/contexts.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { MaintenanceBanner } from '../../banner.tsx';
import { MaintenancePage } from '../../maintenance-page.tsx';
import { Application, Stage } from '../plan/stage.tsx';
import { useServerNow } from '../use-server-now.ts';
import { whatPeopleSee } from './what-people-see.ts';

/** The width, in pixels, at which the pictures are drawn before they are scaled down: so that they can be read. */
const drawnWide = 560;
const closed = () => {};

type SeenTileProps = {
  settings: MaintenanceSettings;
  /** The window that matters now. */
  window: MaintenanceWindow | null;
};

/** What people see now: in a sentence, and as a picture of it. */
export function SeenTile({ settings: { inForce, heldOpen }, window }: SeenTileProps) {
  const { t } = useTranslation();
  const clock = useServerClock();
  const now = useServerNow();
  const { upcoming } = inForce;
  const fitting = inForce.text === '' && upcoming !== null ? upcoming : inForce;
  const { text, texts } = fitting;
  const seen = whatPeopleSee({ mode: inForce.mode, text, heldOpen, window, now });
  const notice = { maintenanceText: text, texts, maintenanceTextSeverity: inForce.severity };
  return (
    <section className="now-tile" aria-labelledby="what-people-see">
      <h2 id="what-people-see">{t('MAINTENANCE.CONSOLE.SEEN.TITLE')}</h2>
      <p>{t(`MAINTENANCE.CONSOLE.SEEN.${seen}`)}</p>
      <Stage wide={drawnWide}>
        {seen === 'PAGE' ? (
          <div className="preview-page">
            <MaintenancePage notice={notice} expectedEnd={inForce.expectedEnd} clock={clock} />
          </div>
        ) : (
          <>
            <Banner notice={notice} upcoming={upcoming} />
            {seen === 'READ_ONLY' ? (
              <Notice banner severity="info">
                {t('MAINTENANCE.RIBBON.READ_ONLY')}
              </Notice>
            ) : null}
            <Application />
          </>
        )}
      </Stage>
    </section>
  );
}

type BannerProps = {
  notice: MaintenanceNotice & { texts?: TextByLanguage };
  upcoming: UpcomingWindow | null;
};

function Banner({ notice, upcoming }: BannerProps) {
  const isShown = notice.maintenanceText !== '' || upcoming !== null;
  return <MaintenanceBanner notice={notice} upcoming={upcoming} visible={isShown} onClose={closed} />;
}

/** What a window will show once it has started. */
export function AfterStartTile({ window }: { window: MaintenanceWindow }) {
  const { t } = useTranslation();
  const clock = useServerClock();
  const { startsAt, endsAt, severity, mode } = window;
  const { text, texts } = textOfPhase(window, 'during');
  const notice = { maintenanceText: text, texts, maintenanceTextSeverity: severity };
  // The page is shown as at the start, with the whole time left.
  const atStart = { now: () => Math.max(startsAt, clock.now()) };
  return (
    <section className="now-tile" aria-labelledby="after-it-starts">
      <h2 id="after-it-starts">{t('MAINTENANCE.CONSOLE.SEEN.AFTER_START')}</h2>
      <p>{t(`MAINTENANCE.CONSOLE.SEEN.${mode === 'full' ? 'PAGE' : 'READ_ONLY'}`)}</p>
      <Stage wide={drawnWide}>
        {mode === 'full' ? (
          <div className="preview-page">
            <MaintenancePage notice={notice} expectedEnd={endsAt} clock={atStart} />
          </div>
        ) : (
          <>
            <Banner notice={notice} upcoming={null} />
            <Notice banner severity="info">
              {t('MAINTENANCE.RIBBON.READ_ONLY')}
            </Notice>
            <Application />
          </>
        )}
      </Stage>
    </section>
  );
}
