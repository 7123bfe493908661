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
  /** Its name: of the group, and of each of its parts. */
  label: string;
  /** A day, `2026-11-24`, or one with a time of the clock, `2026-11-24T22:00`. */
  to: 'day' | 'minute';
  /** Empty: none. */
  value: string;
  /** Called with an empty text as well while what is typed is no date yet. */
  onValue: (value: string) => void;
  /** Called at first, and when the field begins or ceases to hold what is typed in part, or is no date. */
  onHalf?: (half: boolean) => void;
  /** As a value; empty: none. */
  min?: string;
  max?: string;
  disabled?: boolean;
  /** By whose habits it is written, and in which zone today is marked. */
  formats: { readonly locale: string; readonly timeZone: string };
};

type KeyboardEvent = Parameters<NonNullable<AriaDateFieldProps<DateValue>['onKeyDown']>>[0];

const gregorian = new GregorianCalendar();

/** A date in parts that are typed one after the other, and a calendar to choose the day from. */
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
      // As in any other field. A day that its month does not have is first put right.
      if (event.key === 'Enter' && half) state.confirmPlaceholder();
      else if (event.key === 'Enter') frame.current?.closest('form')?.requestSubmit();
      else if (event.altKey && event.key === 'ArrowDown') {
        // The key would scroll the page as well.
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
          // Their order is that of the locale, which stays.
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

/** What the library's state and field both take. */
function useOptions(props: DateInputProps, held: ReturnType<typeof useHeldDate>) {
  const { label, to, min, max, disabled = false, required = false, formats } = props;
  // Where arrow keys begin: today, at midnight.
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

/** The whole date is copied, and pasted. */
function useClipboard(state: DateFieldState, to: DateInputProps['to']) {
  return {
    onCopy(event: ClipboardEvent) {
      if (state.value === null) return;
      event.preventDefault();
      const text = state.segments.map((segment) => segment.text).join('');
      // Without the marks around the time that keep its direction.
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
  /** The value that was passed in last. */
  seen: string;
  date: ReturnType<typeof dateOf>;
  /** Values that were passed out, and are not back yet: a filter in the address takes its time. */
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
    /** The field's value as it is known outside, or will be. */
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
 * While a date is being changed the library keeps the former one as its value. The value of the field is empty
 * for as long: no form saves what is not shown.
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

/** Whether it is the day that is typed: 31 November becomes a date only when the field is left. */
function showsDay(segments: DateFieldState['segments'], date: DateValue): boolean {
  return segments.every(
    ({ type, value }) => (type !== 'day' && type !== 'month' && type !== 'year') || value === date[type],
  );
}
