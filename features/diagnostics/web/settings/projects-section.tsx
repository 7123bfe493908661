import { type Project, addProject } from '#features/diagnostics/contract/projects.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useHasStoredWork } from '#web/platform/forms/stored-work.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { useAddressFilter } from '#web/platform/lists/address-filter.ts';
import { listState } from '#web/platform/lists/list-state.ts';
import { useOpenedRow } from '#web/platform/lists/opened-row.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { ProjectDialog, projectWords } from './project-dialog.tsx';
import { projectsKey, projectsQuery } from './settings-queries.ts';

/** The applications that may report errors, each with its DSN. */
export function ProjectsSection() {
  const { t } = useTranslation();
  const [address, setAddress] = useAddressFilter(['project']);
  const [adding, setAdding] = useState(useHasStoredWork(newProjectWork));
  const projects = useQuery(projectsQuery);
  const all = projects.data?.projects ?? [];
  const opened = useOpenedRow(projects.data?.projects, address.project, ({ id }) => String(id));
  const columns: Column<Project>[] = [
    {
      key: 'name',
      header: t('DIAGNOSTICS_SETTINGS.PROJECTS.NAME'),
      role: 'primary',
      cell: ({ name, keys }) => (
        <>
          <strong className="breaks" dir="auto">
            {name}
          </strong>
          <small className="muted breaks line">
            <code>{keys[0]?.dsn ?? t('DIAGNOSTICS_SETTINGS.PROJECTS.NO_KEY')}</code>
          </small>
        </>
      ),
    },
    {
      key: 'forwarded',
      header: t('DIAGNOSTICS_SETTINGS.PROJECTS.FORWARDING'),
      headerHidden: true,
      role: 'beside',
      tight: true,
      cell: ({ forwardTo }) =>
        forwardTo === null ? null : <Tag>{t('DIAGNOSTICS_SETTINGS.PROJECTS.FORWARDED')}</Tag>,
    },
  ];
  return (
    <section className="section" aria-labelledby="diagnostics-projects">
      <div className="row wrap between gap-2-4">
        <h2 id="diagnostics-projects">{t('DIAGNOSTICS_SETTINGS.PROJECTS.TITLE')}</h2>
        <Button icon="plus" onClick={() => setAdding(true)}>
          {t('DIAGNOSTICS_SETTINGS.PROJECTS.ADD')}
        </Button>
      </div>
      <p className="muted">{t('DIAGNOSTICS_SETTINGS.PROJECTS.LEAD')}</p>
      <ListFrame texts="DIAGNOSTICS_SETTINGS.PROJECTS" {...listState(t, projects)} skeletonRows={2}>
        <Table
          caption={t('DIAGNOSTICS_SETTINGS.PROJECTS.TITLE')}
          columns={columns}
          rows={all}
          rowKey={({ id }) => String(id)}
          open={{ act: ({ id }) => setAddress({ project: String(id) }) }}
        />
      </ListFrame>
      {adding ? (
        <AddProjectDialog
          onClose={() => setAdding(false)}
          onAdded={(id) => {
            setAdding(false);
            setAddress({ project: String(id) });
          }}
        />
      ) : null}
      {opened === null ? null : (
        <ProjectDialog
          key={opened.row.id}
          project={opened.row}
          gone={opened.gone}
          names={projects.data?.names ?? {}}
          onClose={() => setAddress({ project: '' })}
        />
      )}
    </section>
  );
}

/** The name under which what is typed outlives the page. */
const newProjectWork = 'new-diagnostics-project';

type AddProjectDialogProps = { onClose: () => void; onAdded: (id: number) => void };

/** Adds a project; ends with its DSN. */
function AddProjectDialog({ onClose, onAdded }: AddProjectDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const form = useVersionedForm({
    saved: { values: { name: '' } },
    storedAs: newProjectWork,
    save: (body, _version, _extra, creation) => api.call(addProject, { body }, creation),
    lists: projectsKey,
    onSaved({ id }) {
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
      onClose={onClose}
    >
      <TextField
        label={t('DIAGNOSTICS_SETTINGS.PROJECTS.NAME')}
        hint={t('DIAGNOSTICS_SETTINGS.PROJECTS.NAME_HINT')}
        required
        error={problems.name}
        autoComplete="off"
        maxLength={80}
        {...form.field('name')}
      />
    </FormDialog>
  );
}
