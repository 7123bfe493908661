import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { knownZones, timeInZone, zoneOptions } from '#web/platform/time/time-zones.ts';
import { ChoiceField } from '#web/ui/choice-field.tsx';
import type { Option } from '#web/ui/option-list.tsx';
import { useFormats } from '#web/platform/contexts.tsx';

type ZoneFieldProps = {
  label: string;
  hint: string;
  error: string | null | undefined;
  /** An IANA zone, or the key of one of `first`. */
  value: string;
  /** The zones that are offered first: this device's, the person's own. */
  first: readonly { key: string; label: string; zone: string | null }[];
  /** Milliseconds since the epoch by the server. */
  now: number;
  onValue: (key: string) => void;
};

/** A time zone, found by city, region, former name or offset. */
export function ZoneField({ label, hint, error, value, first, now, onValue }: ZoneFieldProps) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const usual = [
    ...first,
    ...['UTC', value]
      .filter((zone) => !first.some(({ key }) => key === zone))
      .map((zone) => ({ key: zone, label: named(zone), zone })),
  ];
  const known = useMemo(() => knownZones(value.includes('/') ? [value] : []), [value]);
  return (
    <ChoiceField
      label={label}
      hint={hint}
      error={error}
      shown={usual.find(({ key }) => key === value)?.label ?? value}
      search={t('ZONES.SEARCH')}
      empty={t('ZONES.NONE')}
      options={(typed) => {
        const keys = usual.map(({ key }) => key);
        const offered = zoneOptions(typed, known, now, {
          locale,
          others: t('ZONES.OTHERS'),
          first: keys,
        });
        const top = usual.map(({ key, label: words, zone }) => ({
          key,
          label: words,
          hint: timeInZone(zone, now, locale),
        }));
        return [...(typed.trim() === '' ? top : []), ...offered].map((option): Option => ({
          ...option,
          checked: option.key === value,
        }));
      }}
      onPick={onValue}
    />
  );
}

/** `America/New York` */
function named(zone: string): string {
  return zone.replaceAll('_', ' ');
}
