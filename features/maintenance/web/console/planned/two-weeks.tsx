import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { daysFrom } from '#web/platform/time/days.ts';
import { useServerNow } from '../use-server-now.ts';
import { overlaps } from '../windows/phase-at.ts';

const days = 14;

type TwoWeeksProps = {
  windows: readonly MaintenanceWindow[];
  onOpen: (window: MaintenanceWindow) => void;
};

/** Two weeks from today on, by the reader's days, with the windows on each. */
export function TwoWeeks({ windows, onOpen }: TwoWeeksProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useServerNow();
  const starts = daysFrom(now, days, formats.timeZone);
  const weekday = named(formats.locale, formats.timeZone, { weekday: 'short' });
  const day = named(formats.locale, formats.timeZone, { day: 'numeric' });
  return (
    <ol className="weeks" aria-label={t('MAINTENANCE.CONSOLE.WEEKS.LABEL')}>
      {starts.slice(0, days).map((startsAt, index) => {
        const on = windows.filter((window) =>
          overlaps(window, { startsAt, endsAt: starts[index + 1] ?? startsAt }),
        );
        return (
          <li key={startsAt} className="weeks-day" data-today={index === 0} data-free={on.length === 0}>
            <span className="weeks-date" aria-hidden="true">
              <small>{weekday(startsAt)}</small> {day(startsAt)}
            </span>
            <span className="visually-hidden">
              {index === 0
                ? t('MAINTENANCE.CONSOLE.WEEKS.TODAY', { date: formats.date(startsAt) })
                : formats.date(startsAt)}
              {on.length === 0 ? `, ${t('MAINTENANCE.CONSOLE.WEEKS.FREE')}` : null}
            </span>
            {on.map((window) => (
              <button
                key={window.id}
                type="button"
                className="weeks-window"
                data-mode={window.mode}
                title={window.title}
                onClick={() => onOpen(window)}
              >
                {window.startsAt >= startsAt ? <strong>{formats.time(window.startsAt)}</strong> : null}
                <span dir="auto">{window.title}</span>
              </button>
            ))}
          </li>
        );
      })}
    </ol>
  );
}

function named(
  locale: string,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): (at: number) => string {
  const format = new Intl.DateTimeFormat(locale, { timeZone, ...options });
  return (at) => format.format(at);
}
