import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../platform/contexts.tsx';
import { createFormats } from '../platform/i18n/formats.ts';
import { halfTyped, typedTime } from '../platform/time/wall-times.ts';
import { DateInput } from '../ui/date-input/date-input.tsx';
import { Field } from '../ui/field.tsx';

type TimeFieldProps = Omit<ComponentProps<typeof Field>, 'children'> & {
  zone: string;
  /** The local time in the zone, `2026-10-25T02:30`; empty: no time; or `halfTyped`. */
  value: string;
  onValue: (local: string) => void;
  disabled?: boolean;
  /** What is shown below the field about the time; left out: the time in words replaces the hint. */
  children?: ReactNode;
};

/** A field for date and time in a zone. `typedTime` turns its value into milliseconds; NaN where it is no time. */
export function TimeField(props: TimeFieldProps) {
  const { label, zone, value, onValue, disabled = false, hint, error, children, ...field } = props;
  const { t } = useTranslation();
  const { locale } = useFormats();
  const id = useId();
  const [left, setLeft] = useState(false);
  const at = typedTime(value, zone);
  const isHalf = value === halfTyped && (left || error != null);
  return (
    <Field
      label={label}
      hint={children !== undefined || Number.isNaN(at) ? hint : createFormats(locale, zone).exact(at)}
      error={isHalf ? t('COMMON.DATE.HALF_TYPED') : error}
      {...field}
    >
      {(control) => (
        <div
          className="stack gap-1"
          onBlur={(event) => setLeft(!event.currentTarget.contains(event.relatedTarget))}
        >
          <DateInput
            {...control}
            aria-describedby={
              children === undefined
                ? control['aria-describedby']
                : `${control['aria-describedby'] ?? ''} ${id}`.trimStart()
            }
            label={label}
            to="minute"
            formats={{ locale, timeZone: zone }}
            disabled={disabled}
            value={value === halfTyped ? '' : value}
            onValue={onValue}
            onHalf={(half) => {
              if (half) onValue(halfTyped);
              else if (value === halfTyped) onValue('');
            }}
          />
          {children === undefined ? null : <div id={id}>{children}</div>}
        </div>
      )}
    </Field>
  );
}
