import { createFlag, updateFlag, type Flag, type FlagDraft } from '@portico/contract/flags';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Api } from '../../../platform/call.ts';
import { useApi } from '../../../platform/contexts.tsx';
import { HistoryLink } from '../../../platform/history-link.tsx';
import { useFoundWork, useKeepWork } from '../../../platform/kept-work.ts';
import { isProblem } from '../../../platform/problem-error.ts';
import { useUnsavedWork } from '../../../platform/unsaved-work.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { notify } from '../../../ui/notifications/notifications.ts';
import { RestoredWork } from '../../../ui/restored-work.tsx';
import { FlagFields } from './flag-fields.tsx';
import {
  emptyForm,
  type FlagForm,
  formOf,
  newFlagWork,
  readForm,
  readKeptEdit,
  readKeptForm,
  sameForm,
} from './flag-form.ts';
import { flagProblems } from './flag-problems.ts';
import { FlagWarnings } from './flag-warnings.tsx';
import { flagQuery, flagsKey } from './flags-query.ts';
import { TypeChangeDialog } from './type-change-dialog.tsx';

export function NewFlagDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const work = useFoundWork(newFlagWork, readKeptForm);
  const [restored, setRestored] = useState(work.found !== null);
  const [form, setForm] = useState<FlagForm>(work.found ?? emptyForm);
  const [wrong, setWrong] = useState<'value' | 'rules' | null>(null);
  const create = useMutation({
    mutationFn: (draft: Parameters<typeof sendNew>[0]) => sendNew(draft),
    async onSuccess(flag) {
      await queries.invalidateQueries({ queryKey: flagsKey });
      notifySaved(t, t('FLAGS.CREATED', { key: flag.key }), await warningsOf(queries, api, flag.key));
      close();
    },
  });
  const typed = !sameForm(form, emptyForm);
  useUnsavedWork(typed);
  useKeepWork(newFlagWork, typed ? form : null);
  function close(): void {
    work.forget();
    onClose();
  }
  function sendNew(draft: {
    form: FlagForm;
    read: Extract<ReturnType<typeof readForm>, { draft: unknown }>;
  }) {
    return api.call(createFlag, {
      body: { ...draft.read.draft, key: draft.form.key.trim(), enabled: draft.form.enabled },
    });
  }
  function submit(): void {
    const read = readForm(form);
    setWrong('wrong' in read ? read.wrong : null);
    if ('draft' in read) create.mutate({ form, read });
  }

  return (
    <Dialog
      open
      kind="wide"
      title={t('FLAGS.NEW')}
      closeLabel={t('COMMON.CLOSE')}
      onClose={close}
      busy={create.isPending}
      onSubmit={submit}
      footer={
        <>
          <Button tone="quiet" onClick={close}>
            {t('COMMON.CANCEL')}
          </Button>
          <Button tone="primary" type="submit" busy={create.isPending}>
            {t('FLAGS.CREATE')}
          </Button>
        </>
      }
    >
      {restored ? (
        <RestoredWork
          text={t('COMMON.RESTORED.TEXT')}
          discard={t('COMMON.RESTORED.DISCARD')}
          onDiscard={() => {
            setRestored(false);
            setForm(emptyForm);
          }}
        />
      ) : null}
      <FlagFields form={form} onForm={setForm} isNew problems={flagProblems(t, create.error, wrong)} />
    </Dialog>
  );
}

type EditFlagDialogProps = { flag: Flag; mayWrite: boolean; onClose: () => void; onDelete: () => void };

/**
 * Edits a flag against the version that was opened: when somebody else saves meanwhile, this says so and keeps what was
 * typed; saving again is then against the latest.
 */
