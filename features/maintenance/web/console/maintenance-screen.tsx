import type { MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { useOpenedRow } from '#web/platform/lists/opened-row.ts';
import { ProblemError } from '#web/platform/calls/problem-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { Announcements, usePhaseChanges } from './announcements.tsx';
import { HistoryTab } from './history.tsx';
import { NoticeDialog, StartDialog } from './immediate/immediate-dialogs.tsx';
import {
  comingWindowsQuery,
  maintenanceQuery,
  pastWindowsQuery,
  presenceQuery,
} from './maintenance-queries.ts';
import { NowTab, type NowTabProps } from './now/now-tab.tsx';
import { StatusTag } from './now/status-card.tsx';
import { PlanView } from './plan/plan-view.tsx';
import { PlannedTab } from './planned-tab.tsx';
import { useServerNow } from '#web/platform/time/use-now.ts';
import { currentWindow, isTextRead, phaseAt } from './windows/phase-at.ts';
import { WindowDialog } from './windows/window-dialog.tsx';
import { useFormats } from '#web/platform/contexts.tsx';
import { isFirstLoad, useAddressFilter } from '#web/platform/lists/list-state.ts';
import './maintenance-screen.css';

const tabs = ['now', 'planned', 'history'] as const;
/** The value of `plan` in the address for a window that is not saved yet. */
const newWindow = 'new';
/** How long a window that has just ended stays shown, in milliseconds. */
const shownAfterEnd = 10 * 60_000;

/** The operator's maintenance, from planning to the end, in three tabs (MAINT-7). */
export function MaintenanceConsole() {
  const { t } = useTranslation();
  const settings = useQuery(maintenanceQuery);
  const coming = useQuery(comingWindowsQuery);
  const error = settings.error ?? coming.error;
  if (settings.data !== undefined && coming.data !== undefined)
    return <Console settings={settings.data} windows={coming.data.windows} outdated={error !== null} />;
  return (
    <>
      <Head />
      {isFirstLoad(settings) || (isFirstLoad(coming) && settings.errorUpdateCount === 0) ? (
        <Skeleton label={t('COMMON.LOADING')} count={8} />
      ) : (
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
      )}
    </>
  );
}

type HeadProps = { planning?: boolean; beside?: ReactNode; children?: ReactNode };

function Head({ planning = false, beside, children }: HeadProps) {
  const { t } = useTranslation();
  return (
    <ScreenHead
      title={t('MAINTENANCE.CONSOLE.TITLE')}
      beside={beside}
      lead={planning ? undefined : t('MAINTENANCE.CONSOLE.LEAD')}
    >
      {children}
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
  const now = useServerNow();
  const [address, setAddress] = useAddressFilter(['tab', 'plan', 'window', 'do']);
  const next = currentWindow(windows, now);
  const phase = next === null ? null : phaseAt(next, now);
  const presence = useQuery(
    presenceQuery(settings.inForce.mode !== 'off' || (phase ?? 'scheduled') !== 'scheduled'),
  );
  usePhaseChanges(windows);
  const opener = useRef<HTMLButtonElement>(null);
  const planning = address.plan !== '';
  const tab = tabs.find((one) => one === address.tab) ?? 'now';
  const wasPlanning = useRef(planning);
  useEffect(() => {
    if (wasPlanning.current && !planning) opener.current?.focus();
    wasPlanning.current = planning;
  }, [planning]);
  const changed = useOpenedRow(windows, address.plan, ({ id }) => id);
  const change = (windowId: string) => setAddress({ plan: windowId, window: '' }, 'push');
  const closePlan = () => setAddress({ plan: '' });
  const closeDialog = () => setAddress({ do: '' });
  const isEditable = settings.source === 'portico';
  const asked = isEditable ? address.do : '';
  const isOn = settings.mode !== 'off';

  return (
    <>
      {/* The first tab shows the status in full. */}
      <Head
        planning={planning}
        beside={planning || tab !== 'now' ? <StatusTag settings={settings} window={next} /> : null}
      >
        {isEditable && !planning ? (
          <div className="row wrap">
            {settings.text === '' && !isOn ? (
              <Button onClick={() => setAddress({ do: 'notice' }, 'push')}>
                {t('MAINTENANCE.CONSOLE.NOTICE.OPEN')}
              </Button>
            ) : null}
            {isOn ? null : (
              <Button onClick={() => setAddress({ do: 'start' }, 'push')}>
                {t('MAINTENANCE.CONSOLE.MODE.OPEN')}
              </Button>
            )}
            <Button
              ref={opener}
              tone={next === null && !isOn ? 'primary' : 'plain'}
              icon="plus"
              onClick={() => change(newWindow)}
            >
              {t('MAINTENANCE.CONSOLE.PLAN.OPEN')}
            </Button>
          </div>
        ) : null}
      </Head>
      <div className="section maintenance-console above-3">
        {outdated ? (
          <Notice severity="medium" role="status">
            {t('MAINTENANCE.CONSOLE.OUTDATED')}
          </Notice>
        ) : null}
        <Announcements window={next} presence={presence.data} />
        {isEditable ? null : (
          <Notice severity="info" title={t('MAINTENANCE.CONSOLE.FLAG_HOST.TITLE')}>
            {t('MAINTENANCE.CONSOLE.FLAG_HOST.TEXT')}
          </Notice>
        )}
        {isEditable && planning ? (
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
        ) : (
          <ConsoleTabs
            settings={settings}
            windows={windows}
            next={next}
            presence={presence}
            isEditable={isEditable}
            tab={tab}
            onTab={(tab) => setAddress({ tab: tab === 'now' ? '' : tab })}
            onOpen={({ id }) => setAddress({ window: id }, 'push')}
            onPlan={change}
            onDialog={(what) => setAddress({ do: what }, 'push')}
          />
        )}
      </div>
      {asked === 'notice' ? <NoticeDialog settings={settings} onClose={closeDialog} /> : null}
      {asked === 'start' ? <StartDialog settings={settings} onClose={closeDialog} /> : null}
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

type ConsoleTabsProps = Omit<NowTabProps, 'shown' | 'ended'> & {
  windows: readonly MaintenanceWindow[];
  tab: (typeof tabs)[number];
  onTab: (tab: (typeof tabs)[number]) => void;
};

function ConsoleTabs({ windows, tab, onTab, ...rest }: ConsoleTabsProps) {
  const { next, onOpen, onPlan } = rest;
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useServerNow();
  const past = useInfiniteQuery(pastWindowsQuery);
  const phase = next === null ? null : phaseAt(next, now);
  const ended = past.data?.pages[0]?.windows.find((window) => window.phase === 'ended') ?? null;
  const isRecent =
    ended !== null && ended.overAt !== null && (now - ended.overAt < shownAfterEnd || isTextRead(ended, now));
  // A window that has just ended is shown only if no later one needs the operator's attention.
  const shown = [isRecent && (phase === null || phase === 'scheduled') ? ended : null, next].filter(
    (one) => one !== null,
  );
  return (
    <Tabs
      label={t('MAINTENANCE.CONSOLE.TITLE')}
      tabs={tabs.map((key) => ({
        key,
        label: t(`MAINTENANCE.CONSOLE.TABS.${catalogueKey(key)}`),
        count: key === 'planned' && windows.length > 0 ? formats.number(windows.length) : undefined,
      }))}
      chosen={tab}
      onChoose={onTab}
    >
      <div className="stack gap-5 above-2">
        {tab === 'now' ? (
          <NowTab {...rest} shown={shown} ended={ended} />
        ) : tab === 'planned' ? (
          <PlannedTab windows={windows} onOpen={onOpen} onPlan={onPlan} />
        ) : (
          <HistoryTab onOpen={onOpen} />
        )}
      </div>
    </Tabs>
  );
}
