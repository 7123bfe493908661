import type { Severity, WindowMode } from '#features/maintenance/contract/maintenance.ts';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerClock } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { shortTime } from '../../time-words.ts';
import { Choice } from './choice.tsx';
import { Picture } from './stage.tsx';

type PreviewProps = {
  /** What people read before the start, and while it lasts. */
  before: string;
  during: string;
  severity: Severity;
  mode: WindowMode;
  startsAt: number | null;
  endsAt: number | null;
};

/** The width, in pixels, at which the desktop is drawn before it is scaled down. */
const deskWidth = 960;

/** What people will see, before it starts and while it lasts, in both schemes and at both widths. */
export function Preview({ before, during, severity, mode, startsAt, endsAt }: PreviewProps) {
  const { t } = useTranslation();
  const clock = useServerClock();
  const formats = useFormats();
  const [theme, setTheme] = useState<'light' | 'dark'>('light');
  const [wide, setWide] = useState<number | null>(deskWidth);
  const noticeOf = (typed: string) => ({
    maintenanceText: typed === '' ? t('MAINTENANCE.CONSOLE.PREVIEW.NO_TEXT') : typed,
    maintenanceTextSeverity: severity,
  });
  const ahead = noticeOf(before);
  const text = ahead.maintenanceText;
  const upcoming =
    startsAt === null || endsAt === null
      ? null
      : { title: text, text, texts: {}, severity, mode, startsAt, endsAt };
  const readOnly = () =>
    endsAt === null
      ? t('MAINTENANCE.RIBBON.READ_ONLY')
      : t('MAINTENANCE.RIBBON.READ_ONLY_UNTIL', { time: shortTime(formats, endsAt, startsAt ?? endsAt) });
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
          <Choice
            segments
            legend={t('MAINTENANCE.CONSOLE.PREVIEW.THEME')}
            value={theme}
            onValue={setTheme}
            options={[
              { value: 'light', label: t('MAINTENANCE.CONSOLE.PREVIEW.LIGHT') },
              { value: 'dark', label: t('MAINTENANCE.CONSOLE.PREVIEW.DARK') },
            ]}
          />
          <Choice
            segments
            legend={t('MAINTENANCE.CONSOLE.PREVIEW.WIDTH')}
            value={wide}
            onValue={setWide}
            options={[
              { value: deskWidth, label: t('MAINTENANCE.CONSOLE.PREVIEW.DESK') },
              { value: null, label: t('MAINTENANCE.CONSOLE.PREVIEW.PHONE') },
            ]}
          />
        </div>
      </div>
      <figure className="preview-part">
        <figcaption>{t('MAINTENANCE.CONSOLE.PREVIEW.BEFORE')}</figcaption>
        <Picture {...{ theme, wide, upcoming, clock }} shows="application" notice={ahead} />
      </figure>
      <figure className="preview-part">
        <figcaption>{t('MAINTENANCE.CONSOLE.PREVIEW.WHILE')}</figcaption>
        <Picture
          theme={theme}
          wide={wide}
          shows={mode === 'full' ? 'page' : 'application'}
          notice={noticeOf(during)}
          readOnly={mode === 'read-only' ? readOnly() : undefined}
          expectedEnd={endsAt}
          clock={atStart}
        />
      </figure>
    </div>
  );
}
