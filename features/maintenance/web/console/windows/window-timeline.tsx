import type {
  MaintenanceHistoryEntry,
  MaintenanceWindow,
  WindowPhase,
} from '#features/maintenance/contract/windows.ts';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Formats } from '#web/platform/i18n/formats.ts';
import { Icon } from '#web/ui/icon.tsx';
import { isSameDay, shortTime } from '../../time-words.ts';
import { leadBeginsAt } from './phase-at.ts';
import { useFormats } from '#web/platform/contexts.tsx';

type WindowTimelineProps = {
  window: MaintenanceWindow;
  phase: WindowPhase;
  now: number;
  /** The history of the window, as far as it is loaded. */
  history: readonly MaintenanceHistoryEntry[] | null;
};

/** A window from its plan to its end: what was planned, and what happened. */
export function WindowTimeline(props: WindowTimelineProps) {
  const { t } = useTranslation();
  return <Timeline stops={stopsOf(t, useFormats(), props)} now={props.now} />;
}

/** The number of the stop that a window in this phase has reached; the end is always 4. */
const reached: Record<WindowPhase, number> = {
  scheduled: 0,
  imminent: 1,
  active: 2,
  overdue: 3,
  ended: 4,
  cancelled: 4,
};

/** The stops: planned, notified, start, end; for an overdue window also its planned end. */
function stopsOf(
  t: TFunction,
  formats: Formats,
  { window, phase, now, history }: WindowTimelineProps,
): Stop[] {
  const here = reached[phase];
  const over = phase === 'ended' || phase === 'cancelled';
  const plan = plannedTimes(window, history ?? []);
  const warned = history === null ? null : warnedAt(history);
  // If a window was started early or without a warning, its lead time does not show when people were notified.
  const early = history !== null && history.some(({ deed }) => deed === 'started');
  const unwarned = phase !== 'imminent' && warned === null && (early || window.leadMinutes === 0);
  const notified =
    (phase === 'scheduled' ? null : warned) ?? Math.max(leadBeginsAt(window), window.createdAt);
  const endsByHand = !window.endsByItself && window.mode !== 'announce';
  const state = (index: number): Stop['state'] =>
    over || index < here ? 'done' : index === here ? 'here' : 'ahead';
  const time = (at: number) => shortTime(formats, at, now);
  const planned = (at: number, actual: number) =>
    isSameMinute(at, actual) ? undefined : t('MAINTENANCE.CONSOLE.STAGES.PLANNED_FOR', { time: time(at) });
  const name = (stage: string) => t(`MAINTENANCE.CONSOLE.STAGES.${stage}`);
  const cancelled = phase === 'cancelled';

  const stops: Stop[] = [
    { key: 'planned', name: name('PLANNED'), at: window.createdAt, state: state(0) },
    {
      key: 'notified',
      name: name('WARNED'),
      at: unwarned ? null : notified,
      state: state(1),
      time: unwarned ? t('MAINTENANCE.CONSOLE.COLUMNS.NO_LEAD') : undefined,
    },
    {
      key: 'active',
      name: name(here >= 2 && !cancelled ? 'ACTIVE' : 'STARTS'),
      at: window.startsAt,
      state: state(2),
      planned: planned(plan.startsAt, window.startsAt),
    },
  ];
  if (phase === 'overdue')
    stops.push({
      key: 'overdue',
      name: name('OVERDUE'),
      at: window.endsAt,
      state: 'late',
      time: t('MAINTENANCE.CONSOLE.STAGES.PLANNED_END', { time: time(window.endsAt) }),
      planned: planned(plan.endsAt, window.endsAt),
    });
  stops.push(endOf());
  return stops;

  function endOf(): Stop {
    const { endsAt, overAt } = window;
    const done = { key: 'ended', at: overAt ?? endsAt, state: state(4) } as const;
    if (cancelled && overAt !== null) return { ...done, name: t('MAINTENANCE.CONSOLE.PHASES.CANCELLED') };
    if (over && overAt !== null)
      return { ...done, name: name('ENDED'), planned: planned(plan.endsAt, overAt) };
    if (phase === 'overdue')
      return { ...done, at: null, name: name('ENDED'), time: t('MAINTENANCE.CONSOLE.STAGES.BY_HAND') };
    const byHand = endsByHand ? t('MAINTENANCE.CONSOLE.STAGES.YOU_END') : undefined;
    const before = planned(plan.endsAt, endsAt);
    return {
      ...done,
      name: name('ENDS'),
      planned: [before, byHand].filter((part) => part !== undefined).join(' · ') || undefined,
    };
  }
}

