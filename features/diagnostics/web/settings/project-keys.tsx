import {
  addProjectKey,
  type Project,
  type ProjectKey,
  projectLimits,
  revokeProjectKey,
} from '#features/diagnostics/contract/projects.ts';
import type { PeopleNames } from '#features/people/contract/names.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newEventId } from '#web/platform/calls/event-id.ts';
import { creationUnder } from '#web/platform/forms/versioned-form.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { namedActor } from '#web/platform/named-person.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { projectsKey } from './settings-queries.ts';

/** The keys of a project, each as a DSN: one to replace another without a gap. */
export function ProjectKeys({ project, names }: { project: Project; names: PeopleNames }) {
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
      // Busy until the list shows the key; what is added then is another one.
      await reload();
      setCreation(newEventId());
    },
  });
  return (
    <section className="section" aria-labelledby="project-keys">
      <h3 id="project-keys">{t('DIAGNOSTICS_SETTINGS.KEYS.TITLE')}</h3>
      <ul className="project-keys">
        {project.keys.map((key) => (
          <li key={key.key}>
            <KeyText projectKey={key} names={names} />
            <div className="button-row">
              <CopyButton
                small
                text={key.dsn}
                label={t('DIAGNOSTICS_SETTINGS.KEYS.COPY')}
                copied={t('DIAGNOSTICS_SETTINGS.COPIED')}
                failed={t('DIAGNOSTICS_SETTINGS.COPY_FAILED')}
              />
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
      {add.isError ? (
        <Notice severity="high" role="alert">
          {problemText(t, add.error)}
        </Notice>
      ) : null}
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
      <code className="project-dsn">{dsn}</code>
      <small className="muted project-line">
        {createdBy === null
          ? t('DIAGNOSTICS_SETTINGS.KEYS.AT_FIRST_START', { when })
          : t('DIAGNOSTICS_SETTINGS.KEYS.ADDED_BY', { when, who: namedActor(t, createdBy, names) })}
      </small>
    </span>
  );
}
