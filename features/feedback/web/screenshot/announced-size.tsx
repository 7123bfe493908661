import { useEffect, useState } from 'react';
import type { Size } from './geometry.ts';
import type { ScreenshotLabels } from './labels.ts';

/** Milliseconds of rest after which a size is announced: a moving handle would announce each of them. */
const restBeforeSpeaking = 400;

/** A size that is shown at once and announced at rest. */
export function AnnouncedSize({ labels, size: { width, height } }: { labels: ScreenshotLabels; size: Size }) {
  const [spoken, setSpoken] = useState('');
  const words = labels.size({ width, height });
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(words), restBeforeSpeaking);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <>
      <span className="shot-size" aria-hidden="true">
        {words}
      </span>
      <span className="visually-hidden" role="status">
        {spoken}
      </span>
    </>
  );
}
