import {
  type FlagDetails,
  type FlagDraft,
  type FlagVersion,
  getFlag,
  updateFlag,
} from '#features/flags/contract/flags.ts';
import type { FieldProblem } from '#contract/problem.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem, ProblemError } from '#web/platform/calls/problem-error.ts';
import { useApi, useCan, useFormats } from '#web/platform/contexts.tsx';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { useDebounced } from '#web/platform/state/use-store.ts';
import { Notice } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import { affectedBy } from './flag-uses.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { definitionIn, draftOf, formOf, readStoredForm, sameForm, type Definition } from './flag-form.ts';
import { ArchiveFlagDialog, FlagHead, TypeChangeDialog } from './flag-head.tsx';
import { FlagHistory } from './flag-history.tsx';
import { ProposeDialog, ProposedChange, type Unreviewed } from './flag-review.tsx';
import { FlagTabs } from './flag-tabs.tsx';
import { flagProblems } from './flag-words.ts';
import { effectQuery, flagQuery, flagsKey, trialQuery } from './flags-query.ts';
import { WhoGetsWhat } from './who-gets-what.tsx';
import { Effect, NoteField } from './save-bar.tsx';
import { useFlagSwitch } from './switch-flag.tsx';
import { emptyTrialForm, isFilled, trialSubjectOf, TryIt } from './try-it.tsx';
import { isFirstLoad, useAddressFilter } from '#web/platform/lists/list-state.ts';
import { FormSaveBar, RestoredWork } from '#web/ui/save-bar.tsx';
import { Button } from '#web/ui/button.tsx';

type FlagPageProps = {
  flag: FlagDetails;
  /** True: another operator has deleted the flag. */
  gone: boolean;
};

/**
 * A flag and the form that changes the version on the screen. If another operator saves a change, the page shows
 * it at once if nothing is typed, and otherwise in the save bar.
 */
