import { presentTimeZone } from '#contract/time-zones.ts';
import { type ChangeEvent, type KeyboardEvent, memo, useEffect, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerClock } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { ownTimeZone } from '#web/platform/i18n/formats.ts';
import { minutesEastOfUtc } from '#web/platform/time/time-offset.ts';
import {
  findZones,
  groupZones,
  knownZones,
  offsetName,
  olderNameFound,
  timeInZones,
  withOlderName,
} from '#web/platform/time/time-zones.ts';
import { Field } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

type TimeZoneFieldProps = {
  /** An IANA zone; null: this device's. */
  value: string | null;
  error: string | null;
  onValue: (zone: string | null) => void;
  onBlur: () => void;
};

const device = 'device';
const minute = 60_000;

/** The person's time zone: the browser's list, filtered by a search. Memoized, since the list is long. */
export const TimeZoneField = memo(function TimeZoneField({
  value,
  error,
  onValue,
  onBlur,
}: TimeZoneFieldProps) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const id = useId();
  const now = useMinute();
  const [search, setSearch] = useState('');
  const time = useMemo(() => timeInZones(locale), [locale]);
  const all = useMemo(() => knownZones(value === null ? [] : [value]), [value]);
  const found = useMemo(() => findZones(all, search, now ?? 0), [all, search, now]);
  const groups = useMemo(
    () => groupZones(value === null || found.includes(value) ? found : [value, ...found]),
    [found, value],
  );
  const own = presentTimeZone(ownTimeZone());
  const [chosen, setChosen] = useState<string | null>(null);
  const searching = search.trim() !== '';

  function choose(zone: string): void {
    setChosen(null);
    onValue(zone === device ? null : zone);
  }

  /** The list is available before the four hundred formatters of its times are. */
  const withTime = (words: string, zone: string | null) =>
    now === null
      ? words
      : t('PROFILE.TIME_ZONE.OPTION', {
          zone: words,
          offset: offsetName(minutesEastOfUtc(zone, now)),
          time: time(zone, now),
        });

  // A native list cuts its times off when it is narrow.
  const hint =
    now === null
      ? t('PROFILE.TIME_ZONE.HINT')
      : t('PROFILE.TIME_ZONE.HINT_NOW', {
          offset: offsetName(minutesEastOfUtc(value, now)),
          time: time(value, now),
        });

  return (
    <Field label={t('PROFILE.TIME_ZONE.LABEL')} hint={hint} error={error}>
      {(control) => (
        <div className="zone">
          <span className="input-select-frame">
            <select
              {...control}
              className="input input-select"
              value={value ?? device}
              onBlur={onBlur}
              onChange={(event: ChangeEvent<HTMLSelectElement>) => choose(event.currentTarget.value)}
            >
              <option value={device}>
                {withTime(t('PROFILE.TIME_ZONE.DEVICE', { zone: own.replaceAll('_', ' ') }), null)}
              </option>
              {groups.map(({ region, zones }) => (
                <optgroup key={region} label={region === '' ? t('PROFILE.TIME_ZONE.OTHERS') : region}>
                  {zones.map((zone) => (
                    <option key={zone.id} value={zone.id}>
                      {withTime(withOlderName(zone.place, olderNameFound(zone.id, search)), zone.id)}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
            <Icon name="chevron-down" />
          </span>
          <TextInput
            type="search"
            aria-label={t('PROFILE.TIME_ZONE.SEARCH')}
            placeholder={t('PROFILE.TIME_ZONE.SEARCH')}
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
              const [first] = found;
              if (!searching || first === undefined) return;
              choose(first);
              setSearch('');
              setChosen(first);
            }}
          />
          <span id={`${id}-found`} className="muted small zone-found" role="status">
            {searching
              ? t('PROFILE.TIME_ZONE.FOUND', { count: found.length })
              : chosen === null
                ? ''
                : t('PROFILE.TIME_ZONE.CHOSEN', { zone: chosen.replaceAll('_', ' ') })}
          </span>
        </div>
      )}
    </Field>
  );
});

/** The time by the server, updated each minute; null until the page has been painted. */
function useMinute(): number | null {
  const clock = useServerClock();
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const wait = now === null ? 0 : minute - (clock.now() % minute);
    const timer = setTimeout(() => setNow(clock.now()), wait);
    return () => clearTimeout(timer);
  }, [clock, now]);
  return now;
}
