import { addRight, type CatalogueRight, changeRight } from '#features/permissions/contract/administration.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { EditDialog } from '../edit-dialog.tsx';
import { rightWords } from '../problem-words.ts';
import { useRightsForm } from '../use-rights-form.ts';
import { RightUse } from './right-use.tsx';

type RightDialogProps = {
  /** Null: a new one. */
  right: CatalogueRight | null;
  /** Suggested. */
  areas: readonly string[];
  onRemove: (right: CatalogueRight) => void;
  onClose: () => void;
};

/** An own right: its key, which code asks for, and its name and description. */
export function RightDialog({ right, areas, onRemove, onClose }: RightDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const listId = useId();
  const form = useRightsForm({
    saved:
      right === null
        ? { values: { right: '', label: '', description: '', area: '' } }
        : {
            values: {
              right: right.right,
              label: right.label,
              description: right.description,
              area: right.area,
            },
            version: right.version,
          },
    save({ right: name, ...texts }, version, _extra, creation) {
      return right === null
        ? api.call(addRight, { body: { right: name, ...texts } }, creation)
        : api.call(changeRight, { params: { right: name }, body: { ...texts, version } });
    },
    nameOf: (saved) => saved.label,
    onClose,
  });
  const { values } = form;
  const problems = problemsOf(t, form.error, rightWords);
  return (
    <EditDialog
      title={right === null ? t('ROLES_AND_RIGHTS.RIGHT.ADD') : right.right}
      form={form}
      problem={problems.general}
      onSave={form.save}
      onRemove={right === null ? null : () => onRemove(right)}
      onClose={onClose}
    >
      {right === null ? (
        <Field
          label={t('ROLES_AND_RIGHTS.RIGHT.NAME')}
          required
          requiredMark={t('COMMON.REQUIRED')}
          hint={t('ROLES_AND_RIGHTS.RIGHT.NAME_HINT')}
          error={problems.right}
        >
          {(control) => (
            <TextInput
              {...control}
              maxLength={64}
              autoComplete="off"
              spellCheck={false}
              value={values.right}
              onValue={(text) => form.set({ right: text.toUpperCase().replaceAll(/[\s-]+/g, '_') })}
            />
          )}
        </Field>
      ) : null}
      <Field
        label={t('ROLES_AND_RIGHTS.RIGHT.LABEL')}
        required
        requiredMark={t('COMMON.REQUIRED')}
        error={problems.label}
      >
        {(control) => (
          <TextInput
            {...control}
            maxLength={100}
            value={values.label}
            onValue={(label) => form.set({ label })}
          />
        )}
      </Field>
      <Field label={t('ROLES_AND_RIGHTS.DESCRIPTION')} error={problems.description}>
        {(control) => (
          <TextInput
            {...control}
            maxLength={300}
            value={values.description}
            onValue={(description) => form.set({ description })}
          />
        )}
      </Field>
      <Field
        label={t('ROLES_AND_RIGHTS.RIGHT.AREA')}
        required
        requiredMark={t('COMMON.REQUIRED')}
        hint={t('ROLES_AND_RIGHTS.RIGHT.AREA_HINT')}
        error={problems.area}
      >
        {(control) => (
          <>
            <TextInput
              {...control}
              list={listId}
              autoComplete="off"
              maxLength={60}
              value={values.area}
              onValue={(area) => form.set({ area })}
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
