import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { spanWords } from './window-times.ts';

/** From when to when, in the reader's zone and below it in UTC. */
export function Span({ startsAt, endsAt }: { startsAt: number; endsAt: number }) {
  const { t } = useTranslation();
  const { own, utc } = spanWords(useFormats(), startsAt, endsAt);
  return (
    <span className="span">
      {utc === null ? t('MAINTENANCE.CONSOLE.TIME.ONLY_UTC', { time: own }) : own}
      {utc === null ? null : (
        <small className="muted">{t('MAINTENANCE.CONSOLE.TIME.ONLY_UTC', { time: utc })}</small>
      )}
    </span>
  );
}
