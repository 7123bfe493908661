import type { MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { textOfPhase } from '#features/maintenance/contract/window-texts.ts';
import { type ComponentProps, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerClock } from '#web/platform/contexts.tsx';
import { Picture } from '../plan/stage.tsx';
import { useServerNow } from '../use-server-now.ts';
import { whatPeopleSee } from '../windows/phase-at.ts';

/** The width, in pixels, at which the pictures are drawn before they are scaled down: so that they can be read. */
const drawnWide = 560;

type SeenTileProps = {
  settings: MaintenanceSettings;
  /** The window that matters now. */
  window: MaintenanceWindow | null;
};

/** What people see now. */
export function SeenTile({ settings: { inForce, heldOpen }, window }: SeenTileProps) {
  const { t } = useTranslation();
  const now = useServerNow();
  const { mode, upcoming, severity, expectedEnd } = inForce;
  const { text, texts } = inForce.text === '' && upcoming !== null ? upcoming : inForce;
  return (
    <Tile
      title={t('MAINTENANCE.CONSOLE.SEEN.TITLE')}
      seen={whatPeopleSee({ mode, text, heldOpen, window, now })}
      notice={{ maintenanceText: text, texts, maintenanceTextSeverity: severity }}
      upcoming={upcoming}
      expectedEnd={expectedEnd}
      clock={useServerClock()}
    />
  );
}

/** What a window will show once it has started. */
export function AfterStartTile({ window }: { window: MaintenanceWindow }) {
  const { t } = useTranslation();
  const clock = useServerClock();
  const { startsAt, endsAt, severity, mode } = window;
  const { text, texts } = textOfPhase(window, 'during');
  return (
    <Tile
      title={t('MAINTENANCE.CONSOLE.SEEN.AFTER_START')}
      seen={mode === 'full' ? 'PAGE' : 'READ_ONLY'}
      notice={{ maintenanceText: text, texts, maintenanceTextSeverity: severity }}
      expectedEnd={endsAt}
      // The page is shown as at the start, with the whole time left.
      clock={{ now: () => Math.max(startsAt, clock.now()) }}
    />
  );
}

type TileProps = Omit<ComponentProps<typeof Picture>, 'shows' | 'readOnly' | 'wide'> & {
  title: string;
  seen: ReturnType<typeof whatPeopleSee>;
};

/** What people see, in a sentence and as a picture of it. */
function Tile({ title, seen, ...picture }: TileProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section className="now-tile" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p>{t(`MAINTENANCE.CONSOLE.SEEN.${seen}`)}</p>
      <Picture
        {...picture}
        wide={drawnWide}
        shows={seen === 'PAGE' ? 'page' : 'application'}
        readOnly={seen === 'READ_ONLY' ? t('MAINTENANCE.RIBBON.READ_ONLY') : undefined}
      />
    </section>
  );
}
