import { wallTimeAt } from '#contract/rules/wall-time.ts';
import { useTranslation } from 'react-i18next';
import { createFormats } from '#web/platform/i18n/formats.ts';
import { typedTime } from '#web/platform/time/wall-times.ts';
import { DateInput } from '#web/ui/date-input/date-input.tsx';
import { Field } from '#web/ui/field.tsx';
import { useFormats } from '#web/platform/contexts.tsx';

type TimeFieldProps = {
  label: string;
  zone: string;
  required?: boolean;
  /** Null: typed in part. */
  at: number | null | undefined;
  /** Shown while it is empty; left out: that there is no limit then. */
  hint?: string;
  error?: string | undefined;
  onTime: (at: number | null | undefined) => void;
};

/** A date and time that may be left out, and what it comes to where clocks change. */
export function TimeField({ label, zone, required, at, hint, error, onTime }: TimeFieldProps) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const there = createFormats(locale, zone);
  return (
    <Field
      label={label}
      required={required}
      hint={typeof at === 'number' ? there.exact(at) : (hint ?? t('FLAGS.RULE.TIME_HINT'))}
      error={at === null ? t('FLAGS.RULE.HALF_TYPED') : error}
    >
      {(control) => (
        <DateInput
          {...control}
          label={label}
          to="minute"
          formats={{ locale, timeZone: zone }}
          value={typeof at === 'number' ? (wallTimeAt(at, zone) ?? '') : ''}
          onValue={(local) => onTime(local === '' ? undefined : typedTime(local, zone))}
          onHalf={(half) => {
            if (half) onTime(null);
            else if (at === null) onTime(undefined);
          }}
        />
      )}
    </Field>
  );
}
