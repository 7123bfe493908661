import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import type { Step } from './geometry.ts';
import { ToolIcon } from './tool-icon.tsx';

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
