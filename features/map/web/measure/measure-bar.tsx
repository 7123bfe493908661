import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { createMeasures } from './lengths.ts';
import type { Measure } from './use-measure.ts';

/** What was measured so far, spoken as it changes. */
export function MeasureBar({ measure }: { measure: Measure }) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const { measured } = measure;
  if (measured === null) return null;
  const measures = createMeasures(locale);
  const enough = measured.points > (measured.kind === 'area' ? 2 : 1);
  return (
    <div className="map-card map-measure row gap-3 wrap">
      <span role="status">
        {enough ? (
          <>
            {t(`MAP.MEASURE.${measured.kind.toUpperCase()}_IS`)}{' '}
            <strong>
              {measured.kind === 'area' ? measures.area(measured.value) : measures.length(measured.value)}
            </strong>
          </>
        ) : (
          t(`MAP.MEASURE.HOW_${measured.kind.toUpperCase()}`)
        )}
      </span>
      <Button small onClick={measure.undo} disabled={measured.points === 0}>
        {t('MAP.MEASURE.UNDO')}
      </Button>
      <IconButton icon="close" small label={t('MAP.MEASURE.END')} onClick={measure.end} />
    </div>
  );
}
