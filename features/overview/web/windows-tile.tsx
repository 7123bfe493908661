import type { OverviewWindow } from '#features/overview/contract/overview.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { useNow } from '#web/platform/time/use-now.ts';
import { daysFrom, daysTouched } from '#web/platform/time/days.ts';
import { Tile } from './tile.tsx';

type WindowsTileProps = { windows: readonly OverviewWindow[]; now: number };

const hour = 3_600_000;
const days = 14;

/** The window that runs, or the next one: how long still, and the two weeks ahead. */
export function WindowsTile({ windows, now }: WindowsTileProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const running = windows.find(({ phase }) => phase === 'active' || phase === 'overdue');
  const next = running ?? windows[0];
  if (next === undefined) {
    return (
      <Tile
        title={t('OVERVIEW.WINDOWS.NEXT')}
        to="/maintenance"
        value={t('OVERVIEW.WINDOWS.NONE')}
        text={t('OVERVIEW.WINDOWS.NONE_TEXT')}
      >
        <TwoWeeks windows={windows} now={now} />
      </Tile>
    );
  }
  return (
    <Tile
      title={t(running === undefined ? 'OVERVIEW.WINDOWS.NEXT' : 'OVERVIEW.WINDOWS.RUNNING')}
      to="/maintenance"
      value={<TimeLeft window={next} />}
      text={t('OVERVIEW.WINDOWS.FACTS', {
        title: next.title,
        mode: t(`OVERVIEW.WINDOWS.MODES.${catalogueKey(next.mode)}`),
        from: formats.dateTime(next.startsAt),
        until:
          formats.date(next.startsAt) === formats.date(next.endsAt)
            ? formats.time(next.endsAt)
            : formats.dateTime(next.endsAt),
      })}
    >
      {running === undefined ? <TwoWeeks windows={windows} now={now} /> : <Progress window={running} />}
    </Tile>
  );
}

/** The countdown, in seconds once it is near. */
function TimeLeft({ window }: { window: OverviewWindow }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow(1_000);
  const started = window.phase === 'active' || window.phase === 'overdue';
  const left = (started ? window.endsAt : window.startsAt) - now;
  if (started && left <= 0) return t('OVERVIEW.WINDOWS.OVERDUE', { time: formats.duration(-left) });
  if (left > 24 * hour) return formats.relative(window.startsAt, now);
  const time = left > hour ? formats.duration(left) : clockOf(left);
  return t(started ? 'OVERVIEW.WINDOWS.LEFT' : 'OVERVIEW.WINDOWS.IN', { time });
}

/** `12:04`: minutes and seconds. */
function clockOf(left: number): string {
  const seconds = Math.max(0, Math.ceil(left / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** How far a window has come between its start and its planned end. */
function Progress({ window: { startsAt, endsAt } }: { window: OverviewWindow }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow(10_000);
  const part = Math.min(100, Math.max(0, Math.round(((now - startsAt) / (endsAt - startsAt)) * 100)));
  return (
    <div className="overview-progress-frame">
      <div
        className="overview-progress"
        role="img"
        aria-label={t('OVERVIEW.WINDOWS.PROGRESS', { part: formats.number(part) })}
      >
        <span style={{ width: `${part}%` }} />
      </div>
      <p className="overview-ends" aria-hidden="true">
        <span>{formats.time(startsAt)}</span>
        <span>{formats.time(endsAt)}</span>
      </p>
    </div>
  );
}

/** Two weeks from today on, with the days on which windows are planned. */
function TwoWeeks({ windows, now }: WindowsTileProps) {
  const { t } = useTranslation();
  const { date, list, timeZone } = useFormats();
  const starts = daysFrom(now, days, timeZone);
  const touched = daysTouched(windows, starts);
  const named = starts.filter((_start, index) => touched[index]).map(date);
  return (
    <div
      className="overview-weeks"
      role="img"
      aria-label={
        named.length === 0
          ? t('OVERVIEW.WINDOWS.WEEKS_FREE')
          : t('OVERVIEW.WINDOWS.WEEKS', { days: list(named) })
      }
    >
      {touched.map((isTouched, index) => (
        <span key={index} data-window={isTouched} title={date(starts[index] ?? now)} />
      ))}
    </div>
  );
}
