import { createFlag, updateFlag, type Flag, type FlagDraft } from '@portico/contract/flags';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Api } from '../../../platform/calls/call.ts';
import { isProblem } from '../../../platform/calls/problem-error.ts';
import { useApi } from '../../../platform/contexts.tsx';
import { useVersionedForm } from '../../../platform/forms/versioned-form.ts';
import { HistoryLink } from '../../../platform/lists/history-link.tsx';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { notify } from '../../../ui/notifications/notifications.ts';
import { FlagFields } from './flag-fields.tsx';
import { emptyForm, formOf, newFlagWork, readForm, readStoredForm } from './flag-form.ts';
import { FlagWarnings } from './flag-warnings.tsx';
import { flagProblems } from './flag-words.ts';
import { flagQuery, flagsKey } from './flags-query.ts';
import { TypeChangeDialog } from './type-change-dialog.tsx';

export function NewFlagDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const [wrong, setWrong] = useState<'value' | 'rules' | null>(null);
  const form = useVersionedForm({
    saved: { values: emptyForm },
    storedAs: newFlagWork,
    readStored: readStoredForm,
    save: ({ key, enabled }, _version, draft: FlagDraft) =>
      api.call(createFlag, { body: { ...draft, key: key.trim(), enabled } }),
    async onSaved({ key }) {
      await queries.invalidateQueries({ queryKey: flagsKey });
      notifySaved(t, t('FLAGS.CREATED', { key }), await warningsOf(queries, api, key));
      onClose();
    },
  });
  const problems = flagProblems(t, form.error, wrong);

  function submit(): void {
    const read = readForm(form.values);
    setWrong('wrong' in read ? read.wrong : null);
    if ('draft' in read) form.save(read.draft);
  }

  return (
    <FormDialog
      kind="wide"
      title={t('FLAGS.NEW')}
      form={form}
      problem={problems.general}
      action={t('FLAGS.CREATE')}
      onSubmit={submit}
      onClose={onClose}
    >
      <FlagFields form={form.values} onForm={form.set} isNew problems={problems} />
    </FormDialog>
  );
}

type EditFlagDialogProps = {
  flag: Flag;
  /** Another operator has deleted it meanwhile. */
  gone: boolean;
  mayWrite: boolean;
  onClose: () => void;
  onDelete: () => void;
};

/**
 * Edits a flag against the version that was opened: when another operator saves meanwhile, a message shows
 * and what is typed stays; saving again is then against the latest.
 */
export function EditFlagDialog({ flag, gone, mayWrite, onClose, onDelete }: EditFlagDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const [wrong, setWrong] = useState<'value' | 'rules' | null>(null);
  const details = useQuery(flagQuery(api, flag.key));
  /** The draft to save once the change of its type is confirmed. */
  const [retyped, setRetyped] = useState<FlagDraft | null>(null);
  const form = useVersionedForm({
    saved: { values: formOf(flag), version: flag.version },
    storedAs: `flag:${flag.key}`,
    readStored: readStoredForm,
    save: (_values, version, { draft, affected }: { draft: FlagDraft; affected?: string[] }) =>
      api.call(updateFlag, {
        params: { flagKey: flag.key },
        body: { ...draft, version, ...(affected === undefined ? {} : { affected }) },
      }),
    async onSaved() {
      await queries.invalidateQueries({ queryKey: flagsKey });
      notifySaved(t, t('FLAGS.SAVED', { key: flag.key }), await warningsOf(queries, api, flag.key));
      onClose();
    },
    onRefused(error) {
      if (!isProblem(error, 'FLAG_IN_USE')) setRetyped(null);
    },
    reload: flagsKey,
    gone,
  });
  const problems = flagProblems(t, form.error, wrong);

  function submit(): void {
    const read = readForm(form.values);
    setWrong('wrong' in read ? read.wrong : null);
    if ('wrong' in read) return;
    if (flag.enabled && read.draft.type !== flag.type) {
      form.reset();
      setRetyped(read.draft);
    } else form.save({ draft: read.draft });
  }

  return (
    <>
      <FormDialog
        kind="wide"
        title={flag.key}
        form={form}
        problem={problems.general}
        action={mayWrite ? t('FLAGS.SAVE') : null}
        conflict={{ keepMine: t('FLAGS.KEEP_MINE'), takeTheirs: t('FLAGS.TAKE_THEIRS') }}
        onSubmit={submit}
        onClose={onClose}
        cancel={mayWrite}
        start={
          mayWrite ? (
            <Button tone="danger" icon="trash" disabled={form.busy || form.gone} onClick={onDelete}>
              {t('FLAGS.DELETE')}
            </Button>
          ) : null
        }
      >
        <FlagFields
          form={form.values}
          onForm={form.set}
          isNew={false}
          disabled={!mayWrite}
          problems={problems}
        />
        <FlagWarnings warnings={details.data?.warnings ?? []} />
        <HistoryLink subject={flag.key} />
      </FormDialog>
      {retyped === null ? null : (
        <TypeChangeDialog
          flag={flag}
          type={retyped.type}
          busy={form.busy}
          error={flagProblems(t, form.error).general ?? null}
          onConfirm={(affected) => form.save({ draft: retyped, affected })}
          onCancel={() => setRetyped(null)}
        />
      )}
    </>
  );
}

/**
 * How many parts of a flag that was just saved are evaluated differently from how they read; 0 if unknown.
 */
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
