import { useTranslation } from 'react-i18next';
import { useApi, useCan } from '#web/platform/contexts.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { listState } from '#web/platform/lists/list-state.ts';
import { namedActor } from '#web/platform/named-person.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import { base } from '#web/platform/base.ts';
import { useRemoval } from '#web/platform/lists/removal.ts';
import { type MappedRelease, removeSourceMaps } from '#features/diagnostics/contract/source-maps.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ProjectsSection } from './projects-section.tsx';
import { AlertsSection } from './alerts-section.tsx';
import { projectsQuery, sourceMapsKey, sourceMapsQuery } from './settings-queries.ts';
import './diagnostics-settings.css';

/** Projects that report errors, retention, alerts, and source maps. */
export function DiagnosticsSettingsScreen() {
  const { t } = useTranslation();
  const mayRead = useCan()('DIAGNOSTICS_READ');
  return (
    <div className="diagnostics-settings gap-6 stack">
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
      header: t('DIAGNOSTICS_SETTINGS.MAPS.REMOVE'),
      headerHidden: true,
      tight: true,
      role: 'beside',
      cell: (release) =>
        mayWrite ? (
          <Button small tone="danger" onClick={() => setRemoving(release)}>
            {t('DIAGNOSTICS_SETTINGS.MAPS.REMOVE')}
          </Button>
        ) : null,
    },
  ];
  return (
    <section className="section section-divided" aria-labelledby="diagnostics-maps">
      <h2 id="diagnostics-maps">{t('DIAGNOSTICS_SETTINGS.MAPS.TITLE')}</h2>
      <p className="muted">{t('DIAGNOSTICS_SETTINGS.MAPS.LEAD')}</p>
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
      confirmLabel={t('DIAGNOSTICS_SETTINGS.MAPS.REMOVE')}
      {...useRemoval(sourceMapsKey, onClose)}
      action={() => api.call(removeSourceMaps, { query: { project: projectId, release } })}
      done={t('DIAGNOSTICS_SETTINGS.MAPS.REMOVED', { release })}
    >
      <p>{t('DIAGNOSTICS_SETTINGS.MAPS.REMOVE_TEXT')}</p>
    </ConfirmAction>
  );
}
