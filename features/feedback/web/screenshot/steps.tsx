import { Button } from '#web/ui/button.tsx';
import type { Step } from './geometry.ts';
import type { Nudge, ScreenshotLabels } from './labels.ts';
import { ToolIcon } from './tool-icon.tsx';

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

type StepsProps = { labels: ScreenshotLabels; onNudge: (nudge: Nudge) => void };

/** Moves and resizes without dragging and without keys (WCAG 2.2, 2.5.7). */
export function Steps({ labels, onNudge }: StepsProps) {
  const names = ['left', 'right', 'up', 'down', 'narrower', 'wider', 'shorter', 'taller'] as const;
  return (
    <div className="shot-steps" role="group" aria-label={labels.steps}>
      {names.map((name) => (
        <Button
          key={name}
          small
          tone="quiet"
          className="button-icon"
          aria-label={labels.nudges[name]}
          title={labels.nudges[name]}
          onClick={() => onNudge(name)}
        >
          <ToolIcon name={name} />
        </Button>
      ))}
    </div>
  );
}
