import { type CalendarDate, GregorianCalendar, isToday, today } from '@internationalized/date';
import { useRef } from 'react';
import { useCalendar, useCalendarCell, useCalendarGrid } from 'react-aria/useCalendar';
import { useTranslation } from 'react-i18next';
import { type CalendarState, useCalendarState } from 'react-stately/useCalendarState';
import { Button, IconButton } from '../button.tsx';

const gregorian = new GregorianCalendar();

type MonthProps = {
  label: string;
  /** The chosen day, or none. */
  day: CalendarDate | null;
  min: CalendarDate | null;
  max: CalendarDate | null;
  formats: { readonly locale: string; readonly timeZone: string };
  /** Whether a day is required: there is then no button that clears the field. */
  required: boolean;
  onDay: (day: CalendarDate | null) => void;
};

/** The days of a month, to choose a day. The arrow keys move between days, Page Up and Down between months. */
export function Month({ label, day, min, max, formats, required, onDay }: MonthProps) {
  const { t } = useTranslation();
  const { locale, timeZone } = formats;
  const now = today(timeZone);
  const options = {
    'aria-label': label,
    value: day,
    onChange: onDay,
    minValue: min,
    maxValue: max,
    defaultFocusedValue: day ?? now,
  };
  const state = useCalendarState({ ...options, locale, createCalendar: () => gregorian });
  const { calendarProps, prevButtonProps, nextButtonProps, title } = useCalendar(options, state);
  const word = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'day');
  return (
    <div {...calendarProps} className="month stack gap-2">
      <div className="row between">
        <IconButton
          icon="chevron-left"
          label={String(prevButtonProps['aria-label'])}
          disabled={prevButtonProps.isDisabled}
          onClick={() => state.focusPreviousPage()}
        />
        <strong aria-live="polite">{title}</strong>
        <IconButton
          icon="chevron-right"
          label={String(nextButtonProps['aria-label'])}
          disabled={nextButtonProps.isDisabled}
          onClick={() => state.focusNextPage()}
        />
      </div>
      <Days state={state} timeZone={timeZone} />
      <div className="row between">
        <Button small disabled={state.isInvalid(now)} onClick={() => onDay(now)}>
          {word.charAt(0).toLocaleUpperCase(locale) + word.slice(1)}
        </Button>
        {required || day === null ? null : (
          <Button small tone="quiet" onClick={() => onDay(null)}>
            {t('COMMON.DATE.CLEAR')}
          </Button>
        )}
      </div>
    </div>
  );
}

function Days({ state, timeZone }: { state: CalendarState; timeZone: string }) {
  const { gridProps, headerProps, weekDays, weeksInMonth } = useCalendarGrid(
    { weekdayStyle: 'short' },
    state,
  );
  return (
    <table {...gridProps} className="month-days">
      <thead {...headerProps}>
        <tr>
          {weekDays.map((name) => (
            <th key={name}>{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: weeksInMonth }, (_, week) => (
          <tr key={week}>
            {state.getDatesInWeek(week).map((date) =>
              // Before the first year there are no days.
              date === null ? null : (
                <Day key={date.toString()} state={state} date={date} timeZone={timeZone} />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Day({ state, date, timeZone }: { state: CalendarState; date: CalendarDate; timeZone: string }) {
  const cell = useRef<HTMLSpanElement>(null);
  const { cellProps, buttonProps, isSelected, isOutsideVisibleRange, isDisabled, formattedDate } =
    useCalendarCell({ date }, state, cell);
  return (
    <td {...cellProps}>
      <span
        {...buttonProps}
        ref={cell}
        hidden={isOutsideVisibleRange}
        className="month-day grid rounded"
        // The panel focuses this day when it opens.
        data-autofocus={buttonProps.tabIndex === 0 ? '' : undefined}
        data-selected={isSelected}
        data-disabled={isDisabled}
        data-today={isToday(date, timeZone)}
      >
        {formattedDate}
      </span>
    </td>
  );
}
