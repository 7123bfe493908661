import {
  type MaintenanceMode,
  type Notice as NoticeText,
  type Severity,
  type TextByLanguage,
  textFor,
} from '@portico/contract/maintenance';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCurrentUser, useServerClock } from '../../platform/contexts.tsx';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { useNow } from '../../platform/time/use-now.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice, type NoticeSeverity } from '../../ui/notice.tsx';
import { RetryNotice } from '../../ui/states.tsx';
import { partOfDay } from './greeting.ts';
import { NextMaintenance } from './next-maintenance.tsx';
import { type Destination, Tiles } from './tiles.tsx';
import { useHome } from './use-home.ts';
import './home.css';

export type HomeProps = {
  /** Portico's own screens that the person may open. */
  destinations: readonly Destination[];
  /** Grows when what the screen shows has changed. */
  changes: number;
  /** The person's latest reports. */
  reports: ReactNode;
  /** The banner shows the notice; it stands here once that is closed. */
  inBanner: boolean;
  maintenance: NoticeText & {
    texts?: TextByLanguage;
    mode: MaintenanceMode;
    on: boolean;
    expectedEnd: number | null;
  };
};

const looks: Record<Severity, NoticeSeverity> = { HIGH: 'high', MEDIUM: 'medium', INFO: 'info' };

/** The home screen: the state of the application, what the person may open, the next maintenance. */
export function HomeScreen({ destinations, changes, inBanner, maintenance, reports }: HomeProps) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  const user = useCurrentUser();
  const { home, retry } = useHome(changes);
  const greeting = t(`HOME.GREETING.${partOfDay(formats.hour(clock.now()))}`);
  const { maintenanceText: text, maintenanceTextSeverity, texts = {} } = maintenance;

  return (
    <div className="home">
      <div>
        <h1>
          {user === null || user.firstName === ''
            ? greeting
            : t('HOME.GREETING.NAMED', { greeting, name: user.firstName })}
        </h1>
        <Status maintenance={maintenance} />
      </div>
      {text === '' || inBanner ? null : (
        <Notice severity={looks[maintenanceTextSeverity]}>{textFor({ text, texts }, i18n.language)}</Notice>
      )}
      <section className="home-section" aria-labelledby="home-apps">
        <h2 id="home-apps">{t('HOME.APPS.TITLE')}</h2>
        <Tiles destinations={destinations} apps={home?.apps ?? []} />
        {retry === null ? null : (
          <RetryNotice retry={{ label: t('COMMON.RETRY'), ...retry }}>{t('HOME.APPS.FAILED')}</RetryNotice>
        )}
      </section>
      {/* What is below the tiles waits for them, so that nothing moves. */}
      <div className="home-below" hidden={home === null && retry === null}>
        {home?.nextMaintenance == null ? null : <NextMaintenance next={home.nextMaintenance} />}
        {/* Last, since it comes with a request of its own. */}
        {reports}
      </div>
    </div>
  );
}

function Status({ maintenance: { on, mode, expectedEnd } }: Pick<HomeProps, 'maintenance'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  // Updated regularly: the expected end may have passed.
  const now = useNow(10_000);
  if (!on && mode !== 'read-only') {
    return (
      <p className="home-status home-status-ok">
        <Icon name="check-circle" />
        <span>{t('HOME.STATUS.RUNNING')}</span>
      </p>
    );
  }
  const until =
    expectedEnd === null || expectedEnd <= now
      ? null
      : t('HOME.STATUS.UNTIL', {
          relative: formats.relative(expectedEnd, now),
          time: formats.time(expectedEnd),
        });
  return (
    <p className="home-status home-status-medium">
      <Icon name="warning" />
      <span>
        {on ? t('HOME.STATUS.FULL') : t('HOME.STATUS.READ_ONLY')} {until}
      </span>
    </p>
  );
}
