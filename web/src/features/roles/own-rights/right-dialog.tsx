import { addRight, type CatalogueRight, changeRight } from '@portico/contract/rights-administration';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../platform/contexts.tsx';
import { HistoryLink } from '../../../platform/history-link.tsx';
import { useUnsavedWork } from '../../../platform/unsaved-work.ts';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { EditDialog } from '../edit-dialog.tsx';
import { rightsProblems } from '../rights-problems.ts';
import { useRightsSaving } from '../use-rights-saving.ts';
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
  const save = useRightsSaving(
    () => {
      const texts = { label, description, area };
      return right === null
        ? api.call(addRight, { body: { right: name, ...texts } })
        : api.call(changeRight, {
            params: { right: right.right },
            body: { ...texts, version: right.version },
          });
    },
    { nameOf: (saved) => saved.label, onClose },
  );
  const problems = rightsProblems(t, save.error, { '/right': t('ROLES_AND_RIGHTS.ERRORS.RIGHT_TAKEN') });
  return (
    <EditDialog
      title={right === null ? t('ROLES_AND_RIGHTS.RIGHT.ADD') : right.right}
      busy={save.isPending}
      problem={problems.general}
      onSave={() => save.mutate()}
      onRemove={right === null ? null : () => onRemove(right)}
      onClose={onClose}
    >
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
    </EditDialog>
  );
}
