import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useTranslation } from 'react-i18next';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { ConnectedPeople } from '../connected-people.tsx';
import { useServerNow } from '../use-server-now.ts';
import { stepWords } from './step-words.ts';
import { type Step, useWindowStep } from './use-window-step.ts';

/** How long before the start of such a window people are asked to save, in milliseconds. */
const savePromptBefore = 5 * 60_000;

type StepDialogProps = {
  window: MaintenanceWindow;
  step: Exclude<Step, 'extend'>;
  onClose: () => void;
};

/** Asks before a step, with how many people it concerns now. */
export function StepDialog({ window, step, onClose }: StepDialogProps) {
  const { t } = useTranslation();
  const key = catalogueKey(step);
  const { title } = window;
  const take = useWindowStep(window);
  const now = useServerNow();
  const asking = window.startsAt - now <= savePromptBefore ? 'SOON' : 'BLOCKS';
  const effect =
    step === 'cancel' || step === 'remove-text'
      ? t(`MAINTENANCE.CONSOLE.STEPS.${catalogueKey(step)}.EFFECT`)
      : step === 'warn'
        ? t(`MAINTENANCE.CONSOLE.STEPS.WARN.EFFECTS.${window.mode === 'announce' ? 'ANNOUNCE' : asking}`)
        : t(`MAINTENANCE.CONSOLE.STEPS.${key}.EFFECTS.${catalogueKey(window.mode)}`);
  return (
    <ConfirmAction
      title={t(`MAINTENANCE.CONSOLE.STEPS.${key}.QUESTION`, { title })}
      confirmLabel={t(`MAINTENANCE.CONSOLE.STEPS.${key}.ACTION`)}
      {...(step === 'cancel' ? { cancelLabel: t('MAINTENANCE.CONSOLE.STEPS.CANCEL.KEEP') } : {})}
      tone={step === 'cancel' || (step === 'start' && window.mode !== 'announce') ? 'danger' : 'primary'}
      action={() => take.mutateAsync({ step })}
      problem={(error) => problemsOf(t, error, stepWords).general}
      done={t(`MAINTENANCE.CONSOLE.STEPS.${key}.DONE`, { title })}
      onDone={onClose}
      onCancel={onClose}
    >
      <div className="fields">
        <p>
          <ConnectedPeople />
        </p>
        <p>{effect}</p>
      </div>
    </ConfirmAction>
  );
}
