import { getFlag, switchFlag, type Flag } from '#features/flags/contract/flags.ts';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Api } from '#web/platform/calls/call.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import { ProposeDialog, unreviewedSwitch } from './flag-review.tsx';
import { flagProblems } from './flag-words.ts';
import { AffectedFlags, affectedBy } from './flag-uses.tsx';
import { flagQuery, flagsKey } from './flags-query.ts';

type Parts = { t: TFunction; api: Api; queries: QueryClient };

/**
 * Turns a flag on or off for everyone, and shows how to undo it; shows any failure. Answers `asks` if the person
 * must confirm first, since the flag is a kill switch or other flags change with it; `reviewed` if another person
 * must approve the change.
 */
export async function switchAtOnce(
  { t, api, queries }: Parts,
  flag: Flag,
): Promise<'done' | 'asks' | 'reviewed'> {
  if (flag.killSwitch) return 'asks';
  const params = { flagKey: flag.key };
  const problem = (error: unknown) => flagProblems(t, error).general;
  try {
    const { enabled, version } = await api.call(switchFlag, {
      params,
      body: { enabled: !flag.enabled, version: flag.version },
    });
    await queries.invalidateQueries({ queryKey: flagsKey });
    notifyUndoable(t, {
      key: `flag ${flag.key}`,
      title: t(`FLAGS.TURN.${enabled ? 'ON' : 'OFF'}.DONE`, { key: flag.key }),
      async undo() {
        // The flags that depend on it change back too.
        const affected = affectedBy(await api.call(getFlag, { params }));
        await api.call(switchFlag, { params, body: { enabled: !enabled, version, affected } });
        await queries.invalidateQueries({ queryKey: flagsKey });
      },
      problem,
    });
  } catch (error) {
    if (isProblem(error, 'FLAG_IN_USE')) return 'asks';
    if (isProblem(error, 'REVIEW_REQUIRED')) return 'reviewed';
    await queries.invalidateQueries({ queryKey: flagsKey });
    notify({ kind: 'error', key: `flag ${flag.key}`, title: problem(error) ?? '' });
  }
  return 'done';
}

/** Switches a flag when `press` is called; `question` is the dialog that confirms first, where that is needed. */
export function useFlagSwitch(connected: number) {
  const parts = { t: useTranslation().t, api: useApi(), queries: useQueryClient() };
  const [asked, setAsked] = useState<{ flag: Flag; first: 'asks' | 'reviewed' } | null>(null);
  const busy = useRef(new Set<string>());

  async function press(flag: Flag): Promise<void> {
    // A second press on the same switch would send the old version.
    if (busy.current.has(flag.key)) return;
    busy.current.add(flag.key);
    const came = await switchAtOnce(parts, flag).finally(() => busy.current.delete(flag.key));
    if (came !== 'done') setAsked({ flag, first: came });
  }

  return {
    press,
    question:
      asked === null ? null : (
        <SwitchFlagQuestion {...asked} connected={connected} onClose={() => setAsked(null)} />
      ),
  };
}

type SwitchFlagQuestionProps = {
  flag: Flag;
  /** The answer of `switchAtOnce`. */
  first: 'asks' | 'reviewed';
  connected: number;
  onClose: () => void;
};

/** Asks for confirmation before a flag is switched, and proposes the change if it needs a review. */
export function SwitchFlagQuestion({ flag, first, connected, onClose }: SwitchFlagQuestionProps) {
  const api = useApi();
  const [step, setStep] = useState(first);
  return step === 'asks' ? (
    <SwitchFlagDialog
      flag={flag}
      connected={connected}
      onClose={onClose}
      onReview={() => setStep('reviewed')}
    />
  ) : (
    <ProposeDialog flag={flag} change={unreviewedSwitch(api, flag)} onClose={onClose} />
  );
}

/**
 * Asks before a flag is turned on or off for everyone; before turning it off, names the flags that depend on
 * it.
 */
function SwitchFlagDialog({
  flag,
  connected,
  onClose,
  onReview,
}: {
  flag: Flag;
  connected: number;
  onClose: () => void;
  /** Called if another person must approve the change. */
  onReview: () => void;
}) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const direction = flag.enabled ? 'OFF' : 'ON';
  const details = useQuery({ ...flagQuery(flag.key), enabled: flag.enabled });
  const affected = details.data === undefined ? [] : affectedBy(details.data);
  const reload = () => queries.invalidateQueries({ queryKey: flagsKey });

  async function turn(): Promise<void> {
    const params = { flagKey: flag.key };
    const body = { enabled: !flag.enabled, version: flag.version, affected };
    await api.call(switchFlag, { params, body }).catch(async (error: unknown) => {
      if (isProblem(error, 'VERSION_CONFLICT', 'FLAG_IN_USE')) await reload();
      if (isProblem(error, 'REVIEW_REQUIRED')) onReview();
      throw error;
    });
    await reload();
  }

  return (
    <ConfirmAction
      title={t(`FLAGS.TURN.${direction}.QUESTION`, { key: flag.key })}
      confirmLabel={t(`FLAGS.TURN.${direction}.ACTION`)}
      cancelLabel={t(`FLAGS.TURN.${direction}.CANCEL`)}
      hold={flag.enabled && details.isPending ? 'loading' : undefined}
      action={turn}
      problem={(error) => flagProblems(t, error).general}
      done={t(`FLAGS.TURN.${direction}.DONE`, { key: flag.key })}
      onCancel={onClose}
    >
      <div className="stack breaks">
        <p>
          {t('FLAGS.CONNECTED_SENTENCE', { count: connected })} {t(`FLAGS.TURN.${direction}.EFFECT`)}
        </p>
        {flag.enabled ? <AffectedFlags details={details} sentence="OFF" /> : null}
      </div>
    </ConfirmAction>
  );
}
