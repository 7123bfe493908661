import type { Severity, WindowMode } from '#features/maintenance/contract/maintenance.ts';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerClock } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { MaintenanceBanner } from '../../banner.tsx';
import { MaintenancePage } from '../../maintenance-page.tsx';
import { shortTime } from '../windows/window-times.ts';
import { Segments } from './segments.tsx';
import { Application, Stage } from './stage.tsx';

type PreviewProps = {
  /** What people read before the start, and while it lasts. */
  before: string;
  during: string;
  severity: Severity;
  mode: WindowMode;
  startsAt: number | null;
  endsAt: number | null;
};

const themes = ['light', 'dark'] as const;
const widths = ['phone', 'desk'] as const;
/** The width, in pixels, at which the desktop is drawn before it is scaled down. */
const deskWidth = 960;

/**
 * What people will see, before it starts and while it lasts: the real components, in both schemes and at both
 * widths.
 */
export function Preview({ before, during, severity, mode, startsAt, endsAt }: PreviewProps) {
  const { t } = useTranslation();
  const clock = useServerClock();
  const formats = useFormats();
  const [theme, setTheme] = useState<(typeof themes)[number]>('light');
  const [width, setWidth] = useState<(typeof widths)[number]>('desk');
  const noticeOf = (typed: string) => ({
    maintenanceText: typed === '' ? t('MAINTENANCE.CONSOLE.PREVIEW.NO_TEXT') : typed,
    maintenanceTextSeverity: severity,
  });
  const [ahead, notice] = [noticeOf(before), noticeOf(during)];
  const text = ahead.maintenanceText;
  const upcoming =
    startsAt === null || endsAt === null
      ? null
      : { title: text, text, texts: {}, severity, mode, startsAt, endsAt };
  const closed = () => {};
  // The page is shown as at the start: its clock begins with the full duration.
  const [opened] = useState(clock.now);
  const atStart = useMemo(
    () => ({ now: () => (startsAt === null ? clock.now() : startsAt + clock.now() - opened) }),
    [clock, startsAt, opened],
  );

  return (
    <div className="preview">
      <div className="preview-head">
        <h2>{t('MAINTENANCE.CONSOLE.PREVIEW.TITLE')}</h2>
        <div className="button-row">
          <Segments
            label={t('MAINTENANCE.CONSOLE.PREVIEW.THEME')}
            value={theme}
            onValue={setTheme}
            options={[
              { value: 'light', label: t('MAINTENANCE.CONSOLE.PREVIEW.LIGHT') },
              { value: 'dark', label: t('MAINTENANCE.CONSOLE.PREVIEW.DARK') },
            ]}
          />
          <Segments
            label={t('MAINTENANCE.CONSOLE.PREVIEW.WIDTH')}
            value={width}
            onValue={setWidth}
            options={[
              { value: 'desk', label: t('MAINTENANCE.CONSOLE.PREVIEW.DESK') },
              { value: 'phone', label: t('MAINTENANCE.CONSOLE.PREVIEW.PHONE') },
            ]}
          />
        </div>
      </div>
      <figure className="preview-part">
        <figcaption>{t('MAINTENANCE.CONSOLE.PREVIEW.BEFORE')}</figcaption>
        <Stage theme={theme} wide={width === 'desk' ? deskWidth : null}>
          <MaintenanceBanner notice={ahead} upcoming={upcoming} visible onClose={closed} />
          <Application />
        </Stage>
      </figure>
      <figure className="preview-part">
        <figcaption>{t('MAINTENANCE.CONSOLE.PREVIEW.WHILE')}</figcaption>
        <Stage theme={theme} wide={width === 'desk' ? deskWidth : null}>
          {mode === 'full' ? (
            <div className="preview-page">
              <MaintenancePage notice={notice} expectedEnd={endsAt} clock={atStart} />
            </div>
          ) : (
            <>
              <MaintenanceBanner notice={notice} visible onClose={closed} />
              {mode === 'read-only' ? (
                <Notice banner severity="info">
                  {endsAt === null
                    ? t('MAINTENANCE.RIBBON.READ_ONLY')
                    : t('MAINTENANCE.RIBBON.READ_ONLY_UNTIL', {
                        time: shortTime(formats, endsAt, startsAt ?? endsAt),
                      })}
                </Notice>
              ) : null}
              <Application />
            </>
          )}
        </Stage>
      </figure>
    </div>
  );
}
