import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RecentReports } from '../../features/feedback/recent/recent-reports.tsx';
import { HomeScreen } from '../../features/home/home-screen.tsx';
import type { Destination } from '../../features/home/tiles.tsx';
import { useCan } from '../../platform/contexts.tsx';
import { useStore } from '../../platform/state/use-store.ts';
import { useApp } from '../app-context.tsx';
import { visibleScreens } from '../navigation/navigation.ts';

/** The home screen, with the screens of the top bar and what became of the person's reports. */
export function Home() {
  const { t } = useTranslation();
  const { screens, maintenance, banner, reportBug, reportNews } = useApp();
  const justSent = useStore(reportBug.view) === 'thanks';
  const changes = useStore(reportNews.changes);
  const can = useCan();
  const destinations = visibleScreens(screens, 'main', can)
    .filter((screen) => screen.path !== '/')
    .map((screen): Destination => ({
      path: screen.path,
      title: t(screen.title),
      description: screen.description === undefined ? null : t(screen.description),
      icon: screen.icon ?? 'chevron-right',
    }));
  return (
    <HomeScreen
      destinations={destinations}
      changes={useHomeChanges()}
      inBanner={useStore(banner.visible)}
      maintenance={useStore(maintenance.state)}
      reports={<RecentReports justSent={justSent} changes={changes} />}
    />
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
