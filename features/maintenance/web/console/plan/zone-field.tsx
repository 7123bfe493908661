import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { minutesEastOfUtc } from '#web/platform/time/time-offset.ts';
import {
  findZones,
  knownZones,
  offsetName,
  olderNameFound,
  withOlderName,
} from '#web/platform/time/time-zones.ts';
import { Field } from '#web/ui/field.tsx';
import { Select, TextInput } from '#web/ui/text-input.tsx';

type ZoneFieldProps = {
  value: string;
  /** Milliseconds since the epoch by the server. */
  now: number;
  error: string | undefined;
  onValue: (zone: string) => void;
};

/** The zone of a window's times: the person's own first, UTC, or any other, which a search finds. */
export function ZoneField({ value, now, error, onValue }: ZoneFieldProps) {
  const { t } = useTranslation();
  const { timeZone: own } = useFormats();
  const id = useId();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const all = useMemo(() => knownZones([value]), [value]);
  // To the hour: which zones match an offset does not change more often.
  const hour = Math.floor(now / 3_600_000) * 3_600_000;
  const searching = search.trim() !== '';
  const found = useMemo(
    () => (searching ? findZones(all, search, hour) : all),
    [all, search, searching, hour],
  );
  const first = [...new Set([own, 'UTC', value])];
  const options = searching ? [...new Set([value, ...found])] : [...new Set([...first, ...all])];
  const named = (zone: string) => zone.replaceAll('_', ' ');
  const label = (zone: string) =>
    withOlderName(
      zone === own ? t('MAINTENANCE.CONSOLE.ZONE.OWN', { zone: named(zone) }) : named(zone),
      olderNameFound(zone, search),
    );

  return (
    <Field
      label={t('MAINTENANCE.CONSOLE.ZONE.LABEL')}
      hint={t('MAINTENANCE.CONSOLE.ZONE.HINT', { offset: offsetName(minutesEastOfUtc(value, now)) })}
      error={error}
    >
      {(control) => (
        <div className="plan-zone">
          <Select
            {...control}
            value={value}
            onValue={(zone) => {
              setChosen(null);
              onValue(zone);
            }}
            options={options.map((zone) => ({ value: zone, label: label(zone) }))}
          />
          <TextInput
            type="search"
            aria-label={t('MAINTENANCE.CONSOLE.ZONE.SEARCH')}
            placeholder={t('MAINTENANCE.CONSOLE.ZONE.SEARCH')}
            aria-describedby={`${id}-found`}
            autoComplete="off"
            spellCheck={false}
            value={search}
            onValue={setSearch}
            onKeyDown={(event: KeyboardEvent) => {
              if (event.key === 'Escape') setSearch('');
              if (event.key !== 'Enter') return;
              // Enter would submit the form.
              event.preventDefault();
              const [best] = found;
              if (!searching || best === undefined) return;
              onValue(best);
              setSearch('');
              setChosen(best);
            }}
          />
          <span id={`${id}-found`} className="muted small plan-zone-found" role="status">
            {searching
              ? t('MAINTENANCE.CONSOLE.ZONE.FOUND', { count: found.length })
              : chosen === null
                ? ''
                : t('MAINTENANCE.CONSOLE.ZONE.CHOSEN', { zone: named(chosen) })}
          </span>
        </div>
      )}
    </Field>
  );
}
