import { activityStep, type Overview } from '#features/overview/contract/overview.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Trend } from '#web/ui/trend.tsx';
import { countsByDay, daysUntil } from '#web/platform/time/days.ts';
import { Tile } from './tile.tsx';
import { WindowsTile } from './windows-tile.tsx';

/** The figures of now, each with a picture of how they came about. */
export function OverviewTiles({ overview, now }: { overview: Overview; now: number }) {
  const { people, reports, windows, sdks, figuresFrom } = overview;
  return (
    <div className="overview-tiles">
      {people === null ? null : <PeopleTile people={people} from={figuresFrom} />}
      {reports === null ? null : <ReportsTile reports={reports} now={now} />}
      {windows === null ? null : <WindowsTile windows={windows} now={now} />}
      {sdks === null ? null : <SdksTile sdks={sdks} from={figuresFrom} />}
    </div>
  );
}

function PeopleTile({ people, from }: { people: NonNullable<Overview['people']>; from: number }) {
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
      <DayLine
        title={t('OVERVIEW.PEOPLE.TITLE')}
        from={from}
        figures={people.figures}
        words={(count) => t('OVERVIEW.PEOPLE.AT', { count, number: number(count) })}
      />
    </Tile>
  );
}

function SdksTile({ sdks, from }: { sdks: NonNullable<Overview['sdks']>; from: number }) {
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
      <DayLine
        title={t('OVERVIEW.SDKS.TITLE')}
        from={from}
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

type DayLineProps = {
  title: string;
  from: number;
  figures: readonly (number | null)[];
  words: (figure: number, index: number) => string;
};

/** A line over the last 24 hours, or what will stand there. */
function DayLine({ title, from, figures, words }: DayLineProps) {
  const { t } = useTranslation();
  const { number, time } = useFormats();
  const known = figures.filter((figure) => figure !== null);
  if (known.length < 2) return <p className="overview-text">{t('OVERVIEW.FIGURES_SOON')}</p>;
  return (
    <Trend
      kind="line"
      label={t('OVERVIEW.DAY_LINE', {
        title,
        least: number(Math.min(...known)),
        most: number(Math.max(...known)),
      })}
      points={figures.map((value, index) => ({
        value,
        text: t('OVERVIEW.AT', {
          time: time(from + index * activityStep),
          figure: value === null ? t('OVERVIEW.NOT_RUNNING') : words(value, index),
        }),
      }))}
    />
  );
}

const days = 14;

function ReportsTile({ reports, now }: { reports: NonNullable<Overview['reports']>; now: number }) {
  const { t } = useTranslation();
  const { number, date, relative, timeZone } = useFormats();
  const starts = daysUntil(now, days, timeZone);
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
        label={t('OVERVIEW.REPORTS.BARS', { reports: words(sum) })}
        points={counts.map((value, index) => ({
          value,
          text: t('OVERVIEW.AT', { time: date(starts[index] ?? now), figure: words(value) }),
        }))}
      />
    </Tile>
  );
}
