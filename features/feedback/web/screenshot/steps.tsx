import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import type { Step } from './geometry.ts';
import { Drawing } from '#web/ui/icon.tsx';

// Drawn like the icons of `ui/icon.tsx`; in a file of their own, so that they are downloaded only when they
// are used.
const drawings = {
  arrow: 'M2.5 13.5 13 3M6.5 3H13v6.5',
  camera: 'M1.5 4.5h3l1.2-2h4.6l1.2 2h3v9h-13zM8 11.5a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4z',
  crop: 'M4 1v11h11M1 4h11v11',
  down: 'M8 3v10M4 9l4 4 4-4',
  highlight: 'M2 3.5h12v9H2zM5 8h6',
  image: 'M2 2.5h12v11H2zM2 11l3.5-3.5L9 11l2-2 3 3M10.5 6h.1',
  left: 'M13 8H3M7 4 3 8l4 4',
  narrower: 'M1.5 8H6M4 5.5 6.5 8 4 10.5M14.5 8H10M12 5.5 9.5 8l2.5 2.5',
  number: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM6.7 6 8.3 4.9V11',
  redact: 'M2 4h12v8H2zM2.5 6.5l2-2M2.5 11l6-6.5M6 11.5l6.5-7M10.5 11.5l3-3.3',
  redo: 'M13.5 6.5h-8a3.5 3.5 0 0 0 0 7H9M10.5 3.5l3 3-3 3',
  right: 'M3 8h10M9 4l4 4-4 4',
  shorter: 'M8 1.5V6M5.5 4 8 6.5 10.5 4M8 14.5V10M5.5 12 8 9.5l2.5 2.5',
  tab: 'M1.5 3h13v10h-13zM1.5 6h13M4 4.5h.1M6 4.5h.1',
  taller: 'M8 6V1.5M5.5 4 8 1.5 10.5 4M8 10v4.5M5.5 12 8 14.5l2.5-2.5',
  text: 'M3 5V3h10v2M8 3v10M6 13h4',
  undo: 'M2.5 6.5h8a3.5 3.5 0 0 1 0 7H7M5.5 3.5l-3 3 3 3',
  up: 'M8 13V3M4 7l4-4 4 4',
  wider: 'M6 8H1.5M4 5.5 1.5 8 4 10.5M10 8h4.5M12 5.5 14.5 8 12 10.5',
} as const;

export type ToolIconName = keyof typeof drawings;

/** A decoration next to a word; hidden from screen readers. */
export const ToolIcon = ({ name }: { name: ToolIconName }) => <Drawing path={drawings[name]} />;

export type Nudge = 'left' | 'right' | 'up' | 'down' | 'narrower' | 'wider' | 'shorter' | 'taller';

/** What each of the buttons does, in steps of one. */
export const nudges: Readonly<Record<Nudge, Step>> = {
  left: { grip: null, by: { x: -1, y: 0 } },
  right: { grip: null, by: { x: 1, y: 0 } },
  up: { grip: null, by: { x: 0, y: -1 } },
  down: { grip: null, by: { x: 0, y: 1 } },
  narrower: { grip: { x: 1, y: 0 }, by: { x: -1, y: 0 } },
  wider: { grip: { x: 1, y: 0 }, by: { x: 1, y: 0 } },
  shorter: { grip: { x: 0, y: 1 }, by: { x: 0, y: -1 } },
  taller: { grip: { x: 0, y: 1 }, by: { x: 0, y: 1 } },
};
/** CSS pixels that one press moves. */
export const nudgeLength = 10;

/** Moves and resizes without dragging and without keys (WCAG 2.2, 2.5.7). */
export function Steps({ onNudge }: { onNudge: (nudge: Nudge) => void }) {
  const { t } = useTranslation();
  return (
    <div className="shot-steps" role="group" aria-label={t('FEEDBACK.SCREENSHOT.STEPS')}>
      {(Object.keys(nudges) as Nudge[]).map((name) => (
        <Button
          key={name}
          small
          tone="quiet"
          className="button-icon"
          aria-label={t(`FEEDBACK.SCREENSHOT.NUDGES.${name.toUpperCase()}`)}
          title={t(`FEEDBACK.SCREENSHOT.NUDGES.${name.toUpperCase()}`)}
          onClick={() => onNudge(name)}
        >
          <ToolIcon name={name} />
        </Button>
      ))}
    </div>
  );
}
