import type { MaintenanceSettings } from '@portico/contract/maintenance/settings';
import type { MaintenanceWindow } from '@portico/contract/maintenance/windows';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Activity, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddressFilter } from '../../../platform/lists/address-filter.ts';
import { useApi, useCan } from '../../../platform/contexts.tsx';
import { HistoryLink } from '../../../platform/lists/history-link.tsx';
import { useOpenedRow } from '../../../platform/lists/opened-row.ts';
import { ProblemError } from '../../../platform/calls/problem-error.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ScreenHead } from '../../../ui/screen-head.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Announcements } from './announcements.tsx';
import { ByHand } from './by-hand/by-hand.tsx';
import { HistoryList } from './history/history-list.tsx';
import { PastWindows } from './history/past-windows.tsx';
import {
  comingWindowsQuery,
  maintenanceQuery,
  pastWindowsQuery,
  presenceQuery,
} from './maintenance-queries.ts';
import { NowPanel } from './now-panel.tsx';
import { PlanView } from './plan/plan-view.tsx';
import { useServerNow } from './use-server-now.ts';
import { usePhaseChanges } from './use-phase-changes.ts';
import { ComingWindows } from './windows/coming-windows.tsx';
import { CurrentWindow } from './windows/current-window.tsx';
import { currentWindow, isRunning, phaseAt } from './windows/phase-at.ts';
import { WindowDialog } from './windows/window-dialog.tsx';
import './maintenance-screen.css';

const newWindow = 'new';
/** How long a window that has just ended stays shown, in milliseconds. */
const shownAfterEnd = 10 * 60_000;

/** The operator's maintenance, from planning to the end, on one screen (MAINT-7). */
export function MaintenanceConsole() {
  const { t } = useTranslation();
  const api = useApi();
  const settings = useQuery(maintenanceQuery(api));
  const coming = useQuery(comingWindowsQuery(api));
  const error = settings.error ?? coming.error;
  return (
    <>
      {settings.isPending || (coming.isPending && !settings.isError) ? (
        <>
          <Head />
          <Skeleton label={t('MAINTENANCE.CONSOLE.LOADING')} count={8} />
        </>
      ) : settings.data === undefined || coming.data === undefined ? (
        <>
          <Head />
          <ErrorState
            title={t('MAINTENANCE.CONSOLE.FAILED.TITLE')}
            retry={{
              label: t('COMMON.RETRY'),
              onRetry: () => void Promise.all([settings.refetch(), coming.refetch()]),
              busy: settings.isFetching || coming.isFetching,
            }}
            detail={error instanceof ProblemError ? error.requestId : undefined}
          >
            {t('MAINTENANCE.CONSOLE.FAILED.TEXT')}
          </ErrorState>
        </>
      ) : (
        <Console settings={settings.data} windows={coming.data} outdated={error !== null} />
      )}
    </>
  );
}

function Head({ action }: { action?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <ScreenHead title={t('MAINTENANCE.CONSOLE.TITLE')} lead={t('MAINTENANCE.CONSOLE.LEAD')}>
      {action}
    </ScreenHead>
  );
}

type ConsoleProps = {
  settings: MaintenanceSettings;
  windows: readonly MaintenanceWindow[];
  /** The last reload has failed. */
  outdated: boolean;
};

