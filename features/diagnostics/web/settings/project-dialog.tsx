import {
  type Project,
  type ProjectKey,
  addProjectKey,
  changeProject,
  ownProject,
  projectLimits,
  removeProject,
  revokeProjectKey,
} from '#features/diagnostics/contract/projects.ts';
import type { PeopleNames } from '#features/people/contract/names.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmRemoval } from '#web/app/confirm-removal.tsx';
import { newEventId } from '#web/platform/calls/event-id.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { problemsOf, type ProblemWords } from '#web/platform/forms/problems-of.ts';
import { creationUnder, useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { namedActor } from '#web/platform/named-person.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Problem } from '#web/ui/notice.tsx';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import { projectsKey, sdkLines } from '../errors-queries.ts';

/** Why a project could not be saved. */
export const projectWords: ProblemWords<'name' | 'forwardTo'> = {
  fields: {
    name: 'DIAGNOSTICS_SETTINGS.PROJECTS.ERRORS.NAME',
    forwardTo: 'DIAGNOSTICS_SETTINGS.PROJECTS.ERRORS.FORWARD_TO',
  },
  codes: {
    VERSION_CONFLICT: 'DIAGNOSTICS_SETTINGS.PROJECTS.ERRORS.CHANGED',
    CONFLICT: 'DIAGNOSTICS_SETTINGS.PROJECTS.ERRORS.TOO_MANY',
  },
};

type ProjectDialogProps = { project: Project; gone: boolean; names: PeopleNames; onClose: () => void };

/** One project: its keys, the code that connects it, its name, and where its envelopes are forwarded to. */
export function ProjectDialog({ project, gone, names, onClose }: ProjectDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const [removing, setRemoving] = useState(false);
  const form = useVersionedForm({
    saved: { values: draftOf(project), version: project.version },
    storedAs: `diagnostics-project:${project.id}`,
    save: ({ name, forwardTo }, version) =>
      api.call(changeProject, {
        params: { projectId: project.id },
        body: { name, forwardTo: forwardTo.trim() === '' ? null : forwardTo, version },
      }),
    lists: projectsKey,
    onSaved(_saved, _sent, undo) {
      notifyUndoable(t, {
        key: `project ${project.id}`,
        title: t('DIAGNOSTICS_SETTINGS.PROJECTS.SAVED'),
        undo,
        problem: (error) => problemsOf(t, error, projectWords).general,
      });
      onClose();
    },
    gone,
  });
  const problems = problemsOf(t, form.error, projectWords, form.edited);
  const dsn = project.keys[0]?.dsn;
  return (
    <>
      <FormDialog
        kind="wide"
        title={project.name}
        form={form}
        problem={problems.general}
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
            <CopyButton small text={sdkLines(dsn)} label={t('DIAGNOSTICS_SETTINGS.PROJECTS.COPY_CODE')} />
          </section>
        )}
        <section className="section section-divided">
          <TextField
            label={t('DIAGNOSTICS_SETTINGS.PROJECTS.NAME')}
            error={problems.name}
            autoComplete="off"
            maxLength={80}
            {...form.field('name')}
          />
          <TextField
            label={t('DIAGNOSTICS_SETTINGS.PROJECTS.FORWARD_TO')}
            hint={t('DIAGNOSTICS_SETTINGS.PROJECTS.FORWARD_TO_HINT')}
            error={problems.forwardTo}
            type="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={500}
            placeholder="https://key@errors.example.org/7"
            {...form.field('forwardTo')}
          />
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

/** The keys of a project, each as a DSN. A second key can replace the first one without a gap. */
function ProjectKeys({ project, names }: { project: Project; names: PeopleNames }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const [revoking, setRevoking] = useState<ProjectKey | null>(null);
  const params = { projectId: project.id };
  const reload = () => queries.invalidateQueries({ queryKey: projectsKey });
  const [creation, setCreation] = useState(newEventId);
  const add = useMutation({
    mutationFn: () => api.call(addProjectKey, { params }, creationUnder(creation)),
    async onSuccess() {
      // The button is busy until the list shows the key; adding after that creates another key.
      await reload();
      setCreation(newEventId());
    },
  });
  return (
    <section className="section" aria-labelledby="project-keys">
      <h3 id="project-keys">{t('DIAGNOSTICS_SETTINGS.KEYS.TITLE')}</h3>
      <ul className="project-keys rows divided">
        {project.keys.map((key) => (
          <li key={key.key}>
            <KeyText projectKey={key} names={names} />
            <div className="row wrap">
              <CopyButton small text={key.dsn} label={t('DIAGNOSTICS_SETTINGS.KEYS.COPY')} />
              <Button small tone="danger" onClick={() => setRevoking(key)}>
                {t('DIAGNOSTICS_SETTINGS.KEYS.REVOKE')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {project.keys.length >= projectLimits.keysEach ? null : (
        <div>
          <Button small icon="plus" busy={add.isPending} onClick={() => add.mutate()}>
            {t('DIAGNOSTICS_SETTINGS.KEYS.ADD')}
          </Button>
        </div>
      )}
      <Problem>{add.isError ? problemText(t, add.error) : null}</Problem>
      {revoking === null ? null : (
        <ConfirmAction
          title={t('DIAGNOSTICS_SETTINGS.KEYS.REVOKE_QUESTION')}
          confirmLabel={t('DIAGNOSTICS_SETTINGS.KEYS.REVOKE')}
          tone="danger"
          action={() => api.call(revokeProjectKey, { params: { ...params, key: revoking.key } })}
          problem={(error) => problemText(t, error)}
          done={t('DIAGNOSTICS_SETTINGS.KEYS.REVOKED')}
          onDone={() => {
            setRevoking(null);
            void reload();
          }}
          onCancel={() => setRevoking(null)}
        >
          <p>{t('DIAGNOSTICS_SETTINGS.KEYS.REVOKE_TEXT')}</p>
        </ConfirmAction>
      )}
    </section>
  );
}

function KeyText({ projectKey, names }: { projectKey: ProjectKey; names: PeopleNames }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { dsn, createdAt, createdBy } = projectKey;
  const when = formats.dateTime(createdAt);
  return (
    <span>
      <code className="breaks">{dsn}</code>
      <small className="muted breaks line">
        {createdBy === null
          ? t('DIAGNOSTICS_SETTINGS.KEYS.AT_FIRST_START', { when })
          : t('DIAGNOSTICS_SETTINGS.KEYS.ADDED_BY', { when, who: namedActor(t, createdBy, names) })}
      </small>
    </span>
  );
}

type RemoveProjectDialogProps = { project: Project; onClose: () => void; onRemoved: () => void };

/** Asks before a project is removed with its errors. */
function RemoveProjectDialog({ project, onClose, onRemoved }: RemoveProjectDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  return (
    <ConfirmRemoval
      name={project.name}
      list={projectsKey}
      remove={() => api.call(removeProject, { params: { projectId: project.id } })}
      onClose={onClose}
      onRemoved={() => {
        onClose();
        onRemoved();
      }}
    >
      <p>{t('DIAGNOSTICS_SETTINGS.PROJECTS.REMOVE_TEXT')}</p>
    </ConfirmRemoval>
  );
}
