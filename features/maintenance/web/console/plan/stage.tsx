import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

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

/** A sketch of the application below the notice. */
export function Application() {
  return (
    <div className="preview-application">
      <span />
      <span />
      <span />
    </div>
  );
}