function isSameMinute(one: number, other: number): boolean {
  return Math.abs(one - other) < 60_000;
}

/** A point of the timeline; points are in the order of time. */
export type Stop = {
  key: string;
  name: string;
  /** `late`: the time of this stop has passed, and maintenance has not ended. */
  state: 'done' | 'here' | 'late' | 'ahead';
  /** Milliseconds since the epoch; null: unknown. Between two known times the line fills up as time passes. */
  at: number | null;
  /** The words for the time, where `at` alone does not give it. */
  time?: string | undefined;
  /** The words for the planned time, where it was another one. */
  planned?: string | undefined;
};

/** A line from the plan to the end: each stop with its actual and planned time, and how far the time has come. */
export function Timeline({ stops, now }: { stops: readonly Stop[]; now: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const today = stops.every(({ at }) => at === null || isSameDay(formats, at, now));
  const timeOf = today ? formats.time : formats.dateTime;
  return (
    <ol className="stepper grid">
      {stops.map((stop, index) => (
        <li
          key={stop.key}
          className={`step muted step-${stop.state}`}
          aria-current={stop.state === 'here' || stop.state === 'late' ? 'step' : undefined}
          style={{ '--part': `${Math.round(partOf(stop, stops[index + 1], now) * 100)}%` } as object}
        >
          <span className="step-mark disc">
            {stop.state === 'done' ? <Icon name="check" size={14} /> : null}
            {stop.state === 'late' ? <Icon name="alert" size={14} /> : null}
          </span>
          <span className="step-name">
            {stop.name}
            {stop.state === 'done' ? (
              <span className="visually-hidden"> {t('MAINTENANCE.CONSOLE.STAGES.DONE')}</span>
            ) : null}
          </span>
          <span className="step-time muted small">
            {stop.time ?? (stop.at === null ? null : timeOf(stop.at))}
            {stop.planned === undefined ? null : <span className="line"> {stop.planned}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** How far the time has come between two stops, 0 to 1. */
function partOf(stop: Stop, next: Stop | undefined, now: number): number {
  if (next === undefined || stop.state === 'ahead') return 0;
  if (next.state !== 'ahead') return 1;
  if (stop.at === null || next.at === null || next.at <= stop.at) return 0;
  return Math.min(1, Math.max(0, (now - stop.at) / (next.at - stop.at)));
}

type PlannedTimes = { startsAt: number; endsAt: number };

type Entry = Pick<MaintenanceHistoryEntry, 'at' | 'deed' | 'startsAt' | 'endsAt'>;

/**
 * The last planned start and end, in milliseconds since the epoch. A start at once moves both and an extension
 * moves the end, but neither changes the plan.
 *
 * @param window the window as it is now, for what the history does not have
 * @param history of that window, in any order
 */
export function plannedTimes(window: PlannedTimes, history: readonly Entry[]): PlannedTimes {
  const startedAt = Math.min(...history.filter(({ deed }) => deed === 'started').map(({ at }) => at));
  const plans = history
    .filter(({ deed }) => deed === 'planned' || deed === 'changed')
    .toSorted((a, b) => a.at - b.at);
  return {
    // A change after the start holds the actual start, not the planned one.
    startsAt: plans.findLast(({ at }) => at <= startedAt)?.startsAt ?? window.startsAt,
    endsAt: plans.at(-1)?.endsAt ?? window.endsAt,
  };
}

/**
 * Since when people have been warned of a window, by its history; null: not yet, or unknown. A postponed
 * start takes a warning back; a change during the warning does not.
 *
 * @param entries the history of that window, in any order
 */
export function warnedAt(
  entries: readonly Pick<MaintenanceHistoryEntry, 'id' | 'at' | 'deed' | 'phase'>[],
): number | null {
  let since: number | null = null;
  // Entries of one change have the same time; their ids are in order.
  for (const { at, deed, phase } of entries.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)))
    if (deed === 'warned' || phase === 'imminent') since ??= at;
    else if (phase === 'scheduled') since = null;
  return since;
}
