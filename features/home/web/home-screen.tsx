import { type Severity, textFor } from '#features/maintenance/contract/maintenance.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '#web/app/app-context.tsx';
import { visibleScreens } from '#web/feature.ts';
import { useCan, useCurrentUser, useServerClock } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { useStore } from '#web/platform/state/use-store.ts';
import { useNow } from '#web/platform/time/use-now.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Notice, type NoticeSeverity } from '#web/ui/notice.tsx';
import { RetryNotice } from '#web/ui/states.tsx';
import { RecentReports } from '#features/feedback/web/recent/recent-reports.tsx';
import type { MaintenanceState } from '#features/maintenance/web/member/maintenance.ts';
import { partOfDay } from './greeting.ts';
import { NextMaintenance } from './next-maintenance.tsx';
import { Tiles } from './tiles.tsx';
import { useHome } from './use-home.ts';
import './home.css';

const looks: Record<Severity, NoticeSeverity> = { HIGH: 'high', MEDIUM: 'medium', INFO: 'info' };

/** The home screen: the state of the application, what the person may open, the next maintenance. */
export function HomeScreen() {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  const user = useCurrentUser();
  const can = useCan();
  const { screens, maintenance: shown, banner, reportBug, reportNews } = useApp();
  const maintenance = useStore(shown.state);
  // The banner shows the notice; it stands here once that is closed.
  const inBanner = useStore(banner.visible);
  const justSent = useStore(reportBug.view) === 'thanks';
  const changes = useStore(reportNews.changes);
  const { home, retry } = useHome(useHomeChanges());
  const greeting = t(`HOME.GREETING.${partOfDay(formats.hour(clock.now()))}`);
  const { maintenanceText: text, maintenanceTextSeverity, texts } = maintenance;

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
        <Tiles screens={visibleScreens(screens, 'main', can)} apps={home?.apps ?? []} />
        {retry === null ? null : (
          <RetryNotice retry={{ label: t('COMMON.RETRY'), ...retry }}>{t('HOME.APPS.FAILED')}</RetryNotice>
        )}
      </section>
      {/* What is below the tiles waits for them, so that nothing moves. */}
      <div className="home-below" hidden={home === null && retry === null}>
        {home?.nextMaintenance == null ? null : <NextMaintenance next={home.nextMaintenance} />}
        {/* Last, since it comes with a request of its own. */}
        <RecentReports justSent={justSent} changes={changes} />
      </div>
    </div>
  );
}

/** Grows when operators have changed the applications, and with the person's rights and maintenance. */
function useHomeChanges(): number {
  const { live, maintenance, permissions } = useApp();
  const [count, setCount] = useState(0);
  useEffect(() => {
    const grow = () => setCount((now) => now + 1);
    const stops = [
      live.on('changed', ({ list, within }) => {
        if (list === 'home' || list === null) setTimeout(grow, Math.random() * within);
      }),
      maintenance.state.subscribe(grow),
      permissions.state.subscribe(grow),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [live, maintenance, permissions]);
  return count;
}

function Status({ maintenance: { on, mode, expectedEnd } }: { maintenance: MaintenanceState }) {
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