export function FlagPage({ flag, gone }: FlagPageProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayWrite = useCan()('FLAGS_WRITE');
  const [{ tab }, setAddress] = useAddressFilter(['tab']);
  const [doing, setDoing] = useState<'nothing' | 'connect' | 'archive'>('nothing');
  const [wrong, setWrong] = useState(false);
  const { form, note, setNote, retyped, setRetyped, unreviewed, setUnreviewed } = useFlagForm(flag, gone);
  const definition = definitionIn(form.values.json);
  const preview = usePreviews(flag, form.values.type, definition, mayWrite);
  // A required review is not shown as an error, since a dialog asks for it.
  const error = isProblem(form.error, 'REVIEW_REQUIRED') ? null : form.error;
  const problems = flagProblems(t, error, wrong && definition === null ? 'rules' : null);
  const connected = flag.clients.reduce((sum, client) => sum + client.connected, 0);
  const stop = () => setDoing('nothing');
  const { press, question } = useFlagSwitch(connected);

  function submit(): void {
    const draft = draftOf(form.values);
    setWrong(draft === null);
    if (draft === null) setAddress({ tab: 'json' });
    else if (flag.enabled && draft.type !== flag.type) {
      form.reset();
      setRetyped(draft);
    } else form.save({ note: note ?? '' });
  }

  function restore({ flag: was, version }: FlagVersion): void {
    form.set(formOf(was));
    setAddress({ tab: '' });
    notify({ kind: 'info', title: t('FLAGS.HISTORY.RESTORED', { version }) });
  }

  return (
    <>
      <FlagHead
        flag={flag}
        gone={gone}
        mayWrite={mayWrite}
        onSwitch={() => void press(flag)}
        onConnect={() => setDoing('connect')}
        onArchive={() => setDoing('archive')}
      />
      <div className="flag-columns stack top gap-5">
        <div className="stack gap-4">
          <ProposedChange
            flag={flag}
            mayWrite={mayWrite && !gone}
            onEdit={form.typed ? null : (proposed) => form.set(formOf(proposed))}
          />
          <RestoredWork onDiscard={form.restored} />
          <FlagTabs
            flagKey={flag.key}
            history={
              <FlagHistory flag={flag} onRestore={mayWrite && !gone && !form.typed ? restore : null} />
            }
            form={form}
            definition={definition}
            mayWrite={mayWrite}
            version={mayWrite && !gone && !form.typed ? flag.version : null}
            problems={problems}
            ofRules={preview.problems}
            decisive={isFilled(preview.trialForm) ? preview.trial.data?.rule : undefined}
          />
          <FlagWarnings warnings={preview.trial.data?.warnings ?? flag.warnings} />
          {mayWrite ? (
            <FormSaveBar
              form={form}
              problem={problems.general ?? (tab === 'json' ? undefined : problems.rules)}
              onSave={submit}
              action={t(flag.reviewed && flag.enabled ? 'FLAGS.REVIEW.OPEN' : 'FLAGS.SAVE')}
              above={note === null ? null : <NoteField value={note} onValue={setNote} />}
              more={
                note === null ? (
                  <Button tone="quiet" onClick={() => setNote('')}>
                    {t('FLAGS.ADD_NOTE')}
                  </Button>
                ) : null
              }
            >
              <b>{t('COMMON.UNSAVED')}</b>{' '}
              {flag.enabled ? (
                <Effect effect={preview.effect} connected={connected} />
              ) : (
                t('FLAGS.EFFECT.OFF')
              )}
            </FormSaveBar>
          ) : null}
        </div>
        <div className="flag-aside stack gap-4" data-tab={tab}>
          <TryIt
            form={preview.trialForm}
            onForm={preview.setTrialForm}
            trial={preview.trial}
            enabled={flag.enabled}
            rules={definition?.rules ?? []}
          />
          {preview.everyone !== undefined && flag.enabled ? (
            <WhoGetsWhat effect={preview.everyone} unsaved={form.typed} />
          ) : null}
          {preview.counting ? null : <FlagClients flag={flag} />}
        </div>
      </div>
      {doing === 'connect' ? <ConnectDialog onClose={stop} /> : null}
      {question}
      {doing === 'archive' ? (
        <ArchiveFlagDialog
          flag={flag}
          connected={connected}
          unsaved={form.typed}
          onClose={stop}
          onArchived={() => {
            form.forget();
            void navigate({ to: '/flags', ignoreBlocker: true });
          }}
        />
      ) : null}
      {unreviewed === null ? null : (
        <ProposeDialog
          flag={flag}
          change={unreviewed}
          onClose={() => setUnreviewed(null)}
          onDone={() => {
            setNote(null);
            form.takeTheirs();
          }}
        />
      )}
      {retyped === null ? null : (
        <TypeChangeDialog
          flag={flag}
          type={retyped.type}
          busy={form.busy}
          error={flagProblems(t, form.error).general ?? null}
          onConfirm={(affected) => form.save({ affected, note: note ?? '' })}
          onCancel={() => setRetyped(null)}
        />
      )}
    </>
  );
}

/** The form of an existing flag. */
function useFlagForm(flag: FlagDetails, gone: boolean) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  /** The draft to save once the change of its type is confirmed. */
  const [retyped, setRetyped] = useState<FlagDraft | null>(null);
  const [unreviewed, setUnreviewed] = useState<Unreviewed | null>(null);
  /** Why: for the history. */
  const [note, setNote] = useState<string | null>(null);
  const params = { flagKey: flag.key };
  const form = useVersionedForm({
    saved: { values: formOf(flag), version: flag.version },
    storedAs: `flag:${flag.key}`,
    readStored: readStoredForm,
    same: sameForm,
    async save(values, version, { affected, note }: { affected?: string[]; note: string }) {
      const draft = draftOf(values);
      if (draft === null) throw new Error('The definition is no JSON.');
      const saveAs = (reason: { bypassReview?: true; note: string }) =>
        api.call(updateFlag, {
          params,
          body: { ...draft, version, ...(affected === undefined ? {} : { affected }), ...reason },
        });
      return saveAs({ note }).catch((error: unknown) => {
        if (isProblem(error, 'REVIEW_REQUIRED')) setUnreviewed({ draft, affected, note, bypass: saveAs });
        throw error;
      });
    },
    next: (saved) => ({ values: formOf(saved), version: saved.version }),
    async onSaved(saved, _sent, undo) {
      // The switch and the ramp's actions must use the new version from now on.
      queries.setQueryData(flagQuery(flag.key).queryKey, (before) => before && { ...before, ...saved });
      setRetyped(null);
      setNote(null);
      notifyUndoable(t, {
        key: `flag ${flag.key}`,
        title: t('FLAGS.SAVED', { key: flag.key }),
        // Undoing a change of the type changes the flags that depend on it too.
        undo:
          undo && (async () => undo({ note: '', affected: affectedBy(await api.call(getFlag, { params })) })),
        problem: (error) => flagProblems(t, error).general,
      });
      await queries.invalidateQueries({ queryKey: flagsKey });
    },
    onRefused(error) {
      if (!isProblem(error, 'FLAG_IN_USE')) setRetyped(null);
    },
    reload: flagsKey,
    follows: 'untyped',
    gone,
  });
  return { form, note, setNote, retyped, setRetyped, unreviewed, setUnreviewed };
}