export function EditFlagDialog({ flag, mayWrite, onClose, onDelete }: EditFlagDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const name = `flag:${flag.key}`;
  const work = useFoundWork(name, readKeptEdit);
  const [restored, setRestored] = useState(work.found !== null);
  const [version, setVersion] = useState(work.found?.version ?? flag.version);
  /** The flag as it was when it was opened. */
  const [before, setBefore] = useState<FlagForm>(() => work.found?.before ?? formOf(flag));
  const [form, setForm] = useState<FlagForm>(() => work.found?.form ?? formOf(flag));
  const [wrong, setWrong] = useState<'value' | 'rules' | null>(null);
  const details = useQuery(flagQuery(api, flag.key));
  /** What is to be saved once another type is confirmed. */
  const [retyped, setRetyped] = useState<FlagDraft | null>(null);
  const save = useMutation({
    mutationFn: ({ draft, affected }: { draft: FlagDraft; affected?: string[] }) =>
      api.call(updateFlag, {
        params: { flagKey: flag.key },
        body: { ...draft, version, ...(affected === undefined ? {} : { affected }) },
      }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: flagsKey });
      notifySaved(t, t('FLAGS.SAVED', { key: flag.key }), await warningsOf(queries, api, flag.key));
      close();
    },
    async onError(error) {
      if (!isProblem(error, 'FLAG_IN_USE')) setRetyped(null);
      if (!isProblem(error, 'VERSION_CONFLICT', 'FLAG_IN_USE')) return;
      await queries.invalidateQueries({ queryKey: flagsKey });
    },
  });
  const typed = !sameForm(form, before);
  useUnsavedWork(typed);
  useKeepWork(name, typed ? { version, before, form } : null);
  function close(): void {
    work.forget();
    onClose();
  }
  function takeLatest(): void {
    setRestored(false);
    setVersion(flag.version);
    setBefore(formOf(flag));
    setForm(formOf(flag));
    save.reset();
  }
  function submit(): void {
    const read = readForm(form);
    setWrong('wrong' in read ? read.wrong : null);
    if ('wrong' in read) return;
    if (flag.enabled && read.draft.type !== flag.type) {
      save.reset();
      setRetyped(read.draft);
    } else save.mutate({ draft: read.draft });
  }
  const conflict = isProblem(save.error, 'VERSION_CONFLICT') && flag.version !== version;

  return (
    <>
      <Dialog
        open
        kind="wide"
        title={flag.key}
        closeLabel={t('COMMON.CLOSE')}
        onClose={close}
        busy={save.isPending}
        {...(mayWrite ? { onSubmit: submit } : {})}
        footer={
          mayWrite ? (
            <>
              <span className="dialog-foot-start">
                <Button tone="danger" icon="trash" disabled={save.isPending} onClick={onDelete}>
                  {t('FLAGS.DELETE')}
                </Button>
              </span>
              <Button tone="quiet" onClick={close}>
                {t('COMMON.CANCEL')}
              </Button>
              {conflict ? <Button onClick={takeLatest}>{t('FLAGS.TAKE_THEIRS')}</Button> : null}
              {conflict ? (
                // Its own element: the one that saves, in the same place, would be pressed by the same click.
                <Button
                  key="keep"
                  tone="danger-primary"
                  onClick={() => {
                    setVersion(flag.version);
                    save.reset();
                  }}
                >
                  {t('FLAGS.KEEP_MINE')}
                </Button>
              ) : (
                <Button key="save" tone="primary" type="submit" busy={save.isPending}>
                  {t('FLAGS.SAVE')}
                </Button>
              )}
            </>
          ) : undefined
        }
      >
        {restored ? (
          <RestoredWork
            text={t('COMMON.RESTORED.TEXT')}
            discard={t('COMMON.RESTORED.DISCARD')}
            onDiscard={takeLatest}
          />
        ) : null}
        <FlagFields
          form={form}
          onForm={setForm}
          isNew={false}
          disabled={!mayWrite}
          problems={flagProblems(t, save.error, wrong)}
        />
        <FlagWarnings warnings={details.data?.warnings ?? []} />
        <HistoryLink subject={flag.key} />
      </Dialog>
      {retyped === null ? null : (
        <TypeChangeDialog
          flag={flag}
          type={retyped.type}
          busy={save.isPending}
          error={flagProblems(t, save.error, null).general ?? null}
          onConfirm={(affected) => save.mutate({ draft: retyped, affected })}
          onCancel={() => setRetyped(null)}
        />
      )}
    </>
  );
}

/** How many parts of a flag that was just saved are evaluated other than they read; none where that cannot be found out. */
async function warningsOf(queries: QueryClient, api: Api, flagKey: string): Promise<number> {
  try {
    return (await queries.query(flagQuery(api, flagKey))).warnings.length;
  } catch {
    return 0;
  }
}

function notifySaved(t: TFunction, title: string, warnings: number): void {
  if (warnings === 0) notify({ kind: 'success', title });
  else
    notify({
      kind: 'warning',
      title,
      content: t('FLAGS.WARNINGS.SAVED', { count: warnings }),
      duration: 10_000,
    });
}
