import {
  errorPeriod,
  type CountedPeriod,
  type ErrorPeriod,
} from '#features/diagnostics/contract/diagnostics.ts';
import { useTranslation } from 'react-i18next';
import { CountBars } from '#web/ui/count-bars.tsx';
import { PeriodChoice } from '#web/ui/period-choice.tsx';
import { startsOf } from './errors-queries.ts';
import { useFormats } from '#web/platform/contexts.tsx';

type CountsPictureProps = {
  period: CountedPeriod;
  events: readonly number[];
  /** Left out for a single error: refused events belong to no error. */
  refused?: readonly number[];
};

/** Events over time, with those that were refused above them. */
export function CountsPicture({ period, events, refused }: CountsPictureProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const hourly = period.step < 86_400_000;
  const starts = startsOf(period);
  // A day may begin up to an hour before midnight: where clocks are not a whole hour from UTC, or were changed since.
  const dayOf = (at: number) => formats.date(at + 43_200_000);
  const timeOf = (at: number) => (hourly ? formats.dateTime(at) : dayOf(at));
  const wordsOf = (count: number, lost: number) =>
    [
      t('DIAGNOSTICS.EVENTS', { count, number: formats.number(count) }),
      ...(lost > 0 ? [t('DIAGNOSTICS.REFUSED', { count: lost, number: formats.number(lost) })] : []),
    ].join(', ');
  const counted = (time: string, counts: string) => t('DIAGNOSTICS.COUNTED', { time, counts });
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  const allRefused = sum(refused ?? []);
  const middle = starts[Math.floor(starts.length / 2)];
  const ends = [starts[0], middle, starts.at(-1)].filter((at) => at !== undefined);
  return (
    <CountBars
      label={counted(t(`DIAGNOSTICS.PERIODS.${keyOf(period)}.LONG`), wordsOf(sum(events), allRefused))}
      bars={starts.map((at, index) => {
        const [value = 0, above = 0] = [events[index], refused?.[index]];
        return { text: counted(timeOf(at), wordsOf(value, above)), value, above };
      })}
      top={formats.number}
      ends={ends.map((at) => (hourly ? formats.time(at) : dayOf(at)))}
      {...(allRefused > 0
        ? { legend: { value: t('DIAGNOSTICS.STORED'), above: t('DIAGNOSTICS.REFUSED_LEGEND') } }
        : {})}
    />
  );
}

const keys = { '24h': 'DAY', '14d': 'TWO_WEEKS', '30d': 'MONTH' } as const;

function keyOf({ step, steps }: CountedPeriod): string {
  return keys[step < 86_400_000 ? '24h' : steps > 14 ? '30d' : '14d'];
}

type ErrorPeriodChoiceProps = { period: ErrorPeriod; onPeriod: (period: ErrorPeriod) => void };

/** The last day, two weeks or month. */
export function ErrorPeriodChoice({ period, onPeriod }: ErrorPeriodChoiceProps) {
  const { t } = useTranslation();
  return (
    <PeriodChoice
      label={t('DIAGNOSTICS.PERIOD')}
      periods={errorPeriod.options.map((value) => ({
        value,
        short: t(`DIAGNOSTICS.PERIODS.${keys[value]}.SHORT`),
        long: t(`DIAGNOSTICS.PERIODS.${keys[value]}.LONG`),
      }))}
      value={period}
      onValue={onPeriod}
    />
  );
}
