import { useTranslation } from 'react-i18next';
import { useApi, useCan, useFormats } from '#web/platform/contexts.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { listState, useAddressFilter, useRemoval } from '#web/platform/lists/list-state.ts';
import { namedActor } from '#web/platform/named-person.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { type Column, Table } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import { base } from '#web/platform/base.ts';
import { type MappedRelease, removeSourceMaps } from '#features/diagnostics/contract/source-maps.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AlertsSection } from './alerts-section.tsx';
import { projectsKey, projectsQuery, sourceMapsKey, sourceMapsQuery } from '../errors-queries.ts';
import { type Project, addProject } from '#features/diagnostics/contract/projects.ts';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useHasStoredWork } from '#web/platform/forms/stored-work.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { useOpenedRow } from '#web/platform/lists/opened-row.ts';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { ProjectDialog, projectWords } from './project-dialog.tsx';
import '../diagnostics.css';

/** Projects that report errors, retention, alerts, and source maps. */
export function DiagnosticsSettingsScreen() {
  const { t } = useTranslation();
  const mayRead = useCan()('DIAGNOSTICS_READ');
  return (
    <div className="stack gap-6">
      <ScreenHead title={t('DIAGNOSTICS.TITLE')} lead={t('DIAGNOSTICS_SETTINGS.LEAD')} />
      <ProjectsSection />
      <AlertsSection />
      {mayRead ? <SourceMapsSection /> : null}
    </div>
  );
}

/** @param project the number of a project that is not Portico's own, if there is one */
function uploadCommand(origin: string, project: number): string {
  const options = `--url ${origin} --project ${project} --release shop@1.0.0`;
  return `PORTICO_TOKEN=… npm run portico -- source-maps upload dist ${options}`;
}

/** The source maps of each release, with which stacks show original lines. */
function SourceMapsSection() {
  const { t } = useTranslation();
  const formats = useFormats();
  const mayWrite = useCan()('DIAGNOSTICS_WRITE');
  const [removing, setRemoving] = useState<MappedRelease | null>(null);
  const maps = useQuery(sourceMapsQuery);
  const projects = useQuery(projectsQuery).data?.projects ?? [];
  const command = uploadCommand(window.location.origin + base, projects.at(-1)?.id ?? 2);
  const releases = maps.data?.releases ?? [];
  const megabytes = (bytes: number) =>
    new Intl.NumberFormat(formats.locale, {
      style: 'unit',
      unit: 'megabyte',
      maximumFractionDigits: 1,
    }).format(bytes / 1024 / 1024);
  const columns: Column<MappedRelease>[] = [
    {
      key: 'release',
      header: t('DIAGNOSTICS_SETTINGS.MAPS.RELEASE'),
      role: 'primary',
      cell: ({ release, projectId }) => (
        <>
          <strong className="breaks">{release}</strong>
          <small className="muted breaks line">
            {projects.find(({ id }) => id === projectId)?.name ?? projectId}
          </small>
        </>
      ),
    },
    {
      key: 'files',
      header: t('DIAGNOSTICS_SETTINGS.MAPS.FILES'),
      tight: true,
      align: 'end',
      narrow: 'labelled',
      cell: ({ files }) => formats.number(files),
    },
    {
      key: 'size',
      header: t('DIAGNOSTICS_SETTINGS.MAPS.SIZE'),
      tight: true,
      align: 'end',
      cell: ({ bytes }) => megabytes(bytes),
    },
    {
      key: 'uploaded',
      header: t('DIAGNOSTICS_SETTINGS.MAPS.UPLOADED'),
      tight: true,
      cell: ({ uploadedAt, uploadedBy }) => (
        <>
          <Time at={uploadedAt} formats={formats} />
          {uploadedBy === null ? null : (
            <small className="muted breaks line" dir="auto">
              {namedActor(t, uploadedBy, maps.data?.names)}
            </small>
          )}
        </>
      ),
    },
    {
      key: 'remove',
      header: t('EDITING.REMOVE'),
      headerHidden: true,
      tight: true,
      role: 'beside',
      cell: (release) =>
        mayWrite ? (
          <Button small tone="danger" onClick={() => setRemoving(release)}>
            {t('EDITING.REMOVE')}
          </Button>
        ) : null,
    },
  ];
  return (
    <section className="section section-divided" aria-labelledby="diagnostics-maps">
      <div>
        <h2 id="diagnostics-maps">{t('DIAGNOSTICS_SETTINGS.MAPS.TITLE')}</h2>
        <p className="muted">{t('DIAGNOSTICS_SETTINGS.MAPS.LEAD')}</p>
      </div>
      <pre className="code-block" aria-label={t('DIAGNOSTICS_SETTINGS.MAPS.COMMAND')}>
        {command}
      </pre>
      <CopyButton small text={command} label={t('DIAGNOSTICS_SETTINGS.MAPS.COPY')} />
      <ListFrame texts="DIAGNOSTICS_SETTINGS.MAPS" {...listState(t, maps)} skeletonRows={2}>
        {releases.length === 0 ? (
          <p className="muted">{t('DIAGNOSTICS_SETTINGS.MAPS.NONE')}</p>
        ) : (
          <>
            <Table
              caption={t('DIAGNOSTICS_SETTINGS.MAPS.TITLE')}
              columns={columns}
              rows={releases}
              rowKey={({ projectId, release }) => `${projectId} ${release}`}
            />
            <p className="muted">
              {t('DIAGNOSTICS_SETTINGS.MAPS.SUM', {
                used: megabytes(maps.data?.bytes ?? 0),
                most: megabytes(maps.data?.mostBytes ?? 0),
              })}
            </p>
          </>
        )}
      </ListFrame>
      {removing === null ? null : <RemoveMapsDialog release={removing} onClose={() => setRemoving(null)} />}
    </section>
  );
}

