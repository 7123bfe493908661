import { type ResolvedWallTime, resolveWallTime, wallTimeAt } from '#contract/rules/wall-time.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { minutesInWords } from '#web/platform/time/days.ts';
import { createFormats } from '#web/platform/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { TimeField } from '#web/app/time-field.tsx';
import { utcFormats, utcWords } from '../../time-words.ts';
import { distanceWords } from '../windows/window-times.ts';
import { useFormats } from '#web/platform/contexts.tsx';
import type { Moment } from '#contract/wall-time.ts';

/** A date and time as typed, in the zone that is chosen with it. */
export type WallEntry = {
  /** `2026-10-25T02:30`, empty, or `halfTyped`. */
  readonly local: string;
  /** Minutes east of UTC, chosen where the clocks go back and the time comes twice; null: not chosen. */
  readonly offset: number | null;
};

export type ResolvedEntry = ResolvedWallTime | { kind: 'empty' };

const minute = 60_000;

export function resolveEntry({ local, offset }: WallEntry, timeZone: string): ResolvedEntry {
  if (local === '') return { kind: 'empty' };
  return resolveWallTime({ local, timeZone, ...(offset === null ? {} : { offset }) });
}

/** An instant as the field holds it. Where its local time comes twice, `offset` gives which one is meant. */
export function entryAt(at: number, timeZone: string): WallEntry {
  const local = wallTimeAt(at, timeZone);
  if (local === null) return { local: '', offset: null };
  const doubled = resolveWallTime({ local, timeZone }).kind === 'doubled';
  return { local, offset: doubled ? offsetOf(local, at) : null };
}

/** The value that is sent: the server resolves it by its own time zone rules. */
export function momentOf({ local, offset }: WallEntry, timeZone: string): Moment {
  return { local, timeZone, ...(offset === null ? {} : { offset }) };
}

/** Minutes east of UTC of a clock that shows `local` at that time. */
function offsetOf(local: string, at: number): number {
  return (Date.parse(`${local}Z`) - Math.floor(at / minute) * minute) / minute;
}

type WallTimeFieldProps = {
  label: string;
  entry: WallEntry;
  timeZone: string;
  /** Milliseconds since the epoch by the server. */
  now: number;
  error: string | undefined;
  disabled?: boolean;
  required?: boolean;
  hint?: string;
  /** What the form itself has changed in the field. */
  note?: string | null;
  onEntry: (entry: WallEntry) => void;
};

/**
 * A date and time in a zone, with the resulting time. Times that daylight saving skips or doubles are decided here.
 */
export function WallTimeField({ entry, timeZone, now, note, onEntry, ...field }: WallTimeFieldProps) {
  return (
    <TimeField
      required
      {...field}
      zone={timeZone}
      value={entry.local}
      onValue={(local) => onEntry({ local, offset: null })}
    >
      <div className="wall-time stack gap-2">
        <Meaning entry={entry} timeZone={timeZone} now={now} onEntry={onEntry} />
        <span className="muted small" role="status">
          {note}
        </span>
      </div>
    </TimeField>
  );
}

/** The instant of the entry, or the question which of two instants is meant. */
function Meaning({
  entry,
  timeZone,
  now,
  onEntry,
}: Pick<WallTimeFieldProps, 'entry' | 'timeZone' | 'now' | 'onEntry'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  const there = createFormats(formats.locale, timeZone);
  const resolved = resolveEntry(entry, timeZone);
  // Both times are offered even after one is chosen, so that the person can still choose the other.
  const both = entry.local === '' ? null : resolveWallTime({ local: entry.local, timeZone });

  if (resolved.kind === 'skipped')
    return (
      <Question {...{ entry, timeZone }} words="SKIPPED">
        {[resolved.before, resolved.after].map((at) => (
          <Button key={at} small onClick={() => onEntry(entryAt(at, timeZone))}>
            {t('MAINTENANCE.CONSOLE.TIME.TAKE', { time: there.time(at) })}
          </Button>
        ))}
      </Question>
    );
  return (
    <>
      {both?.kind === 'doubled' ? (
        <Question {...{ entry, timeZone }} words="DOUBLED">
          {[both.first, both.second].map((at) => (
            <Button
              key={at}
              small
              aria-pressed={entry.offset === offsetOf(entry.local, at)}
              onClick={() => onEntry({ ...entry, offset: offsetOf(entry.local, at) })}
            >
              {namedTime(formats.locale, timeZone, at)}
            </Button>
          ))}
        </Question>
      ) : null}
      {resolved.kind === 'one' ? (
        <span className="muted small">
          {[
            timeZone === 'UTC'
              ? null
              : t('MAINTENANCE.CONSOLE.TIME.UTC', { time: utcWords(there, resolved.at) }),
            timeZone === formats.timeZone
              ? null
              : t('MAINTENANCE.CONSOLE.TIME.OWN', { time: formats.dateTime(resolved.at) }),
            distanceWords(t, formats, resolved.at, now),
          ]
            .filter((part) => part !== null)
            .join(' · ')}
        </span>
      ) : null}
    </>
  );
}

type QuestionProps = Pick<WallTimeFieldProps, 'entry' | 'timeZone'> & {
  words: 'SKIPPED' | 'DOUBLED';
  children: ReactNode;
};

/** Asks which time is meant, and shows the typed time. */
function Question({ entry, timeZone, words, children }: QuestionProps) {
  const { t } = useTranslation();
  const utc = utcFormats(useFormats());
  const typed = Date.parse(`${entry.local}Z`);
  return (
    <div className="rounded stack gap-2 pad-3 tone-medium" role="status">
      <span>
        {t(`MAINTENANCE.CONSOLE.TIME.${words}`, {
          time: utc.time(typed),
          date: utc.date(typed),
          zone: timeZone.replaceAll('_', ' '),
        })}
      </span>
      <span className="row wrap">{children}</span>
    </div>
  );
}

/** `02:30 Central European Summer Time`: a time with the name of its offset, which distinguishes the two. */
function namedTime(locale: string, timeZone: string, at: number): string {
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'long',
  }).format(at);
}

type EndPresetsProps = {
  /** Milliseconds since the epoch. */
  from: number;
  timeZone: string;
  /** The present end, whose button is pressed. */
  end: WallEntry;
  /** Offers no end as well. */
  mayBeOpen?: boolean;
  onEntry: (end: WallEntry) => void;
};

/** Buttons for usual durations. The end is rounded up to a minute, so that the duration is never shorter. */
export function EndPresets({ from, timeZone, end, mayBeOpen = false, onEntry }: EndPresetsProps) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  // `from` may be the present time: the pressed duration stays pressed for as long as its end is not changed.
  const [pressed, setPressed] = useState<{ label: string; local: string } | null>(null);
  const start = Math.ceil(from / 60_000);
  return (
    <div className="row wrap" role="group" aria-label={t('MAINTENANCE.CONSOLE.LASTS.LABEL')}>
      {[
        ...[15, 30, 60].map((minutes) => ({
          label: minutesInWords(locale, minutes),
          entry: entryAt((start + minutes) * 60_000, timeZone),
        })),
        ...(mayBeOpen
          ? [{ label: t('MAINTENANCE.CONSOLE.LASTS.OPEN'), entry: { local: '', offset: null } }]
          : []),
      ].map(({ label, entry }) => (
        <Button
          key={label}
          small
          aria-pressed={pressed?.local === end.local ? pressed.label === label : entry.local === end.local}
          onClick={() => {
            setPressed({ label, local: entry.local });
            onEntry(entry);
          }}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
