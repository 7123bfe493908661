import type {
  MaintenanceHistoryEntry,
  MaintenanceWindow,
  WindowPhase,
} from '@portico/contract/maintenance/windows';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../../platform/i18n/formats-context.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { leadBeginsAt } from './phase-at.ts';
import { warnedAt } from './warned-at.ts';
import { shortTime } from './window-times.ts';

type Stage = 'planned' | 'warned' | 'active' | 'overdue' | 'ended';

const keys: Record<Stage, string> = {
  planned: 'PLANNED',
  warned: 'WARNED',
  active: 'ACTIVE',
  overdue: 'OVERDUE',
  ended: 'ENDED',
};

const stageOf: Record<WindowPhase, Stage> = {
  scheduled: 'planned',
  imminent: 'warned',
  active: 'active',
  overdue: 'overdue',
  ended: 'ended',
  cancelled: 'ended',
};

type WindowStepperProps = {
  window: MaintenanceWindow;
  phase: WindowPhase;
  now: number;
  /** The history of the window, as far as it is loaded. */
  history: readonly MaintenanceHistoryEntry[] | null;
};

/** The phases of a window, from planned to ended, with the present one. */
export function WindowStepper({ window, phase, now, history }: WindowStepperProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const stages: Stage[] =
    phase === 'overdue'
      ? ['planned', 'warned', 'active', 'overdue', 'ended']
      : ['planned', 'warned', 'active', 'ended'];
  const here = stages.indexOf(stageOf[phase]);
  const over = phase === 'ended' || phase === 'cancelled';
  const warned = history === null ? null : warnedAt(history);
  // Of one that was started early, or without a warning, the lead time is not what happened.
  const early = history !== null && history.some(({ deed }) => deed === 'started');
  const unwarned = phase !== 'imminent' && warned === null && (early || window.leadMinutes === 0);
  const at: Record<Stage, number | null> = {
    planned: window.createdAt,
    warned: (phase === 'scheduled' ? null : warned) ?? Math.max(leadBeginsAt(window), window.createdAt),
    active: window.startsAt,
    overdue: window.endsAt,
    ended: window.overAt ?? (phase === 'overdue' || !window.endsByItself ? null : window.endsAt),
  };
  return (
    <ol className="stepper">
      {stages.map((stage, index) => {
        const state = over || index < here ? 'done' : index === here ? 'here' : 'ahead';
        const time = at[stage];
        return (
          <li
            key={stage}
            className={`step step-${state}${stage === 'overdue' ? ' step-overdue' : ''}`}
            aria-current={state === 'here' ? 'step' : undefined}
          >
            <span className="step-mark">
              {state === 'done' ? <Icon name="check" size={14} /> : null}
              {state === 'here' && stage === 'overdue' ? <Icon name="alert" size={14} /> : null}
            </span>
            <span className="step-name">
              {t(`MAINTENANCE.CONSOLE.STAGES.${keys[stage]}`)}
              {state === 'done' ? (
                <span className="visually-hidden"> {t('MAINTENANCE.CONSOLE.STAGES.DONE')}</span>
              ) : null}
            </span>
            <span className="step-time">
              {stage === 'warned' && unwarned
                ? t('MAINTENANCE.CONSOLE.COLUMNS.NO_LEAD')
                : time === null
                  ? t('MAINTENANCE.CONSOLE.STAGES.BY_HAND')
                  : shortTime(formats, time, now)}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
