import { useTranslation } from 'react-i18next';
import { Icon } from '#web/ui/icon.tsx';

/** A point of the line, in the order of time. */
export type Stop = {
  key: string;
  name: string;
  /** `late`: it is over and should not be. */
  state: 'done' | 'here' | 'late' | 'ahead';
  /** Milliseconds since the epoch, as far as it is known, so that the line fills up until the next one. */
  at: number | null;
  /** When it was, or will be. */
  time: string;
  /** The plan, where it was another one. */
  planned?: string | undefined;
};

/** One line from the plan to the end: each stop with its time and with the plan, and how far it has come. */
export function Timeline({ stops, now }: { stops: readonly Stop[]; now: number }) {
  const { t } = useTranslation();
  return (
    <ol className="stepper">
      {stops.map((stop, index) => (
        <li
          key={stop.key}
          className={`step step-${stop.state}`}
          aria-current={stop.state === 'here' || stop.state === 'late' ? 'step' : undefined}
          style={{ '--part': `${Math.round(partOf(stop, stops[index + 1], now) * 100)}%` } as object}
        >
          <span className="step-mark">
            {stop.state === 'done' ? <Icon name="check" size={14} /> : null}
            {stop.state === 'late' ? <Icon name="alert" size={14} /> : null}
          </span>
          <span className="step-name">
            {stop.name}
            {stop.state === 'done' ? (
              <span className="visually-hidden"> {t('MAINTENANCE.CONSOLE.STAGES.DONE')}</span>
            ) : null}
          </span>
          <span className="step-time">
            {stop.time}
            {stop.planned === undefined ? null : <span className="step-planned"> {stop.planned}</span>}
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
