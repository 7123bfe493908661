import {
  cancelWindow,
  endWindow,
  extendWindow,
  type MaintenanceWindow,
  removeFinishedText,
  startWindow,
  warnOfWindow,
  type WindowPhase,
} from '#features/maintenance/contract/windows.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { minutesInWords } from '#web/platform/time/days.ts';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { type ProblemWords, problemsOf } from '#web/platform/forms/problems-of.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { Button, type ButtonTone } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { Dialog, LeaveButton } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { shortTime, timeWords } from '../../time-words.ts';
import { maintenanceKey } from '../../live-status.ts';
import { comingWindowsQuery, useStayInConsole } from '../maintenance-queries.ts';
import { Choice } from '../plan/choice.tsx';
import { longestLead } from '../plan/plan-form.ts';
import { windowCodes } from '../plan/plan-words.ts';
import { entryAt, resolveEntry, WallTimeField } from '../plan/wall-time-field.tsx';
import { ConnectedPeople } from '../presence.tsx';
import { useServerNow } from '#web/platform/time/use-now.ts';
import { isTextRead } from './phase-at.ts';
import { withUtc } from './window-times.ts';
import { useAskedAction } from '#web/platform/lists/list-state.ts';

/** What an operator can do to a window without editing it. */
type Step = 'warn' | 'start' | 'extend' | 'end' | 'cancel' | 'remove-text';
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

