import type { Home } from '#features/home/contract/home.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { useNow } from '#web/platform/time/use-now.ts';
import { Icon } from '#web/ui/icon.tsx';
import './next-maintenance.css';

type NextMaintenanceProps = { next: NonNullable<Home['nextMaintenance']> };

/** When the next maintenance is, and what it limits. */
export function NextMaintenance({ next: { mode, startsAt, endsAt } }: NextMaintenanceProps) {
  const { t } = useTranslation();
  const { locale, timeZone, relative } = useFormats();
  const now = useNow(10_000);
  if (startsAt <= now) return null;
  const span = new Intl.DateTimeFormat(locale, {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).formatRange(startsAt, endsAt);
  return (
    <section className="home-section" aria-labelledby="home-next">
      <h2 id="home-next">{t('HOME.NEXT.TITLE')}</h2>
      <div className="home-next">
        <Icon name="wrench" size={18} />
        <div>
          <strong>
            <time dateTime={new Date(startsAt).toISOString()}>{span}</time>
          </strong>
          <p className="muted">
            {t(mode === 'full' ? 'HOME.NEXT.FULL' : 'HOME.NEXT.READ_ONLY', {
              relative: relative(startsAt, now),
            })}
          </p>
        </div>
      </div>
    </section>
  );
}
