import type { MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import type { Presence } from '#features/presence/contract/presence.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { ImmediateCard } from '../immediate/immediate-card.tsx';
import { WorkingTile } from '../presence.tsx';
import { useServerNow } from '../use-server-now.ts';
import { CurrentWindow } from '../windows/current-window.tsx';
import { isRunning, phaseAt } from '../windows/phase-at.ts';
import { NoticeCard } from './notice-card.tsx';
import { AfterStartTile, SeenTile } from './seen-tiles.tsx';
import { StatusCard } from './status-card.tsx';

type NowTabProps = {
  settings: MaintenanceSettings;
  /** What matters now: a window that has just ended, and the one that is active or next. */
  shown: readonly MaintenanceWindow[];
  /** The active or next window. */
  next: MaintenanceWindow | null;
  /** The last one that has ended. */
  ended: MaintenanceWindow | null;
  presence: UseQueryResult<Presence>;
  /** Maintenance is set here, not on another flag host. */
  here: boolean;
  onOpen: (window: MaintenanceWindow) => void;
  onPlan: (windowId: string) => void;
  onNotice: () => void;
  onStart: () => void;
};

/**
 * The current state, the current window with its timeline and actions, people at work, and what people see.
 */
export function NowTab(props: NowTabProps) {
  const { settings, shown, next, ended, presence, here, onOpen, onPlan } = props;
  const now = useServerNow();
  const phase = next === null ? 'scheduled' : phaseAt(next, now);
  const closing = next !== null && next.mode !== 'announce' && isRunning(phase) ? next : null;
  const drains =
    settings.inForce.mode !== 'off' ||
    closing !== null ||
    (phase === 'imminent' && next?.mode !== 'announce');
  return (
    <>
      <StatusCard settings={settings} window={next} />
      {here && settings.mode !== 'off' ? (
        <ImmediateCard settings={settings} goesOn={closing} onChange={props.onStart} />
      ) : null}
      {here
        ? shown.map((one) => (
            <CurrentWindow
              key={one.id}
              window={one}
              heldOpen={settings.heldOpen}
              onOpen={() => onOpen(one)}
              onChange={() => onPlan(one.id)}
            />
          ))
        : null}
      {here ? <NoticeCard settings={settings} ended={ended} onChange={props.onNotice} /> : null}
      <div className="now-tiles">
        <WorkingTile presence={presence} drains={drains} />
        <SeenTile settings={settings} window={next} />
        {next === null || settings.heldOpen || next.mode === 'announce' || closing !== null ? null : (
          <AfterStartTile window={next} />
        )}
      </div>
    </>
  );
}
