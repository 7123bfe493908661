import type { Overview, OverviewPeriod, OverviewWindow } from '#features/overview/contract/overview.ts';
import { useTranslation } from 'react-i18next';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { useNow } from '#web/platform/time/use-now.ts';
import { Trend } from '#web/ui/trend.tsx';
import { countsByDay, daysFrom, daysTouched, daysUntil } from '#web/platform/time/days.ts';
import { useFormats } from '#web/platform/contexts.tsx';

/** The current figures, each with a picture of how it developed. */
export function OverviewTiles({ overview, now }: { overview: Overview; now: number }) {
  const { period, people, reports, windows, sdks, figuresFrom: from, figuresStep: step } = overview;
  const time = { from, step, period };
  return (
    <div className="overview-tiles">
      {people === null ? null : <PeopleTile people={people} {...time} />}
      {reports === null ? null : (
        <ReportsTile reports={reports} now={now} days={period === '30d' ? 30 : days} />
      )}
      {windows === null ? null : <WindowsTile windows={windows} now={now} />}
      {sdks === null ? null : <SdksTile sdks={sdks} {...time} />}
    </div>
  );
}

/** The time of the first figure of a line, and the milliseconds that one figure stands for. */
type LineTime = { from: number; step: number; period: OverviewPeriod };

function PeopleTile({ people, ...time }: LineTime & { people: NonNullable<Overview['people']> }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const tabs = t('OVERVIEW.PEOPLE.TABS', { count: people.tabs, number: number(people.tabs) });
  return (
    <Tile
      title={t('OVERVIEW.PEOPLE.TITLE')}
      value={number(people.people)}
      text={
        people.unsaved === 0
          ? tabs
          : t('OVERVIEW.PEOPLE.UNSAVED', { tabs, count: people.unsaved, number: number(people.unsaved) })
      }
    >
      <PeriodLine
        title={t('OVERVIEW.PEOPLE.TITLE')}
        {...time}
        figures={people.figures}
        words={(count) => t('OVERVIEW.PEOPLE.AT', { count, number: number(count) })}
      />
    </Tile>
  );
}

function SdksTile({ sdks, ...time }: LineTime & { sdks: NonNullable<Overview['sdks']> }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const evaluations = (count: number) => t('OVERVIEW.SDKS.EVALUATIONS', { count, number: number(count) });
  return (
    <Tile
      title={t('OVERVIEW.SDKS.TITLE')}
      to="/flags"
      value={number(sdks.connected)}
      text={evaluations(sdks.evaluations)}
    >
      <PeriodLine
        title={t('OVERVIEW.SDKS.TITLE')}
        {...time}
        figures={sdks.figures}
        words={(count, index) =>
          [
            t('OVERVIEW.SDKS.AT', { count, number: number(count) }),
            evaluations(sdks.evaluationFigures[index] ?? 0),
          ].join(', ')
        }
      />
    </Tile>
  );
}

type PeriodLineProps = LineTime & {
  title: string;
  figures: readonly (number | null)[];
  words: (figure: number, index: number) => string;
};

/** A line over the period; with fewer than two figures, a text that announces the line. */
function PeriodLine({ title, from, step, period, figures, words }: PeriodLineProps) {
  const { t } = useTranslation();
  const { number, time, dateTime } = useFormats();
  const known = figures.filter((figure) => figure !== null);
  if (known.length < 2) return <p className="muted small breaks">{t('OVERVIEW.FIGURES_SOON')}</p>;
  return (
    <Trend
      kind="line"
      label={t('OVERVIEW.LINE', {
        title,
        period: t(`OVERVIEW.PERIODS.${periodKeys[period]}.LONG`),
        least: number(Math.min(...known)),
        most: number(Math.max(...known)),
      })}
      points={figures.map((value, index) => ({
        value,
        text: t('OVERVIEW.AT', {
          time: (period === '24h' ? time : dateTime)(from + index * step),
          figure: value === null ? t('OVERVIEW.NOT_RUNNING') : words(value, index),
        }),
      }))}
    />
  );
}

/** The keys of the texts of periods. */
export const periodKeys = { '24h': 'DAY', '7d': 'WEEK', '30d': 'MONTH' } as const;

const days = 14;

type ReportsTileProps = { reports: NonNullable<Overview['reports']>; now: number; days: number };

function ReportsTile({ reports, now, days: shown }: ReportsTileProps) {
  const { t } = useTranslation();
  const { number, date, relative, timeZone } = useFormats();
  const starts = daysUntil(now, shown, timeZone);
  const counts = countsByDay(reports.arrived, starts);
  const sum = counts.reduce((all, count) => all + count, 0);
  const words = (count: number) => t('OVERVIEW.REPORTS.ARRIVED', { count, number: number(count) });
  const { oldestAt } = reports;
  return (
    <Tile
      title={t('OVERVIEW.REPORTS.TITLE')}
      to="/reports"
      value={number(reports.open)}
      text={[
        ...(reports.new === 0
          ? []
          : [t('OVERVIEW.REPORTS.NEW', { count: reports.new, number: number(reports.new) })]),
        oldestAt === null
          ? t('OVERVIEW.REPORTS.NONE')
          : t('OVERVIEW.REPORTS.OLDEST', { relative: relative(oldestAt, now) }),
      ].join(' · ')}
    >
      <Trend
        kind="bars"
        label={t('OVERVIEW.REPORTS.BARS', { days: shown, reports: words(sum) })}
        points={counts.map((value, index) => ({
          value,
          text: t('OVERVIEW.AT', { time: date(starts[index] ?? now), figure: words(value) }),
        }))}
      />
    </Tile>
  );
}

type WindowsTileProps = { windows: readonly OverviewWindow[]; now: number };

const hour = 3_600_000;

/** The window in progress, or the next one: the time left, and the two weeks ahead. */
function WindowsTile({ windows, now }: WindowsTileProps) {
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
    <div className="stack gap-1">
      <div
        className="share-bar"
        role="img"
        aria-label={t('OVERVIEW.WINDOWS.PROGRESS', { part: formats.number(part) })}
      >
        <span style={{ width: `${part}%` }} />
      </div>
      <p className="row between muted small" aria-hidden="true">
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
      className="overview-weeks grid"
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

type TileProps = {
  title: string;
  /** The address of the screen that shows more. */
  to?: string;
  value: ReactNode;
  text: ReactNode;
  children: ReactNode;
};

/** One figure with its name, a line about it and a picture. */
function Tile({ title, to, value, text, children }: TileProps) {
  return (
    <section className="overview-tile grid panel gap-2px pad-4">
      <h2 className="muted small strong">
        {to === undefined ? (
          title
        ) : (
          <Link className="opens" to={to}>
            {title}
          </Link>
        )}
      </h2>
      <p className="overview-value breaks">{value}</p>
      <p className="muted small breaks">{text}</p>
      <div className="overview-picture">{children}</div>
    </section>
  );
}
