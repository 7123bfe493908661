import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select, TextInput } from '#web/ui/text-input.tsx';
import { shortTime } from '../windows/window-times.ts';
import { usualLeads } from './plan-form.ts';

type LeadFieldProps = {
  /** Minutes, as digits. */
  value: string;
  /** The same as a number, if it is valid. */
  minutes: number | null;
  startsAt: number | null;
  now: number;
  error: string | undefined;
  disabled: boolean;
  onValue: (minutes: string) => void;
};

/** How long before the start people are warned, with the resulting time. */
export function LeadField({ value, minutes, startsAt, now, error, disabled, onValue }: LeadFieldProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const usual = usualLeads.map(String);
  const [own, setOwn] = useState(!usual.includes(value));
  const from = startsAt === null || minutes === null ? null : startsAt - minutes * 60_000;
  const words = () => {
    if (from === null || minutes === null) return t('MAINTENANCE.CONSOLE.LEAD_TIME.HINT');
    if (minutes === 0) return t('MAINTENANCE.CONSOLE.LEAD_TIME.NONE');
    if (from <= now) return t('MAINTENANCE.CONSOLE.LEAD_TIME.AT_ONCE');
    return t('MAINTENANCE.CONSOLE.LEAD_TIME.FROM', { time: shortTime(formats, from, now) });
  };
  return (
    <div className="plan-lead">
      <Field label={t('MAINTENANCE.CONSOLE.LEAD_TIME.LABEL')} hint={words()} error={own ? null : error}>
        {(control) => (
          <Select
            {...control}
            disabled={disabled}
            value={own ? 'own' : value}
            onValue={(chosen) => {
              setOwn(chosen === 'own');
              if (chosen !== 'own') onValue(chosen);
            }}
            options={[
              ...usualLeads.map((one) => ({
                value: String(one),
                label: t('MAINTENANCE.CONSOLE.LEAD_TIME.BEFORE', {
                  duration: leadInWords(formats.locale, one),
                }),
              })),
              { value: 'own', label: t('MAINTENANCE.CONSOLE.LEAD_TIME.OWN') },
            ]}
          />
        )}
      </Field>
      {own ? (
        <Field label={t('MAINTENANCE.CONSOLE.LEAD_TIME.MINUTES')} error={error}>
          {(control) => (
            <TextInput {...control} inputMode="numeric" disabled={disabled} value={value} onValue={onValue} />
          )}
        </Field>
      ) : null}
    </div>
  );
}

/** `15 minutes`, `1 hour`, `1 day, 9 hours`. */
export function leadInWords(locale: string, minutes: number): string {
  const parts = [
    ['day', Math.floor(minutes / 1_440)],
    ['hour', Math.floor(minutes / 60) % 24],
    ['minute', minutes % 60],
  ] as const;
  const shown = parts.filter(([unit, count]) => count > 0 || (unit === 'minute' && minutes === 0));
  return new Intl.ListFormat(locale, { type: 'unit', style: 'long' }).format(
    shown.map(([unit, count]) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count),
    ),
  );
}
