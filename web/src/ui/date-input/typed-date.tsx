import {
  type CalendarDate,
  type DateValue,
  GregorianCalendar,
  Time,
  toCalendarDate,
  toCalendarDateTime,
  today,
} from '@internationalized/date';
import { type ClipboardEvent, useEffect, useRef, useState } from 'react';
import { I18nProvider } from 'react-aria/I18nProvider';
import { type AriaDateFieldProps, useDateField, useDateSegment } from 'react-aria/useDateField';
import { useTranslation } from 'react-i18next';
import { type DateFieldState, type DateSegment, useDateFieldState } from 'react-stately/useDateFieldState';
import { Icon } from '../icon.tsx';
import { Popover } from '../popover.tsx';
import { dateOf, pastedDate, textOf } from './date-text.ts';
import { Month } from './month.tsx';
import type { ControlProps } from '../field.tsx';
import './typed-date.css';

export type DateInputProps = Partial<ControlProps> & {
  /** The accessible name of the group and of each of its parts. */
  label: string;
  /** Whether the value is a day, `2026-11-24`, or a day with a time, `2026-11-24T22:00`. */
  to: 'day' | 'minute';
  /** The date as a text; empty: none. */
  value: string;
  /** Called with the new value; also with an empty text while the typed parts are no date yet. */
  onValue: (value: string) => void;
  /** Called first and at each change with whether the field holds a partly typed date, or one that is no date. */
  onHalf?: (half: boolean) => void;
  /** The earliest date, in the form of `value`; empty: none. `max` is the latest. */
  min?: string;
  max?: string;
  disabled?: boolean;
  /** The locale in which the date is written, and the time zone that decides which day is today. */
  formats: { readonly locale: string; readonly timeZone: string };
};

type KeyboardEvent = Parameters<NonNullable<AriaDateFieldProps<DateValue>['onKeyDown']>>[0];

const gregorian = new GregorianCalendar();

/** A date whose parts are typed one after the other, with a calendar to choose the day. */
export function TypedDate(props: DateInputProps) {
  return (
    <I18nProvider locale={props.formats.locale}>
      <Parts {...props} />
    </I18nProvider>
  );
}

function Parts(props: DateInputProps) {
  const { label, to, id, disabled = false, formats } = props;
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const group = useRef<HTMLDivElement>(null);
  const held = useHeldDate(props);
  const options = useOptions(props, held);
  const state = useDateFieldState({ ...options, createCalendar: () => gregorian });
  const half = useShownDate(state, held, props);
  const field = {
    ...options,
    onKeyDown(event: KeyboardEvent) {
      // Enter submits the form, as in any other field, but first corrects a day that the month does not have.
      if (event.key === 'Enter' && half) state.confirmPlaceholder();
      else if (event.key === 'Enter') frame.current?.closest('form')?.requestSubmit();
      else if (event.altKey && event.key === 'ArrowDown') {
        // Otherwise the key would also scroll the page.
        event.preventDefault();
        frame.current?.querySelector('button')?.click();
      }
    },
  };
  const { fieldProps } = useDateField(field, state, group);
  const clipboard = useClipboard(state, to);

  const choose = (day: CalendarDate | null) => {
    state.setValue(day === null || to === 'day' ? day : toCalendarDateTime(day, timeOf(state)));
    if (to === 'minute' && day !== null) partOf(group.current, 'hour')?.focus();
  };

  return (
    <div
      ref={frame}
      id={id}
      className="input date-input"
      data-invalid={state.isInvalid}
      data-disabled={disabled}
    >
      <div {...fieldProps} {...clipboard} ref={group} role="group" className="date-input-parts">
        {state.segments.map((segment, index) => (
          // The index can be the key: the order of the parts depends on the locale, which stays.
          <Part key={index} segment={segment} state={state} />
        ))}
      </div>
      <Popover
        label={`${t('COMMON.DATE.CALENDAR')}, ${label}`}
        button={<Icon name="calendar" />}
        buttonClassName="button button-quiet button-icon date-input-open"
        className="date-input-panel"
        align="end"
        disabled={disabled}
      >
        {(close) => (
          <Month
            label={label}
            day={held.date === null ? null : toCalendarDate(held.date)}
            min={options.minValue === null ? null : toCalendarDate(options.minValue)}
            max={options.maxValue === null ? null : toCalendarDate(options.maxValue)}
            formats={formats}
            required={options.isRequired}
            onDay={(day) => {
              close();
              choose(day);
            }}
          />
        )}
      </Popover>
    </div>
  );
}

