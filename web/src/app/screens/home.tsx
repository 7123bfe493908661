import { useTranslation } from 'react-i18next';
import { RecentReports } from '../../features/feedback/recent/recent-reports.tsx';
import { type Destination, HomeScreen } from '../../features/home/home-screen.tsx';
import { useCan } from '../../platform/contexts.tsx';
import { useStore } from '../../platform/state/use-store.ts';
import { useApp } from '../app-context.tsx';
import { visibleScreens } from '../navigation/navigation.ts';
import { useOwnRights } from '../own-rights.ts';

/** The home screen, with the screens of the top bar and what became of the person's reports. */
export function Home() {
  const { t } = useTranslation();
  const { screens, maintenance, reportBug, reportNews } = useApp();
  const justSent = useStore(reportBug.view) === 'thanks';
  const changes = useStore(reportNews.changes);
  const rights = useOwnRights();
  const can = useCan();
  const state = useStore(maintenance.state);
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
      rights={rights}
      maintenance={state}
      last={<RecentReports justSent={justSent} changes={changes} />}
    />
  );
}