type RemoveMapsDialogProps = { release: MappedRelease; onClose: () => void };

function RemoveMapsDialog({ release: { projectId, release }, onClose }: RemoveMapsDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  return (
    <ConfirmAction
      title={t('DIAGNOSTICS_SETTINGS.MAPS.REMOVE_QUESTION', { release })}
      confirmLabel={t('EDITING.REMOVE')}
      {...useRemoval(sourceMapsKey, onClose)}
      action={() => api.call(removeSourceMaps, { query: { project: projectId, release } })}
      done={t('DIAGNOSTICS_SETTINGS.MAPS.REMOVED', { release })}
    >
      <p>{t('DIAGNOSTICS_SETTINGS.MAPS.REMOVE_TEXT')}</p>
    </ConfirmAction>
  );
}

/** The applications that may report errors, each with its DSN. */
function ProjectsSection() {
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
      cell: ({ name, forwardTo, keys: [key] }) => (
        <span className="row">
          {forwardTo === null ? null : <Tag>{t('DIAGNOSTICS_SETTINGS.PROJECTS.FORWARDED')}</Tag>}
          {key === undefined ? null : (
            <CopyButton bare text={key.dsn} label={`${t('DIAGNOSTICS_SETTINGS.KEYS.COPY')} · ${name}`} />
          )}
        </span>
      ),
    },
  ];
  return (
    <section className="section" aria-labelledby="diagnostics-projects">
      <div>
        <div className="row wrap between gap-2-4">
          <h2 id="diagnostics-projects">{t('DIAGNOSTICS_SETTINGS.PROJECTS.TITLE')}</h2>
          <Button small icon="plus" onClick={() => setAdding(true)}>
            {t('DIAGNOSTICS_SETTINGS.PROJECTS.ADD')}
          </Button>
        </div>
        <p className="muted">{t('DIAGNOSTICS_SETTINGS.PROJECTS.LEAD')}</p>
      </div>
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

/** The name under which typed text is stored, so that it outlives the page. */
const newProjectWork = 'new-diagnostics-project';

/** Adds a project, and shows its DSN at the end. */
function AddProjectDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (id: number) => void }) {
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
