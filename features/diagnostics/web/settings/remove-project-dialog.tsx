import { type Project, removeProject } from '#features/diagnostics/contract/projects.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { projectsKey } from './settings-queries.ts';

type RemoveProjectDialogProps = { project: Project; onClose: () => void; onRemoved: () => void };

/** Asks before a project is removed with its errors. */
export function RemoveProjectDialog({ project, onClose, onRemoved }: RemoveProjectDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const { id, name } = project;
  return (
    <ConfirmAction
      title={t('DIAGNOSTICS_SETTINGS.PROJECTS.REMOVE_QUESTION', { name })}
      confirmLabel={t('DIAGNOSTICS_SETTINGS.PROJECTS.REMOVE')}
      tone="danger"
      action={() => api.call(removeProject, { params: { projectId: id } })}
      problem={(error) => problemText(t, error)}
      done={t('DIAGNOSTICS_SETTINGS.PROJECTS.REMOVED', { name })}
      onDone={() => {
        onClose();
        onRemoved();
        void queries.invalidateQueries({ queryKey: projectsKey });
      }}
      onCancel={onClose}
    >
      <p>{t('DIAGNOSTICS_SETTINGS.PROJECTS.REMOVE_TEXT')}</p>
    </ConfirmAction>
  );
}
