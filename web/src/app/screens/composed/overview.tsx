import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { RecentChanges } from '../../../features/audit/recent-changes.tsx';
import { overviewKey } from '../../../features/overview/overview-query.ts';
import { OverviewScreen } from '../../../features/overview/overview-screen.tsx';
import { useStore } from '../../../platform/state/use-store.ts';
import { useApp } from '../../app-context.tsx';

/** The overview, which is loaded again when maintenance or a list changes that it counts. */
export function ConsoleOverview() {
  const { live, maintenance } = useApp();
  const queries = useQueryClient();
  const { mode } = useStore(maintenance.state);
  useEffect(() => {
    const reload = () => void queries.invalidateQueries({ queryKey: overviewKey });
    const stops = [
      live.on('changed', ({ list, within }) => {
        if (list === 'reports') setTimeout(reload, Math.random() * within);
      }),
      maintenance.state.subscribe(reload),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [live, maintenance, queries]);
  return (
    <OverviewScreen mode={mode} changes={(entries, now) => <RecentChanges entries={entries} now={now} />} />
  );
}
