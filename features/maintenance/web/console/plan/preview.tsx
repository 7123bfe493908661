import type {
  Severity,
  WindowMode,
  Notice as MaintenanceNotice,
  UpcomingWindow,
  TextByLanguage,
} from '#features/maintenance/contract/maintenance.ts';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats, useServerClock } from '#web/platform/contexts.tsx';
import type { ServerClock } from '#web/platform/time/server-clock.ts';
import { Notice } from '#web/ui/notice.tsx';
import { MaintenanceBanner } from '../../banner.tsx';
import { MaintenancePage } from '../../maintenance-page.tsx';
import { shortTime } from '../../time-words.ts';
import { Choice } from './choice.tsx';

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

/** What people will see before the window starts and while it lasts, in both schemes and at both widths. */
export function Preview({ before, during, severity, mode, startsAt, endsAt }: PreviewProps) {
  const { t } = useTranslation();
  const clock = useServerClock();
  const formats = useFormats();
  const [theme, setTheme] = useState<'light' | 'dark'>('light');
  const [wide, setWide] = useState(() => (matchMedia('(max-width: 600px)').matches ? null : deskWidth));
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
    <div className="preview stack gap-4">
      <div className="row wrap between gap-2-4">
        <h2>{t('MAINTENANCE.CONSOLE.PREVIEW.TITLE')}</h2>
        <div className="row wrap">
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
      <figure className="stack gap-2">
        <figcaption className="muted">{t('MAINTENANCE.CONSOLE.PREVIEW.BEFORE')}</figcaption>
        <Picture {...{ theme, wide, upcoming, clock }} shows="application" notice={ahead} />
      </figure>
      <figure className="stack gap-2">
        <figcaption className="muted">{t('MAINTENANCE.CONSOLE.PREVIEW.WHILE')}</figcaption>
        <Picture
          // Its countdown begins again with another start.
          key={startsAt}
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

type StageProps = {
  /** Left out: the scheme of the page around the frame. */
  theme?: 'light' | 'dark';
  /** The least width in pixels at which it is drawn; a narrower place scales it down. Null: a phone's. */
  wide: number | null;
  children: ReactNode;
};

/** A frame with a scheme and width of its own. Inert: it is a picture. */
function Stage({ theme, wide, children }: StageProps) {
  const place = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null || wide === null) return undefined;
    const fit = () => {
      // A dialog that is about to open has no width yet.
      if (element.clientWidth > 0) setZoom(Math.min(1, element.clientWidth / wide));
    };
    fit();
    const watching = new ResizeObserver(fit);
    watching.observe(element);
    return () => watching.disconnect();
  }, [wide]);
  return (
    <div ref={place} className="preview-place grid sunk rounded centers clipped">
      <div
        className={`preview-stage preview-${wide === null ? 'phone' : 'desk'}`}
        data-theme={theme}
        style={wide === null ? undefined : { width: zoom === 1 ? '100%' : wide, zoom }}
        aria-hidden="true"
        inert
      >
        {children}
      </div>
    </div>
  );
}

type PictureProps = Omit<StageProps, 'children'> & {
  /** The page, or the application below its notices. */
  shows: 'page' | 'application';
  notice: MaintenanceNotice & { texts?: TextByLanguage };
  upcoming?: UpcomingWindow | null;
  /** What people read where changes are refused; left out: changes are accepted. */
  readOnly?: string | undefined;
  expectedEnd?: number | null;
  clock: Pick<ServerClock, 'now'>;
};

/** What people see of maintenance, drawn with the real components. */
export function Picture(props: PictureProps) {
  const { shows, notice, upcoming = null, readOnly, expectedEnd = null, clock, ...stage } = props;
  return (
    <Stage {...stage}>
      {shows === 'page' ? (
        <div className="preview-page grid">
          <MaintenancePage notice={notice} expectedEnd={expectedEnd} clock={clock} />
        </div>
      ) : (
        <>
          <MaintenanceBanner
            notice={notice}
            upcoming={upcoming}
            visible={notice.maintenanceText !== '' || upcoming !== null}
            onClose={() => {}}
          />
          {readOnly === undefined ? null : (
            <Notice banner severity="info">
              {readOnly}
            </Notice>
          )}
          {/* A sketch of the application. */}
          <div className="preview-application stack">
            <span />
            <span />
            <span />
          </div>
        </>
      )}
    </Stage>
  );
}