function Console({ settings, windows, outdated }: ConsoleProps) {
  const { t } = useTranslation();
  const api = useApi();
  const can = useCan();
  const now = useServerNow();
  const [address, setAddress] = useAddressFilter(['plan', 'window']);
  const past = useInfiniteQuery(pastWindowsQuery(api));
  const next = currentWindow(windows, now);
  const phase = next === null ? null : phaseAt(next, now);
  const presence = useQuery(
    presenceQuery(api, settings.inForce.mode !== 'off' || (phase ?? 'scheduled') !== 'scheduled'),
  );
  usePhaseChanges(windows);
  const opener = useRef<HTMLButtonElement>(null);
  const planning = address.plan !== '';
  const wasPlanning = useRef(planning);
  useEffect(() => {
    if (wasPlanning.current && !planning) opener.current?.focus();
    wasPlanning.current = planning;
  }, [planning]);

  const ended = past.data?.pages[0]?.windows[0];
  const justEnded =
    ended?.phase === 'ended' && ended.overAt !== null && now - ended.overAt < shownAfterEnd ? ended : null;
  // A window that has just ended is shown only if no later one needs the operator's attention.
  const shown = [phase === null || phase === 'scheduled' ? justEnded : null, next].filter(
    (one) => one !== null,
  );
  const changed = useOpenedRow(windows, address.plan, ({ id }) => id);
  const open = (window: MaintenanceWindow) => setAddress({ window: window.id }, 'push');
  const change = (windowId: string) => setAddress({ plan: windowId, window: '' }, 'push');
  const plan = (
    <Button
      ref={opener}
      tone={shown.length === 0 ? 'primary' : 'plain'}
      icon="plus"
      onClick={() => change(newWindow)}
    >
      {t('MAINTENANCE.CONSOLE.PLAN.OPEN')}
    </Button>
  );
  const closePlan = () => setAddress({ plan: '' });
  const here = settings.source === 'portico';

  return (
    <>
      <Head action={here && !planning ? plan : undefined} />
      <div className="maintenance-console">
        {outdated ? (
          <Notice severity="medium" role="status">
            {t('MAINTENANCE.CONSOLE.OUTDATED')}
          </Notice>
        ) : null}
        <NowPanel settings={settings} window={next} presence={presence} />
        <Announcements window={next} presence={presence.data} />
        {here ? null : (
          <Notice severity="info" title={t('MAINTENANCE.CONSOLE.FLAG_HOST.TITLE')}>
            {t('MAINTENANCE.CONSOLE.FLAG_HOST.TEXT')}
          </Notice>
        )}
        {here && planning ? (
          address.plan === newWindow || changed !== null ? (
            <PlanView
              key={address.plan}
              window={changed?.row ?? null}
              windows={windows}
              gone={changed?.gone ?? false}
              onClose={closePlan}
            />
          ) : (
            <Notice severity="info" role="status">
              {t('MAINTENANCE.CONSOLE.PLAN.GONE')}{' '}
              <Button small tone="quiet" onClick={closePlan}>
                {t('COMMON.CLOSE')}
              </Button>
            </Notice>
          )
        ) : null}
        {here && !planning ? (
          <>
            {shown.map((one) => (
              <CurrentWindow
                key={one.id}
                window={one}
                presence={presence.data}
                heldOpen={settings.heldOpen}
                onOpen={() => open(one)}
                onChange={() => change(one.id)}
              />
            ))}
            {windows.length === 0 ? (
              <EmptyState
                icon="clock"
                title={t('MAINTENANCE.CONSOLE.EMPTY.TITLE')}
                action={
                  <Button icon="plus" onClick={() => change(newWindow)}>
                    {t('MAINTENANCE.CONSOLE.PLAN.OPEN')}
                  </Button>
                }
              >
                {t('MAINTENANCE.CONSOLE.EMPTY.TEXT')}
              </EmptyState>
            ) : (
              <ComingWindows windows={windows} onOpen={open} onChange={(window) => change(window.id)} />
            )}
          </>
        ) : null}
        {here ? (
          // The plan hides this part without unmounting it, so that what is typed here stays.
          <Activity mode={planning ? 'hidden' : 'visible'}>
            <ByHand settings={settings} running={phase !== null && isRunning(phase) ? next : null} />
          </Activity>
        ) : null}
        {planning ? null : (
          <>
            <PastWindows onOpen={open} />
            <section className="section" aria-labelledby="maintenance-history">
              <h2 id="maintenance-history">{t('MAINTENANCE.CONSOLE.HISTORY.TITLE')}</h2>
              <HistoryList windowId={null} />
              <HistoryLink subject="maintenance">{t('MAINTENANCE.CONSOLE.HISTORY.AUDIT')}</HistoryLink>
            </section>
            {can('SETTINGS_WRITE') ? (
              <p className="muted">
                {t('MAINTENANCE.CONSOLE.WEBHOOKS.TEXT')}{' '}
                <Link to="/webhooks">{t('MAINTENANCE.CONSOLE.WEBHOOKS.LINK')}</Link>
              </p>
            ) : null}
          </>
        )}
      </div>
      {address.window === '' ? null : (
        <WindowDialog
          key={address.window}
          windowId={address.window}
          onClose={() => setAddress({ window: '' })}
          onChange={() => change(address.window)}
        />
      )}
    </>
  );
}
