import type { MaintenanceWindow, WindowPhase } from '#features/maintenance/contract/windows.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { shortTime } from '../../time-words.ts';
import { historyQuery } from '../maintenance-queries.ts';
import { useServerNow } from '../use-server-now.ts';
import { isTextRead, phaseAt, textReadUntil } from './phase-at.ts';
import { spanWords, withUtc } from './window-times.ts';
import { WindowSteps } from './window-steps.tsx';
import { WindowTimeline } from './window-timeline.tsx';

type CurrentWindowProps = {
  window: MaintenanceWindow;
  /** A file keeps maintenance off, whatever is planned. */
  heldOpen: boolean;
  onOpen: () => void;
  onChange: () => void;
};

/** The current or next window: its line from the plan to the end, what comes next, and the possible steps. */
export function CurrentWindow({ window, heldOpen, onOpen, onChange }: CurrentWindowProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const title = useId();
  const now = useServerNow();
  const phase = phaseAt(window, now);
  const history = useInfiniteQuery(historyQuery(useApi(), window.id));
  return (
    <section className="current" aria-labelledby={title} data-phase={phase}>
      <div className="current-head">
        <div>
          <h2 id={title}>
            <button type="button" className="link-title" dir="auto" onClick={onOpen}>
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
        <p className="current-next">
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
