import type { MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import { textOfPhase } from '#features/maintenance/contract/texts.ts';
import type { MaintenanceWindow, WindowPhase } from '#features/maintenance/contract/windows.ts';
import type { Presence } from '#features/presence/contract/presence.ts';
import { useInfiniteQuery, type UseQueryResult } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { Notice } from '#web/ui/notice.tsx';
import { shortTime } from '../../time-words.ts';
import { ImmediateCard, NoticeCard } from '../immediate/immediate-card.tsx';
import { historyQuery } from '../maintenance-queries.ts';
import { Picture } from '../plan/preview.tsx';
import { WorkingTile } from '../presence.tsx';
import { useServerNow } from '#web/platform/time/use-now.ts';
import { isRunning, isTextRead, phaseAt, textReadUntil, whatPeopleSee } from '../windows/phase-at.ts';
import { WindowSteps } from '../windows/window-steps.tsx';
import { WindowTimeline } from '../windows/window-timeline.tsx';
import { spanWords, withUtc } from '../windows/window-times.ts';
import { StatusCard } from './status-card.tsx';

export type NowTabProps = {
  settings: MaintenanceSettings;
  /** What matters now: a window that has just ended, and the one that is active or next. */
  shown: readonly MaintenanceWindow[];
  /** The active or next window. */
  next: MaintenanceWindow | null;
  /** The last ended window. */
  ended: MaintenanceWindow | null;
  presence: UseQueryResult<Presence>;
  /** Maintenance is set here, not on another flag host. */
  isEditable: boolean;
  onOpen: (window: MaintenanceWindow) => void;
  onPlan: (windowId: string) => void;
  onDialog: (what: 'notice' | 'start') => void;
};

/**
 * The current state, people at work, the current window with its timeline and actions, and what people see.
 */
export function NowTab(props: NowTabProps) {
  const { settings, shown, next, ended, presence, isEditable, onOpen, onPlan, onDialog } = props;
  const { t } = useTranslation();
  const now = useServerNow();
  const phase = next === null ? 'scheduled' : phaseAt(next, now);
  const { inForce, heldOpen } = settings;
  const { text, texts } = inForce.text === '' && inForce.upcoming !== null ? inForce.upcoming : inForce;
  const seen = whatPeopleSee({ mode: inForce.mode, text, heldOpen, window: next, now });
  const picture = (
    <SeenAs
      seen={seen}
      notice={{ maintenanceText: text, texts, maintenanceTextSeverity: inForce.severity }}
      upcoming={inForce.upcoming}
      expectedEnd={inForce.expectedEnd}
      clock={useServerClock()}
    />
  );
  // A window may show another text of the same or a higher severity.
  const showsNotice = seen === 'NOTICE' && text === settings.text;
  const hasNotice = isEditable && settings.mode === 'off' && settings.text !== '';
  const activeWindow = next !== null && next.mode !== 'announce' && isRunning(phase) ? next : null;
  const showsDrain =
    settings.inForce.mode !== 'off' ||
    activeWindow !== null ||
    (phase === 'imminent' && next?.mode !== 'announce');
  return (
    <>
      <div className="now-top stack gap-5">
        <StatusCard settings={settings} window={next} />
        <WorkingTile presence={presence} showsDrain={showsDrain} />
      </div>
      {isEditable && settings.mode !== 'off' ? (
        <ImmediateCard settings={settings} activeWindow={activeWindow} onChange={() => onDialog('start')} />
      ) : null}
      {isEditable
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
      <div className="now-tiles stack gap-5">
        {isEditable ? (
          <NoticeCard settings={settings} ended={ended} onChange={() => onDialog('notice')}>
            {showsNotice ? (
              picture
            ) : (
              <blockquote className="notice-text-shown scrolls breaks" dir="auto">
                {settings.text}
              </blockquote>
            )}
          </NoticeCard>
        ) : null}
        {hasNotice && showsNotice ? null : (
          <Tile title={t('MAINTENANCE.CONSOLE.SEEN.TITLE')} seen={seen}>
            {picture}
          </Tile>
        )}
        {next === null || settings.heldOpen || next.mode === 'announce' || activeWindow !== null ? null : (
          <AfterStartTile window={next} />
        )}
      </div>
    </>
  );
}

/** The width in pixels at which a preview is drawn; a narrower tile scales the preview down. */
const previewWidth = 360;

type Seen = ReturnType<typeof whatPeopleSee>;

/** What a window will show once it has started. */
function AfterStartTile({ window }: { window: MaintenanceWindow }) {
  const { t } = useTranslation();
  const clock = useServerClock();
  const { startsAt, endsAt, severity, mode } = window;
  const { text, texts } = textOfPhase(window, 'during');
  const seen = mode === 'full' ? 'PAGE' : 'READ_ONLY';
  return (
    <Tile title={t('MAINTENANCE.CONSOLE.SEEN.AFTER_START')} seen={seen}>
      <SeenAs
        // Its countdown begins again with another start.
        key={startsAt}
        seen={seen}
        notice={{ maintenanceText: text, texts, maintenanceTextSeverity: severity }}
        expectedEnd={endsAt}
        // The page is shown as at the start, with the whole time left.
        clock={{ now: () => Math.max(startsAt, clock.now()) }}
      />
    </Tile>
  );
}

type SeenAsProps = Omit<ComponentProps<typeof Picture>, 'shows' | 'readOnly' | 'wide'> & { seen: Seen };

/** A picture of what people see. */
function SeenAs({ seen, ...picture }: SeenAsProps) {
  const { t } = useTranslation();
  return (
    <Picture
      {...picture}
      wide={previewWidth}
      shows={seen === 'PAGE' ? 'page' : 'application'}
      readOnly={seen === 'READ_ONLY' ? t('MAINTENANCE.RIBBON.READ_ONLY') : undefined}
    />
  );
}

/** What people see, in a sentence and as a picture of it. */
function Tile({ title, seen, children }: { title: string; seen: Seen; children: ReactNode }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section className="panel stack gap-2 pad-4" aria-labelledby={id}>
      <h2 id={id} className="heading">
        {title}
      </h2>
      <p>{t(`MAINTENANCE.CONSOLE.SEEN.${seen}`)}</p>
      {children}
    </section>
  );
}

type CurrentWindowProps = {
  window: MaintenanceWindow;
  /** The break-glass file keeps maintenance off, whatever is planned. */
  heldOpen: boolean;
  onOpen: () => void;
  onChange: () => void;
};

/** The current or next window: its timeline from the plan to the end, what comes next, and the possible steps. */
function CurrentWindow({ window, heldOpen, onOpen, onChange }: CurrentWindowProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const title = useId();
  const now = useServerNow();
  const phase = phaseAt(window, now);
  const history = useInfiniteQuery(historyQuery(window.id));
  return (
    <section className="panel stack gap-4 pad-4" aria-labelledby={title}>
      <div className="current-head row wrap between top gap-3-6">
        <div>
          <h2 id={title} className="heading">
            <button type="button" className="link-title plain breaks" dir="auto" onClick={onOpen}>
              {window.title}
            </button>
          </h2>
          <p className="muted">
            {[
              t(`MAINTENANCE.CONSOLE.WINDOW_MODES.${catalogueKey(window.mode)}.LABEL`),
              withUtc(t, spanWords(formats, window.startsAt, window.endsAt)),
            ].join(' · ')}
          </p>
        </div>
        <WindowSteps window={window} phase={phase} now={now} onChange={onChange} />
      </div>
      <WindowTimeline
        window={window}
        phase={phase}
        now={now}
        history={history.data?.pages.flatMap(({ entries }) => entries) ?? null}
      />
      {phase === 'overdue' && !heldOpen ? (
        <Notice
          severity="high"
          title={t('MAINTENANCE.CONSOLE.OVERDUE.TITLE', { duration: formats.duration(now - window.endsAt) })}
        >
          {t('MAINTENANCE.CONSOLE.OVERDUE.TEXT')}
        </Notice>
      ) : (
        <p className="measure">
          {t(`MAINTENANCE.CONSOLE.NEXT.${nextKey(window, phase, heldOpen, now)}`, {
            lead: shortTime(formats, window.startsAt - window.leadMinutes * 60_000, now),
            start: shortTime(formats, window.startsAt, now),
            end: shortTime(formats, window.endsAt, now),
            over: window.overAt === null ? '' : shortTime(formats, window.overAt, now),
            until: shortTime(formats, textReadUntil(window) ?? now, now),
          })}
        </p>
      )}
    </section>
  );
}

function nextKey(window: MaintenanceWindow, phase: WindowPhase, heldOpen: boolean, now: number): string {
  const { endsByItself, mode, leadMinutes, overAt } = window;
  if (isTextRead(window, now)) return 'ENDED_READ';
  if (heldOpen && overAt === null) return 'HELD';
  if (phase === 'active' && !endsByItself && mode !== 'announce') return 'ACTIVE_BY_HAND';
  if (phase === 'imminent' && mode === 'announce') return 'IMMINENT_ANNOUNCE';
  if (phase === 'scheduled' && leadMinutes === 0) return 'SCHEDULED_UNWARNED';
  return catalogueKey(phase);
}