/** The effect of the definition as edited, evaluated by the server once typing pauses. */
function usePreviews(
  flag: FlagDetails,
  type: FlagDraft['type'],
  definition: Definition | null,
  mayWrite: boolean,
) {
  const maySeePeople = useCan()('PEOPLE_READ');
  const [trialForm, setTrialForm] = useState(emptyTrialForm);
  const { defaultValue, rules }: Definition = definition ?? { defaultValue: null, rules: [] };
  const { value: sent, settled } = useDebounced({ type, defaultValue, rules: [...rules] }, 400);
  const { value: subject } = useDebounced(trialSubjectOf(trialForm), 400);
  const trial = useQuery({
    ...trialQuery(flag.key, sent, subject),
    enabled: definition !== null,
  });
  const effect = useQuery({
    ...effectQuery(flag.key, sent),
    enabled: mayWrite && maySeePeople && definition !== null && trial.error === null,
  });
  return {
    trialForm,
    setTrialForm,
    trial,
    /** The effect of the current definition; undefined: unknown, or still loading. */
    effect: settled && effect.error === null && !effect.isPlaceholderData ? effect.data : undefined,
    /** The effect of the current definition, or the previous effect until the current one is known. */
    everyone: effect.error === null ? effect.data : undefined,
    /** What people get is counted for the first time: what stands below it would move. */
    counting: isFirstLoad(effect) && effect.isFetching,
    problems: problemsIn(trial.error),
  };
}

function problemsIn(error: Error | null): readonly FieldProblem[] {
  if (!(error instanceof ProblemError)) return [];
  return error.errors.map((each) => ({ ...each, pointer: each.pointer.replace(/^\/definition\//, '/') }));
}

/** The clients that receive the flag, and the flags that depend on it. */
function FlagClients({ flag: { clients, usedBy } }: { flag: FlagDetails }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const connected = clients.filter((client) => client.connected > 0);
  const total = connected.reduce((sum, client) => sum + client.connected, 0);
  return (
    <section className="stack panel pad-4" aria-labelledby="flag-clients">
      <h2 id="flag-clients">{t('FLAGS.CONNECTED', { count: total })}</h2>
      {connected.length < 2 ? null : (
        <ul className="flag-clients rows">
          {connected.map(({ key, name, connected: count }) => (
            <li key={key}>
              <span>{name === '' ? key : name}</span>
              <small className="muted">{formats.number(count)}</small>
            </li>
          ))}
        </ul>
      )}
      {usedBy.length === 0 ? null : (
        <>
          <h3>{t('FLAGS.DEPENDENT')}</h3>
          <ul className="flag-clients rows">
            {usedBy.map(({ key, enabled }) => (
              <li key={key}>
                <Link to={`/flags/${encodeURIComponent(key)}`}>
                  <code>{key}</code>
                </Link>
                <small className="muted">{enabled ? t('FLAGS.ON') : t('FLAGS.OFF')}</small>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/**
 * Parts of a flag's rules that are evaluated differently from how they read, by place; nothing if there are
 * none.
 */
function FlagWarnings({ warnings }: { warnings: readonly FieldProblem[] }) {
  const { t } = useTranslation();
  if (warnings.length === 0) return null;
  return (
    <Notice severity="medium" title={t('FLAGS.WARNINGS.TITLE')}>
      <ul className="flag-warnings">
        {warnings.map(({ pointer, code, message }) => {
          const [, , at = '', ...within] = pointer.split('/');
          const rule = t('FLAGS.RULE.NUMBER', { number: Number(at) + 1 });
          const place = [rule, within.join('/')].filter(Boolean).join(', ');
          return <li key={`${pointer} ${code}`}>{t('FLAGS.ERRORS.RULE_AT', { place, message })}</li>;
        })}
      </ul>
    </Notice>
  );
}