/** The options that the library's state and its field both take. */
function useOptions(props: DateInputProps, held: ReturnType<typeof useHeldDate>) {
  const { label, to, min, max, disabled = false, required = false, formats } = props;
  // Arrow keys in an empty field start from today at midnight.
  const [start] = useState(() => toCalendarDateTime(today(formats.timeZone)));
  const described = props['aria-describedby'];
  return {
    'aria-label': label,
    ...(described === undefined ? {} : { 'aria-describedby': described }),
    ...(props['aria-invalid'] === true ? { isInvalid: true } : {}),
    locale: formats.locale,
    granularity: to,
    value: held.date,
    onChange: held.change,
    minValue: dateOf(min, to),
    maxValue: dateOf(max, to),
    placeholderValue: to === 'day' ? toCalendarDate(start) : start,
    isDisabled: disabled,
    isRequired: required,
    shouldForceLeadingZeros: true,
  };
}

/** The time that is typed, also of an unfinished date. */
function timeOf({ dateValue }: DateFieldState): Time {
  return new Time(dateValue.getUTCHours(), dateValue.getUTCMinutes());
}

function Part({ segment, state }: { segment: DateSegment; state: DateFieldState }) {
  const part = useRef<HTMLSpanElement>(null);
  const { segmentProps } = useDateSegment(segment, state, part);
  return (
    <span {...segmentProps} ref={part} className="date-input-part" data-part={segment.type}>
      {segment.text}
    </span>
  );
}

function partOf(group: HTMLElement | null, type: string): HTMLElement | null {
  return group?.querySelector<HTMLElement>(`[data-part='${type}']`) ?? null;
}

/** Handlers that copy and paste the whole date. */
function useClipboard(state: DateFieldState, to: DateInputProps['to']) {
  return {
    onCopy(event: ClipboardEvent) {
      if (state.value === null) return;
      event.preventDefault();
      const text = state.segments.map((segment) => segment.text).join('');
      // Removes the invisible marks that keep the direction of the time.
      event.clipboardData.setData('text/plain', text.replaceAll(/[\u2066-\u2069]/g, ''));
    },
    onPaste(event: ClipboardEvent) {
      event.preventDefault();
      const order = state.segments.map(({ type }) => type).filter((type) => isPart(type));
      const date = pastedDate(event.clipboardData.getData('text/plain'), to, order, timeOf(state));
      if (date !== null) state.setValue(date);
    },
  };
}

const parts = ['year', 'month', 'day', 'hour', 'minute'] as const;

function isPart(type: string): type is (typeof parts)[number] {
  return parts.some((part) => part === type);
}

type Held = {
  /** The latest `value` that the field received. */
  seen: string;
  date: ReturnType<typeof dateOf>;
  /** Values that were passed to `onValue` and have not come back as `value` yet, as for a filter in the address. */
  pending: readonly string[];
};

/** The date that the library holds, and how it is changed. */
function useHeldDate({ value, to, onValue }: DateInputProps) {
  const known = dateOf(value, to);
  const [held, setHeld] = useState<Held>({ seen: value, date: known, pending: [] });
  if (held.seen !== value) setHeld(receive(held, value, known));
  const publish = (text: string, date: Held['date']) => {
    setHeld(({ seen, pending }) => ({ seen, date, pending: [...pending, text] }));
    onValue(text);
  };
  return {
    date: held.date,
    /** The value that was last passed to `onValue`, or else the known value. */
    text: held.pending.at(-1) ?? (known === null ? '' : textOf(known, to)),
    publish,
    change: (next: Held['date']) => publish(next === null ? '' : textOf(next, to), next),
  };
}

function receive(held: Held, value: string, date: Held['date']): Held {
  const at = held.pending.indexOf(value);
  if (at === -1) return { seen: value, date, pending: [] };
  return { ...held, seen: value, pending: held.pending.slice(at + 1) };
}

/**
 * While a date is being changed, the library keeps the former date as its value. This hook sets the field to empty
 * for that time, so that no form saves a date that is not shown.
 *
 * @returns whether a date is typed in part, or a day that its month does not have
 */
function useShownDate(
  { segments, value }: DateFieldState,
  held: ReturnType<typeof useHeldDate>,
  { to, onHalf }: DateInputProps,
): boolean {
  const editable = segments.filter(({ isEditable }) => isEditable);
  const typed = editable.filter(({ isPlaceholder }) => !isPlaceholder).length;
  const whole = typed === editable.length && value !== null && showsDay(segments, value);
  const half = !whole && typed > 0;
  const text = whole ? textOf(value, to) : '';
  useEffect(() => {
    if (text !== held.text) held.publish(text, held.date);
  });
  const reported = useRef<boolean>(null);
  useEffect(() => {
    if (half === reported.current) return;
    reported.current = half;
    onHalf?.(half);
  });
  return half;
}

/** Whether `date` is the typed day: 31 November becomes another date only when the person leaves the field. */
function showsDay(segments: DateFieldState['segments'], date: DateValue): boolean {
  return segments.every(
    ({ type, value }) => (type !== 'day' && type !== 'month' && type !== 'year') || value === date[type],
  );
}
