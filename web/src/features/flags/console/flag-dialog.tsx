import { createFlag, updateFlag, type Flag } from '@portico/contract/flags';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../platform/contexts.tsx';
import { isProblem } from '../../../platform/problem-error.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { notify } from '../../../ui/notifications/notifications.ts';
import { FlagFields } from './flag-fields.tsx';
import { emptyForm, formOf, readForm, type FlagForm } from './flag-form.ts';
import { flagProblems } from './flag-problems.ts';
import { flagsKey } from './flags-query.ts';

export function NewFlagDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const [form, setForm] = useState<FlagForm>(emptyForm);
  const [wrong, setWrong] = useState<'value' | 'rules' | null>(null);
  const create = useMutation({
    mutationFn: (draft: Parameters<typeof sendNew>[0]) => sendNew(draft),
    async onSuccess(flag) {
      await queries.invalidateQueries({ queryKey: flagsKey });
      notify({ kind: 'success', title: t('FLAGS.CREATED', { key: flag.key }) });
      onClose();
    },
  });
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
      onClose={onClose}
      busy={create.isPending}
      onSubmit={submit}
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            {t('COMMON.CANCEL')}
          </Button>
          <Button tone="primary" type="submit" busy={create.isPending}>
            {t('FLAGS.CREATE')}
          </Button>
        </>
      }
    >
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
  const [version, setVersion] = useState(flag.version);
  const [form, setForm] = useState<FlagForm>(() => formOf(flag));
  const [wrong, setWrong] = useState<'value' | 'rules' | null>(null);
  const save = useMutation({
    mutationFn: (draft: Extract<ReturnType<typeof readForm>, { draft: unknown }>['draft']) =>
      api.call(updateFlag, { params: { flagKey: flag.key }, body: { ...draft, version } }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: flagsKey });
      notify({ kind: 'success', title: t('FLAGS.SAVED', { key: flag.key }) });
      onClose();
    },
    async onError(error) {
      if (!isProblem(error, 'VERSION_CONFLICT')) return;
      await queries.invalidateQueries({ queryKey: flagsKey });
    },
  });
  function submit(): void {
    const read = readForm(form);
    setWrong('wrong' in read ? read.wrong : null);
    if ('draft' in read) save.mutate(read.draft);
  }
  const conflict = isProblem(save.error, 'VERSION_CONFLICT') && flag.version !== version;

  return (
    <Dialog
      open
      kind="wide"
      title={flag.key}
      closeLabel={t('COMMON.CLOSE')}
      onClose={onClose}
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
            <Button tone="quiet" onClick={onClose}>
              {t('COMMON.CANCEL')}
            </Button>
            {conflict ? (
              <Button
                onClick={() => {
                  setVersion(flag.version);
                  setForm(formOf(flag));
                  save.reset();
                }}
              >
                {t('FLAGS.TAKE_THEIRS')}
              </Button>
            ) : null}
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
      <FlagFields
        form={form}
        onForm={setForm}
        isNew={false}
        disabled={!mayWrite}
        problems={flagProblems(t, save.error, wrong)}
      />
    </Dialog>
  );
}
