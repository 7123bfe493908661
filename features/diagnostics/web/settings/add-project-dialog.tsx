import { addProject } from '#features/diagnostics/contract/projects.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { projectWords } from './project-words.ts';
import { projectsKey } from './settings-queries.ts';

/** The name under which what is typed outlives the page. */
export const newProjectWork = 'new-diagnostics-project';

type AddProjectDialogProps = { onClose: () => void; onAdded: (id: number) => void };

/** Adds a project; ends with its DSN. */
export function AddProjectDialog({ onClose, onAdded }: AddProjectDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const form = useVersionedForm({
    saved: { values: { name: '' } },
    storedAs: newProjectWork,
    save: (body, _version, _extra, creation) => api.call(addProject, { body }, creation),
    async onSaved({ id }) {
      await queries.invalidateQueries({ queryKey: projectsKey });
      onAdded(id);
    },
  });
  const problems = problemsOf(t, form.error, projectWords, form.edited);
  return (
    <FormDialog
      title={t('DIAGNOSTICS_SETTINGS.PROJECTS.ADD')}
      form={form}
      problem={problems.general}
      action={t('DIAGNOSTICS_SETTINGS.PROJECTS.ADD_ACTION')}
      onSubmit={form.save}
      onClose={onClose}
    >
      <Field
        label={t('DIAGNOSTICS_SETTINGS.PROJECTS.NAME')}
        hint={t('DIAGNOSTICS_SETTINGS.PROJECTS.NAME_HINT')}
        required
        requiredMark={t('COMMON.REQUIRED')}
        error={problems.name}
      >
        {(control) => (
          <TextInput
            {...control}
            autoComplete="off"
            maxLength={80}
            value={form.values.name}
            onValue={(name) => form.set({ name })}
          />
        )}
      </Field>
    </FormDialog>
  );
}