const minute = 60_000;
/** The longest time before the start at which people can be warned. */
const earliestWarning = longestLead * minute;
const soon = 1_440 * minute;
/** How long before the start of a window that refuses changes people are asked to save. */
const savePromptBefore = 5 * minute;

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
  // With `?do=end` this asks even where immediate maintenance has to end as well: its card asks then too.
  useAskedAction('end', actions[phase].includes('end'), () => setAsking('end'));
  const label = (action: Action) => {
    if (action === 'change') return t('MAINTENANCE.CONSOLE.CHANGE');
    if (action === 'extend') return t('MAINTENANCE.CONSOLE.EXTEND.OPEN');
    if (action === 'start' && phase === 'scheduled') return t('MAINTENANCE.CONSOLE.STEPS.START.EARLY');
    return t(`MAINTENANCE.CONSOLE.STEPS.${catalogueKey(action)}.ACTION`);
  };
  return (
    <>
      <div className="row wrap">
        {actions[phase]
          .filter((action) => action !== 'remove-text' || isTextRead(window, now))
          .map((action, index) => (
            <Button
              key={action}
              tone={toneOf(action, index === 0, window.startsAt - now)}
              disabled={action === 'warn' && window.startsAt - now > earliestWarning}
              onClick={() => (action === 'change' ? onChange() : setAsking(action))}
            >
              {label(action)}
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
  if (action === 'cancel') return 'danger';
  return action === 'change' ? 'quiet' : 'plain';
}

type StepDialogProps = {
  window: MaintenanceWindow;
  step: Exclude<Step, 'extend'>;
  onClose: () => void;
};

/** Asks before a step, with how many people it concerns now. */
export function StepDialog({ window, step, onClose }: StepDialogProps) {
  const { t } = useTranslation();
  const { title, mode, startsAt } = window;
  const key = `MAINTENANCE.CONSOLE.STEPS.${catalogueKey(step)}`;
  const mutation = useWindowStep(window);
  const now = useServerNow();
  const effect = () => {
    if (step === 'cancel' || step === 'remove-text') return t(`${key}.EFFECT`);
    const asking = startsAt - now <= savePromptBefore ? 'SOON' : 'BLOCKS';
    const warned = mode === 'announce' ? 'ANNOUNCE' : asking;
    return t(`${key}.EFFECTS.${step === 'warn' ? warned : catalogueKey(mode)}`);
  };
  return (
    <ConfirmAction
      title={t(`${key}.QUESTION`, { title })}
      confirmLabel={t(`${key}.ACTION`)}
      {...(step === 'cancel' ? { cancelLabel: t('MAINTENANCE.CONSOLE.STEPS.CANCEL.KEEP') } : {})}
      tone={step === 'cancel' || (step === 'start' && mode !== 'announce') ? 'danger' : 'primary'}
      action={() => mutation.mutateAsync({ step })}
      problem={(error) => problemsOf(t, error, stepWords).general}
      done={t(`${key}.DONE`, { title })}
      onCancel={onClose}
    >
      <div className="fields">
        <ConnectedPeople />
        <p>{effect()}</p>
      </div>
    </ConfirmAction>
  );
}

const usual = [15, 30, 60] as const;

/**
 * Gives a window a later end: by a duration, or until a time. For an overdue window a duration counts from
 * now.
 */
function ExtendDialog({ window, onClose }: { window: MaintenanceWindow; onClose: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useServerNow();
  const mutation = useWindowStep(window, (saved) => {
    notify({
      kind: 'success',
      title: t('MAINTENANCE.CONSOLE.EXTEND.DONE', { time: shortTime(formats, saved.endsAt, now) }),
    });
    onClose();
  });
  const [choice, setChoice] = useState<(typeof usual)[number] | 'until'>(30);
  const from = Math.max(window.endsAt, Math.ceil(now / minute) * minute);
  const [until, setUntil] = useState(() => entryAt(from + 30 * minute, formats.timeZone));
  const [typed, setTyped] = useState(false);
  const [tried, setTried] = useState(false);
  const resolved = resolveEntry(until, formats.timeZone);
  const asked = resolved.kind === 'one' ? resolved.at : null;
  const endsAt = choice === 'until' ? asked : from + choice * minute;
  const tooEarly = endsAt !== null && endsAt <= Math.max(window.endsAt, now);

  function untilProblem(): string | undefined {
    if (!tried) return undefined;
    if (resolved.kind === 'skipped') return t('MAINTENANCE.CONSOLE.WRONG.TIME_SKIPPED');
    if (resolved.kind === 'doubled') return t('MAINTENANCE.CONSOLE.WRONG.TIME_DOUBLED');
    if (asked === null) return t('MAINTENANCE.CONSOLE.WRONG.TIME_REQUIRED');
    return tooEarly ? t('MAINTENANCE.CONSOLE.EXTEND.NOT_LATER') : undefined;
  }

  return (
    <Dialog
      open
      title={t('MAINTENANCE.CONSOLE.EXTEND.QUESTION', { title: window.title })}
      busy={mutation.isPending}
      onClose={onClose}
      typed={choice === 'until' && typed}
      onSubmit={() => {
        setTried(true);
        if (endsAt === null || tooEarly) return;
        mutation.mutate({ step: 'extend', endsAt });
      }}
      footer={
        <>
          <LeaveButton tone="quiet">{t('COMMON.CANCEL')}</LeaveButton>
          <Button tone="primary" type="submit" busy={mutation.isPending}>
            {endsAt === null
              ? t('MAINTENANCE.CONSOLE.EXTEND.ACTION')
              : t('MAINTENANCE.CONSOLE.EXTEND.ACTION_UNTIL', { time: shortTime(formats, endsAt, now) })}
          </Button>
        </>
      }
    >
      <ConnectedPeople />
      <Choice
        legend={t('MAINTENANCE.CONSOLE.EXTEND.BY')}
        options={[
          ...usual.map((minutes) => ({
            value: minutes,
            label: minutesInWords(formats.locale, minutes),
            hint: t('MAINTENANCE.CONSOLE.EXTEND.UNTIL_TIME', {
              time: withUtc(t, timeWords(formats, from + minutes * minute, now)),
            }),
          })),
          { value: 'until' as const, label: t('MAINTENANCE.CONSOLE.EXTEND.UNTIL') },
        ]}
        value={choice}
        onValue={setChoice}
      />
      {choice === 'until' ? (
        <WallTimeField
          label={t('MAINTENANCE.CONSOLE.EXTEND.NEW_END')}
          entry={until}
          timeZone={formats.timeZone}
          now={now}
          error={untilProblem()}
          onEntry={(entry) => {
            setUntil(entry);
            setTyped(true);
            setTried(false);
          }}
        />
      ) : null}
      <p className="muted">{t('MAINTENANCE.CONSOLE.EXTEND.EFFECT')}</p>
      <Problem>{mutation.error === null ? null : problemsOf(t, mutation.error, stepWords).general}</Problem>
    </Dialog>
  );
}

/** Why a step was refused. */
const stepWords: ProblemWords<never> = {
  fields: {},
  codes: {
    ...windowCodes,
    CONFLICT: 'MAINTENANCE.CONSOLE.WRONG.ELSEWHERE',
    INVALID_BODY: 'MAINTENANCE.CONSOLE.WRONG.BEFORE_START',
  },
};

const routes = {
  warn: warnOfWindow,
  start: startWindow,
  end: endWindow,
  cancel: cancelWindow,
  'remove-text': removeFinishedText,
};

/**
 * Takes a step against the version that was read; afterwards, also after a refusal, everything is reloaded. The operator
 * who starts a window stays in the console.
 *
 * @param onDone is called even where the dialog is gone by then
 */
function useWindowStep(
  window: Pick<MaintenanceWindow, 'id' | 'version' | 'mode'>,
  onDone: (window: MaintenanceWindow) => void = () => {},
) {
  const api = useApi();
  const queries = useQueryClient();
  const staying = useStayInConsole();
  const reload = () => queries.invalidateQueries({ queryKey: maintenanceKey });
  const params = { windowId: window.id };
  const body = { version: window.version };
  return useMutation({
    mutationFn: (request: { step: Exclude<Step, 'extend'> } | { step: 'extend'; endsAt: number }) =>
      request.step === 'extend'
        ? api.call(extendWindow, { params, body: { ...body, endsAt: request.endsAt } })
        : staying(request.step === 'start' && window.mode === 'full', () =>
            api.call(routes[request.step], { params, body }),
          ),
    onSuccess(answer) {
      // If the next step comes before the reload, it is taken against this version.
      queries.setQueryData(
        comingWindowsQuery.queryKey,
        (known) =>
          known && { ...known, windows: known.windows.map((one) => (one.id === answer.id ? answer : one)) },
      );
      onDone(answer);
      void reload();
    },
    onError: reload,
  });
}
