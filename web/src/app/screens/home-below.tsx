import type { Home, HomeApp } from '@portico/contract/home';
import { RecentReports } from '../../features/feedback/recent/recent-reports.tsx';
import { AppTiles } from '../../features/home/app-tiles.tsx';
import { NextMaintenance } from '../../features/home/next-maintenance.tsx';

type HomeBelowProps = { next: Home['nextMaintenance']; justSent: boolean; changes: number };

/** Below the tiles of the home screen: what became of the person's reports, and the next maintenance. */
export function HomeBelow({ next, ...reports }: HomeBelowProps) {
  return (
    <>
      <RecentReports {...reports} />
      {next === null ? null : <NextMaintenance next={next} />}
    </>
  );
}

/** The applications that the person may open. Here, so that they arrive with what is below them. */
export function HomeApps({ apps }: { apps: readonly HomeApp[] }) {
  return <AppTiles apps={apps} />;
}
