import type { MaintenanceWindow, WindowPhase } from '#features/maintenance/contract/windows.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { Button, type ButtonTone } from '#web/ui/button.tsx';
import { longestLead } from '../plan/plan-form.ts';
import { ExtendDialog } from './extend-dialog.tsx';
import { StepDialog } from './step-dialog.tsx';
import { isTextRead } from './text-after-end.ts';
import type { Step } from './use-window-step.ts';

type Action = Step | 'change';

/** The steps that are possible in a phase, the usual one first. */
const actions: Readonly<Record<WindowPhase, readonly Action[]>> = {
  scheduled: ['warn', 'start', 'change', 'cancel'],
  imminent: ['start', 'change', 'cancel'],
  active: ['end', 'extend', 'change'],
  overdue: ['end', 'extend', 'change'],
  ended: ['remove-text'],
  cancelled: [],
};

/** The longest time before the start at which people can be warned. */
const earliestWarning = longestLead * 60_000;
const soon = 86_400_000;

type WindowStepsProps = {
  window: MaintenanceWindow;
  phase: WindowPhase;
  now: number;
  onChange: () => void;
};

/** The steps that can be taken with a window now. */
export function WindowSteps({ window, phase, now, onChange }: WindowStepsProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<Step | null>(null);
  const close = () => setAsking(null);
  return (
    <>
      <div className="button-row">
        {actions[phase]
          .filter((action) => action !== 'remove-text' || isTextRead(window, now))
          .map((action, index) => (
            <Button
              key={action}
              tone={toneOf(action, index === 0, window.startsAt - now)}
              disabled={action === 'warn' && window.startsAt - now > earliestWarning}
              onClick={() => (action === 'change' ? onChange() : setAsking(action))}
            >
              {t(
                action === 'change'
                  ? 'MAINTENANCE.CONSOLE.CHANGE'
                  : action === 'extend'
                    ? 'MAINTENANCE.CONSOLE.EXTEND.OPEN'
                    : `MAINTENANCE.CONSOLE.STEPS.${catalogueKey(action)}.ACTION`,
              )}
            </Button>
          ))}
      </div>
      {asking === null ? null : asking === 'extend' ? (
        <ExtendDialog window={window} onClose={close} />
      ) : (
        <StepDialog window={window} step={asking} onClose={close} />
      )}
    </>
  );
}

/** The first action stands out, unless it is a warning days before the start. */
function toneOf(action: Action, first: boolean, left: number): ButtonTone {
  if (action === 'remove-text') return 'plain';
  if (first && (action !== 'warn' || left < soon)) return 'primary';
  return action === 'change' || action === 'cancel' ? 'quiet' : 'plain';
}
