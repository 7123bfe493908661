import { changeWorkspace, type WorkspaceAccess } from '#features/map/contract/manage.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { mapLayersKey } from '../map-queries.ts';
import { AccessFields, sentAccess } from './access-fields.tsx';

type WorkspaceDialogProps = { workspace: WorkspaceAccess; gone: boolean; onClose: () => void };

const words = { fields: { right: 'MAP_LAYERS.ACCESS.REFUSED' } };

/** Sets the access to the layers of a workspace, or to all layers. */
export function WorkspaceDialog({ workspace, gone, onClose }: WorkspaceDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const { name } = workspace;
  const values = { access: workspace.access, right: workspace.right ?? '' };
  const form = useVersionedForm({
    saved: workspace.version === null ? { values } : { values, version: workspace.version },
    storedAs: `map-workspace:${name}`,
    save: (now, version) =>
      api.call(changeWorkspace, {
        body: { name, ...sentAccess(now), version: workspace.version === null ? null : version },
      }),
    async onSaved() {
      await queries.invalidateQueries({ queryKey: mapLayersKey });
      notify({ kind: 'success', title: t('MAP_LAYERS.SAVED') });
      onClose();
    },
    reload: mapLayersKey,
    gone,
  });
  const problems = problemsOf(t, form.error, words);
  return (
    <FormDialog
      title={name === '' ? t('MAP_LAYERS.WORKSPACE.ALL') : t('MAP_LAYERS.WORKSPACE.TITLE', { name })}
      form={form}
      problem={problems.general}
      action={t('MAP_LAYERS.SAVE')}
      conflict={{ keepMine: t('MAP_LAYERS.KEEP_MINE') }}
      onSubmit={form.save}
      onClose={onClose}
    >
      <p>{t('MAP_LAYERS.WORKSPACE.EXPLAINED')}</p>
      <AccessFields
        values={form.values}
        onValues={form.set}
        inherited={t(name === '' ? 'MAP_LAYERS.ACCESS.UNDECIDED' : 'MAP_LAYERS.ACCESS.AS_ALL')}
        problem={problems.right}
      />
    </FormDialog>
  );
}
