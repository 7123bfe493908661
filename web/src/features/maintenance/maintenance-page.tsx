import type { Notice } from '@portico/contract/maintenance';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { createFormats, type Formats } from '../../platform/i18n/formats.ts';
import type { ServerClock } from '../../platform/server-clock.ts';
import { Mark } from '../../ui/mark.tsx';
import { clockFace, spokenMinutes, untilNextSecond } from './countdown.ts';
import './maintenance-page.css';

type FrameProps = {
  title: string;
  text?: string | undefined;
  end?: ReactNode;
  children: ReactNode;
};

/** The page without anything that moves: what the server sends before any script runs. */
export function MaintenanceFrame({ title, text, end, children }: FrameProps) {
  return (
    <div className="maintenance-page">
      <span className="maintenance-mark">
        <Mark size={56} />
      </span>
      <h1 tabIndex={-1}>{title}</h1>
      {text === undefined || text === '' ? null : <p className="maintenance-text">{text}</p>}
      {end === undefined ? null : <div className="maintenance-end">{end}</div>}
      <div className="maintenance-safe">{children}</div>
    </div>
  );
}

/** The clock and, below it, when it ends. A `face` of a space keeps the place of one, so that nothing moves when it comes. */
export function ExpectedEnd({ face, until }: { face: string | null; until: string }) {
  return (
    <>
      {face === null ? null : (
        <p className="maintenance-clock" role="timer">
          {face}
        </p>
      )}
      <p className="maintenance-until">{until}</p>
    </>
  );
}

type MaintenancePageProps = {
  notice: Notice;
  /** Milliseconds since the epoch by the server, or null where nobody knows. */
  expectedEnd: number | null;
  clock: Pick<ServerClock, 'now'>;
  /** `reopened`: it is over, and the way back is under way. `unreachable`: the server does not answer. */
  state?: 'closed' | 'reopened' | 'unreachable';
  /** Ways out, such as passing through to work. */
  children?: ReactNode;
};

/** What people see while the house is closed (MAINT-3). It fills what it stands in. */
export function MaintenancePage({
  notice,
  expectedEnd,
  clock,
  state = 'closed',
  children,
}: MaintenancePageProps) {
  const { t } = useTranslation();
  if (state === 'reopened') {
    return (
      <MaintenanceFrame title={t('MAINTENANCE.PAGE.REOPENED')}>
        <p role="status">{t('MAINTENANCE.PAGE.REOPENING')}</p>
      </MaintenanceFrame>
    );
  }
  return (
    <MaintenanceFrame
      title={t('MAINTENANCE.PAGE.TITLE')}
      text={notice.maintenanceText}
      end={expectedEnd === null ? undefined : <Countdown end={expectedEnd} clock={clock} />}
    >
      <p>{t('MAINTENANCE.PAGE.BY_ITSELF')}</p>
      <p role="status" className="maintenance-trouble">
        {state === 'unreachable' ? t('MAINTENANCE.PAGE.UNREACHABLE') : null}
      </p>
      {children}
    </MaintenanceFrame>
  );
}

function Countdown({ end, clock }: { end: number; clock: Pick<ServerClock, 'now'> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [now, setNow] = useState(clock.now);
  const [spoken, setSpoken] = useState<number | null>(null);
  const before = useRef(0);
  const left = end - now;

  useEffect(() => {
    const crossed = spokenMinutes(before.current, left);
    before.current = left;
    if (crossed !== null) setSpoken(crossed);
    const timer = setTimeout(() => setNow(clock.now()), untilNextSecond(left));
    return () => clearTimeout(timer);
  }, [clock, left]);

  return (
    <>
      {left > 0 ? (
        <ExpectedEnd face={clockFace(left)} until={untilText(t, formats, end, now)} />
      ) : (
        <p className="maintenance-until">{t('MAINTENANCE.PAGE.OVERDUE')}</p>
      )}
      <p role="status" className="visually-hidden">
        {spoken !== null && left > 0
          ? t('MAINTENANCE.PAGE.LEFT', { duration: minutesInWords(formats.locale, spoken) })
          : null}
      </p>
    </>
  );
}

type Translate = (key: string, values: Record<string, string>) => string;

/** With the date where it is not today, and in UTC as well, which people in several places share. */
function untilText(t: Translate, here: Formats, end: number, now: number): string {
  const utc = createFormats(here.locale, 'UTC');
  const time = here.date(end) === here.date(now) ? here.time(end) : here.dateTime(end);
  if (here.dateTime(end) === utc.dateTime(end)) return t('MAINTENANCE.PAGE.UNTIL_UTC', { time });
  const inUtc = utc.date(end) === here.date(end) ? utc.time(end) : utc.dateTime(end);
  return t('MAINTENANCE.PAGE.UNTIL', { time, utc: inUtc });
}

function minutesInWords(locale: string, minutes: number): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' }).format(
    minutes,
  );
}
