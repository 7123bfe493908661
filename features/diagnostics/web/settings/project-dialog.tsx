import { changeProject, ownProject, type Project } from '#features/diagnostics/contract/projects.ts';
import type { PeopleNames } from '#features/people/contract/names.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { TextInput } from '#web/ui/text-input.tsx';
import { sdkLines } from '../sdk-lines.ts';
import { ProjectKeys } from './project-keys.tsx';
import { projectWords } from './project-words.ts';
import { RemoveProjectDialog } from './remove-project-dialog.tsx';
import { projectsKey } from './settings-queries.ts';

type ProjectDialogProps = { project: Project; gone: boolean; names: PeopleNames; onClose: () => void };

/** One project: its keys, the lines that connect it, its name, and where its envelopes go too. */
export function ProjectDialog({ project, gone, names, onClose }: ProjectDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const [removing, setRemoving] = useState(false);
  const form = useVersionedForm({
    saved: { values: draftOf(project), version: project.version },
    storedAs: `diagnostics-project:${project.id}`,
    save: ({ name, forwardTo }, version) =>
      api.call(changeProject, {
        params: { projectId: project.id },
        body: { name, forwardTo: forwardTo.trim() === '' ? null : forwardTo, version },
      }),
    async onSaved() {
      await queries.invalidateQueries({ queryKey: projectsKey });
      notify({ kind: 'success', title: t('DIAGNOSTICS_SETTINGS.PROJECTS.SAVED') });
      onClose();
    },
    reload: projectsKey,
    gone,
  });
  const problems = problemsOf(t, form.error, projectWords, form.edited);
  const dsn = project.keys[0]?.dsn;
  const copyTexts = {
    copied: t('DIAGNOSTICS_SETTINGS.COPIED'),
    failed: t('DIAGNOSTICS_SETTINGS.COPY_FAILED'),
  };
  return (
    <>
      <FormDialog
        kind="wide"
        title={project.name}
        form={form}
        problem={problems.general}
        action={t('DIAGNOSTICS_SETTINGS.PROJECTS.SAVE')}
        conflict={{ keepMine: t('DIAGNOSTICS_SETTINGS.PROJECTS.KEEP_MINE') }}
        onSubmit={form.save}
        onClose={onClose}
        start={
          project.id === ownProject ? null : (
            <Button tone="danger" icon="trash" onClick={() => setRemoving(true)}>
              {t('DIAGNOSTICS_SETTINGS.PROJECTS.REMOVE')}
            </Button>
          )
        }
      >
        <ProjectKeys project={project} names={names} />
        {dsn === undefined || project.id === ownProject ? null : (
          <section className="section">
            <h3>{t('DIAGNOSTICS_SETTINGS.PROJECTS.CODE')}</h3>
            <pre className="code-block" aria-label={t('DIAGNOSTICS_SETTINGS.PROJECTS.CODE')}>
              {sdkLines(dsn)}
            </pre>
            <CopyButton
              small
              text={sdkLines(dsn)}
              label={t('DIAGNOSTICS_SETTINGS.PROJECTS.COPY_CODE')}
              {...copyTexts}
            />
          </section>
        )}
        <section className="section section-divided">
          <Field label={t('DIAGNOSTICS_SETTINGS.PROJECTS.NAME')} error={problems.name}>
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
          <Field
            label={t('DIAGNOSTICS_SETTINGS.PROJECTS.FORWARD_TO')}
            hint={t('DIAGNOSTICS_SETTINGS.PROJECTS.FORWARD_TO_HINT')}
            error={problems.forwardTo}
          >
            {(control) => (
              <TextInput
                {...control}
                type="url"
                autoComplete="off"
                spellCheck={false}
                maxLength={500}
                placeholder="https://key@errors.example.org/7"
                value={form.values.forwardTo}
                onValue={(forwardTo) => form.set({ forwardTo })}
              />
            )}
          </Field>
        </section>
        <HistoryLink subject={String(project.id)} />
      </FormDialog>
      {removing ? (
        <RemoveProjectDialog project={project} onClose={() => setRemoving(false)} onRemoved={onClose} />
      ) : null}
    </>
  );
}

function draftOf({ name, forwardTo }: Project) {
  return { name, forwardTo: forwardTo ?? '' };
}
