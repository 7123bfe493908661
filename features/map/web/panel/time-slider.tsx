import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { IconButton } from '#web/ui/button.tsx';
import type { TimeDimension } from '../layers/time-dimension.ts';

type TimeSliderProps = {
  layer: string;
  times: TimeDimension;
  value: string;
  onValue: (value: string) => void;
};

/** Chooses one of the times of a layer. */
export function TimeSlider({ layer, times: { values }, value, onValue }: TimeSliderProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const at = Math.max(0, values.indexOf(value));
  const written = timeText(value, formats);
  const step = (by: number) => {
    const next = values[at + by];
    if (next !== undefined) onValue(next);
  };
  return (
    <div className="map-time" role="group" aria-label={t('MAP.TIME.OF', { layer })}>
      <IconButton
        icon="chevron-left"
        small
        label={t('MAP.TIME.BEFORE')}
        aria-disabled={at === 0}
        onClick={() => step(-1)}
      />
      <input
        type="range"
        min={0}
        max={values.length - 1}
        value={at}
        aria-label={t('MAP.TIME.OF', { layer })}
        aria-valuetext={written}
        onChange={(event) => onValue(values[Number(event.currentTarget.value)] ?? value)}
      />
      <IconButton
        icon="chevron-right"
        small
        label={t('MAP.TIME.AFTER')}
        aria-disabled={at === values.length - 1}
        onClick={() => step(1)}
      />
      <output>{written}</output>
    </div>
  );
}

/** Years and months as they are; days without a time; times in the person's zone. */
function timeText(value: string, formats: ReturnType<typeof useFormats>): string {
  const at = Date.parse(value);
  if (Number.isNaN(at) || /^\d{4}(?:-\d\d)?$/.test(value)) return value;
  if (!value.includes('T')) {
    return new Intl.DateTimeFormat(formats.locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(at);
  }
  return formats.dateTime(at);
}
