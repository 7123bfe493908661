import type {
  Notice as MaintenanceNotice,
  UpcomingWindow,
  TextByLanguage,
} from '#features/maintenance/contract/maintenance.ts';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Notice } from '#web/ui/notice.tsx';
import type { ServerClock } from '#web/platform/time/server-clock.ts';
import { MaintenanceBanner } from '../../banner.tsx';
import { MaintenancePage } from '../../maintenance-page.tsx';

type StageProps = {
  /** Left out: as the page around it. */
  theme?: 'light' | 'dark';
  /** The width in pixels at which it is drawn, before it is scaled down to its place; null: a phone's. */
  wide: number | null;
  children: ReactNode;
};

/** A frame with a scheme and width of its own. Inert: it is a picture. */
export function Stage({ theme, wide, children }: StageProps) {
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
    <div ref={place} className="preview-place">
      <div
        className={`preview-stage preview-${wide === null ? 'phone' : 'desk'}`}
        data-theme={theme}
        style={wide === null ? undefined : { width: wide, zoom }}
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
  /** Changes are refused: what people read about it, left out where they are not. */
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
        <div className="preview-page">
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
          <div className="preview-application">
            <span />
            <span />
            <span />
          </div>
        </>
      )}
    </Stage>
  );
}
