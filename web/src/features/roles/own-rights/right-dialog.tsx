import { addRight, type CatalogueRight, changeRight } from '@portico/contract/rights-administration';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../platform/contexts.tsx';
import { HistoryLink } from '../../../platform/history-link.tsx';
import { isProblem } from '../../../platform/problem-error.ts';
import { rightsKey } from '../../../platform/rights-words.ts';
import { useUnsavedWork } from '../../../platform/unsaved-work.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { notify } from '../../../ui/notifications/notifications.ts';
import { TextInput } from '../../../ui/text-input.tsx';
import { rightsProblems } from '../rights-problems.ts';
import { RightUse } from './right-use.tsx';

type RightDialogProps = {
  /** Null: a new one. */
  right: CatalogueRight | null;
  /** Suggested. */
  areas: readonly string[];
  onRemove: (right: CatalogueRight) => void;
  onClose: () => void;
};

/** A right of the operators' own: its name, which code asks for, and how people read it. */
export function RightDialog({ right, areas, onRemove, onClose }: RightDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const listId = useId();
  const [name, setName] = useState('');
  const [label, setLabel] = useState(right?.label ?? '');
  const [description, setDescription] = useState(right?.description ?? '');
  const [area, setArea] = useState(right?.area ?? '');
  useUnsavedWork(
    name !== '' ||
      label !== (right?.label ?? '') ||
      description !== (right?.description ?? '') ||
      area !== (right?.area ?? ''),
  );
  const save = useMutation({
    mutationFn: () => {
      const texts = { label, description, area };
      return right === null
        ? api.call(addRight, { body: { right: name, ...texts } })
        : api.call(changeRight, {
            params: { right: right.right },
            body: { ...texts, version: right.version },
          });
    },
    async onSuccess(saved) {
      onClose();
      notify({ kind: 'success', title: t('ROLES_AND_RIGHTS.SAVED', { name: saved.label }) });
      await queries.invalidateQueries({ queryKey: rightsKey });
    },
    async onError(error) {
      // Whoever opens it again finds the new state.
      if (isProblem(error, 'VERSION_CONFLICT', 'NOT_FOUND'))
        await queries.invalidateQueries({ queryKey: rightsKey });
    },
  });
  const problems = rightsProblems(t, save.error, { '/right': t('ROLES_AND_RIGHTS.ERRORS.RIGHT_TAKEN') });
  return (
    <Dialog
      open
      title={right === null ? t('ROLES_AND_RIGHTS.RIGHT.ADD') : right.right}
      closeLabel={t('COMMON.CLOSE')}
      busy={save.isPending}
      onClose={onClose}
      onSubmit={() => save.mutate()}
      footer={
        <>
          <span className="dialog-foot-start">
            {right === null ? null : (
              <Button tone="danger" icon="trash" onClick={() => onRemove(right)}>
                {t('ROLES_AND_RIGHTS.REMOVE')}
              </Button>
            )}
          </span>
          <Button tone="quiet" onClick={onClose}>
            {t('COMMON.CANCEL')}
          </Button>
          <Button tone="primary" type="submit" busy={save.isPending}>
            {t('ROLES_AND_RIGHTS.SAVE')}
          </Button>
        </>
      }
    >
      {problems.general === null ? null : (
        <Notice severity="high" role="alert">
          {problems.general}
        </Notice>
      )}
      {right === null ? (
        <Field
          label={t('ROLES_AND_RIGHTS.RIGHT.NAME')}
          required
          requiredMark={t('COMMON.REQUIRED')}
          hint={t('ROLES_AND_RIGHTS.RIGHT.NAME_HINT')}
          error={problems.field('/right')}
        >
          {(control) => (
            <TextInput
              {...control}
              maxLength={64}
              autoComplete="off"
              spellCheck={false}
              value={name}
              onValue={(text) => setName(text.toUpperCase().replaceAll(/[\s-]+/g, '_'))}
            />
          )}
        </Field>
      ) : null}
      <Field
        label={t('ROLES_AND_RIGHTS.RIGHT.LABEL')}
        required
        requiredMark={t('COMMON.REQUIRED')}
        error={problems.field('/label')}
      >
        {(control) => <TextInput {...control} maxLength={100} value={label} onValue={setLabel} />}
      </Field>
      <Field label={t('ROLES_AND_RIGHTS.DESCRIPTION')} error={problems.field('/description')}>
        {(control) => <TextInput {...control} maxLength={300} value={description} onValue={setDescription} />}
      </Field>
      <Field
        label={t('ROLES_AND_RIGHTS.RIGHT.AREA')}
        required
        requiredMark={t('COMMON.REQUIRED')}
        hint={t('ROLES_AND_RIGHTS.RIGHT.AREA_HINT')}
        error={problems.field('/area')}
      >
        {(control) => (
          <>
            <TextInput
              {...control}
              list={listId}
              autoComplete="off"
              maxLength={60}
              value={area}
              onValue={setArea}
            />
            <datalist id={listId}>
              {areas.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </datalist>
          </>
        )}
      </Field>
      {right === null ? null : (
        <>
          <RightUse right={right.right} />
          <HistoryLink subject={right.right} />
        </>
      )}
    </Dialog>
  );
}
