import {
  type Notice as MaintenanceNotice,
  type Severity,
  type TextByLanguage,
  textFor,
  type UpcomingWindow,
} from '#features/maintenance/contract/maintenance.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { Notice, type NoticeSeverity } from '#web/ui/notice.tsx';
import { base } from '#web/platform/base.ts';
import { inWords, isSameDay, shortTime, timeWords } from './time-words.ts';
import { countdownText, type RunningCountdown, useCountdown } from './countdown.ts';
import './banner.css';

const looks: Record<Severity, NoticeSeverity> = { HIGH: 'high', MEDIUM: 'medium', INFO: 'info' };

type MaintenanceBannerProps = {
  /** `texts`: its text in the languages in which it was written. */
  notice: MaintenanceNotice & { texts?: TextByLanguage };
  /** The next window; the banner counts down to it. */
  upcoming?: UpcomingWindow | null;
  visible: boolean;
  onClose: () => void;
};

/** The notice above every page (MAINT-2, MAINT-5). It is part of the layout and pushes the page down. */
export function MaintenanceBanner({ notice, upcoming = null, visible, onClose }: MaintenanceBannerProps) {
  if (!visible) return null;
  return upcoming === null ? (
    <Banner notice={notice} onClose={onClose} />
  ) : (
    <CountingBanner notice={notice} upcoming={upcoming} onClose={onClose} />
  );
}

type BannerProps = Pick<MaintenanceBannerProps, 'notice' | 'onClose'> & { children?: ReactNode };

function CountingBanner({ notice, upcoming, onClose }: BannerProps & { upcoming: UpcomingWindow }) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const countdown = useCountdown(upcoming.startsAt, useServerClock());
  const { spoken } = countdown;
  return (
    <>
      <Banner notice={notice} onClose={onClose}>
        {upcoming.text === notice.maintenanceText ? null : (
          <span className="maintenance-banner-line" dir="auto">
            {textFor(upcoming, i18n.language)}
          </span>
        )}
        <When upcoming={upcoming} countdown={countdown} />
      </Banner>
      {/* Outside the banner: text inside an alert would be announced as an alert. */}
      <p role="status" className="visually-hidden">
        {spoken === null
          ? null
          : t('MAINTENANCE.BANNER.SPOKEN', { duration: inWords(formats, spoken, 'minute') })}
      </p>
    </>
  );
}

function Banner({ notice, onClose, children }: BannerProps) {
  const { t, i18n } = useTranslation();
  const { maintenanceText, texts = {}, maintenanceTextSeverity: severity } = notice;
  const shown = textFor({ text: maintenanceText, texts }, i18n.language);
  return (
    <Notice
      banner
      severity={looks[severity]}
      severityLabel={t(`MAINTENANCE.BANNER.SEVERITIES.${severity}`)}
      role={severity === 'INFO' ? 'status' : 'alert'}
      close={{ label: t('MAINTENANCE.BANNER.CLOSE'), onClose }}
      {...(shown.length > 36 || children !== undefined ? { unfold: t('MAINTENANCE.BANNER.WHOLE') } : {})}
    >
      <span dir="auto">{shown}</span>
      {children}
    </Notice>
  );
}

/**
 * When the window starts, and what happens then. The countdown is announced at a few times only, outside the
 * banner.
 */
function When({ upcoming, countdown }: { upcoming: UpcomingWindow; countdown: RunningCountdown }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { now, left } = countdown;
  const { startsAt, endsAt, mode } = upcoming;
  const face = countdownText(left);
  const start = timeWords(formats, startsAt, now);
  const isToday = isSameDay(formats, startsAt, now);
  const time = isToday ? t('MAINTENANCE.BANNER.TODAY', { time: start.time }) : start.time;
  const end = shortTime(formats, endsAt, startsAt);
  return (
    <span className="maintenance-banner-line maintenance-banner-when wrap small" aria-live="off">
      {face === null ? null : (
        <span role="timer" aria-live="off" className="strong">
          {left > 0 ? t('MAINTENANCE.BANNER.BEGINS_IN', { left: face }) : t('MAINTENANCE.BANNER.BEGINS')}
        </span>
      )}
      <span>{start.utc === null ? time : t('MAINTENANCE.BANNER.WITH_UTC', { time, utc: start.utc })}</span>
      <span>{t(`MAINTENANCE.BANNER.MODES.${catalogueKey(mode)}`, { end })}</span>
    </span>
  );
}

let usual: { href: string; type: string } | null = null;

/**
 * Shows in the browser's tab that maintenance limits what this person can do. The icon has no mark of Portico,
 * since an installation may have its own mark.
 */
export function markTabIcon(marked: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon === null || marked === (usual !== null)) return;
  const next = marked ? { href: `${base}/favicon-maintenance.svg`, type: 'image/svg+xml' } : usual;
  usual = marked ? { href: icon.href, type: icon.type } : null;
  Object.assign(icon, next);
}
