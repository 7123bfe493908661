import {
  changeWorkspace,
  checkMapServer,
  forgetLayer,
  listManagedLayers,
  type ManagedLayer,
  type MapServerOutcome,
  type WorkspaceAccess,
} from '#features/map/contract/manage.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { isFirstLoad, listState, useAddressFilter, useRemoval } from '#web/platform/lists/list-state.ts';
import { useOpenedRow } from '#web/platform/lists/opened-row.ts';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { FilterBar, ListFrame } from '#web/ui/list-frame.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { mapLayersKey, searchManaged } from '../layers/layer-tree.ts';
import { AccessFields, LayerDialog, sentAccess } from './layer-dialog.tsx';
import { LayersTable, useLayerOrder } from './layers-table.tsx';
import { readProblemText } from '#web/platform/calls/problem-text.ts';
import { Table } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import './map-console.css';

/** Entries that are drawn at most; longer lists need a search. */
const mostDrawn = 200;
const none: readonly ManagedLayer[] = [];

/** The layers of the map for operators: who may see which, what they are called, and their order. */
export function MapLayersScreen() {
  const { t } = useTranslation();
  const managed = useQuery(managedLayersQuery);
  const [{ search, layer }, filter] = useAddressFilter(['search', 'layer']);
  const [forgetting, setForgetting] = useState<ManagedLayer | null>(null);
  const layers = managed.data?.layers ?? none;
  const order = useLayerOrder(layers, managed.data?.orderVersion ?? 0);
  const found = useMemo(() => searchManaged(layers, search), [layers, search]);
  const places = useMemo(() => new Map(layers.map(({ name }, index) => [name, index])), [layers]);
  const opened = useOpenedRow(managed.data?.layers, layer, ({ name }) => name);
  return (
    <>
      <ScreenHead title={t('MAP_LAYERS.TITLE')} lead={t('MAP_LAYERS.LEAD')} />
      {managed.data?.server === 'unavailable' ? (
        <Notice severity="medium">{t('MAP_LAYERS.UNAVAILABLE')}</Notice>
      ) : null}
      <div className="map-console stack top gap-6 above-5">
        <section aria-labelledby="map-layers-title">
          <h2 id="map-layers-title">{t('MAP_LAYERS.LAYERS')}</h2>
          <FilterBar
            count={managed.data === undefined ? '' : countWords(t, found)}
            search={{
              label: t('MAP_LAYERS.SEARCH'),
              value: search,
              onValue: (typed) => filter({ search: typed }),
            }}
          />
          {managed.data?.server === 'none' ? (
            <EmptyState icon="image" title={t('MAP_LAYERS.WITHOUT_SERVER.TITLE')}>
              {t('MAP_LAYERS.WITHOUT_SERVER.TEXT')}
            </EmptyState>
          ) : (
            <ListFrame
              texts="MAP_LAYERS"
              {...listState(t, managed)}
              skeletonRows={6}
              count={found.length}
              empty={{ icon: 'image' }}
              onClear={search === '' ? undefined : () => filter({ search: '' })}
            >
              <LayersTable
                layers={found.slice(0, mostDrawn)}
                placeOf={(name) => places.get(name) ?? 0}
                order={order}
                onEdit={({ name }) => filter({ layer: name }, 'push')}
                onForget={setForgetting}
              />
              {found.length > mostDrawn ? (
                <p className="muted">{t('MAP_LAYERS.MORE_FOUND', { count: found.length - mostDrawn })}</p>
              ) : null}
            </ListFrame>
          )}
        </section>
        {isFirstLoad(managed) ? null : (
          <div className="stack gap-4">
            <Workspaces workspaces={managed.data?.workspaces ?? []} />
            <ConnectionCheck />
          </div>
        )}
      </div>
      {opened === null ? null : (
        <LayerDialog
          key={opened.row.name}
          layer={opened.row}
          gone={opened.gone}
          onClose={() => filter({ layer: '' })}
        />
      )}
      {forgetting === null || forgetting.version === null ? null : (
        <ForgetLayerDialog
          layer={forgetting}
          version={forgetting.version}
          onClose={() => setForgetting(null)}
        />
      )}
    </>
  );
}

/** `5 layers · 2 groups` */
function countWords(t: TFunction, found: readonly ManagedLayer[]): string {
  const groups = found.filter(({ holds }) => holds.length > 0).length;
  const layers = t('MAP_LAYERS.COUNT', { count: found.length - groups });
  return groups === 0 ? layers : `${layers} · ${t('MAP_LAYERS.GROUPS', { count: groups })}`;
}

function Workspaces({ workspaces }: { workspaces: readonly WorkspaceAccess[] }) {
  const { t } = useTranslation();
  const words = useRightsWords();
  const [editing, setEditing] = useState<string | null>(null);
  const opened = useOpenedRow(editing === null ? [] : workspaces, editing ?? '', ({ name }) => name);
  if (workspaces.length === 0) return null;
  return (
    <section className="map-console-card panel clipped" aria-labelledby="map-workspaces-title">
      <h2 id="map-workspaces-title">{t('MAP_LAYERS.WORKSPACES')}</h2>
      <ul className="map-console-workspaces">
        {workspaces.map((workspace) => (
          <li key={workspace.name} className="row gap-4 between">
            <div>
              <strong dir="auto">
                {workspace.name === '' ? t('MAP_LAYERS.WORKSPACE.ALL') : workspace.name}
              </strong>
              <span className="map-console-detail muted small breaks line">
                {t('MAP_LAYERS.COUNT', { count: workspace.layers })}
                {' · '}
                {workspace.access === 'right' && workspace.right !== null
                  ? words.right(workspace.right)
                  : workspace.access === 'inherited' && workspace.name !== ''
                    ? t('MAP_LAYERS.ACCESS.AS_ALL')
                    : t('MAP_LAYERS.ACCESS.OPEN')}
              </span>
            </div>
            <Button small onClick={() => setEditing(workspace.name)}>
              {t('MAP_LAYERS.EDIT')}
            </Button>
          </li>
        ))}
      </ul>
      {opened === null || editing === null ? null : (
        <WorkspaceDialog
          key={opened.row.name}
          workspace={opened.row}
          gone={opened.gone}
          onClose={() => setEditing(null)}
        />
      )}
    </section>
  );
}

/** Every layer of the map server, with what operators decided about it. */
const managedLayersQuery = routeQuery([...mapLayersKey, 'managed'], listManagedLayers, {});

type ForgetLayerDialogProps = { layer: ManagedLayer; version: number; onClose: () => void };

/** Asks before the decisions about a layer are removed. */
function ForgetLayerDialog({ layer: { name, title }, version, onClose }: ForgetLayerDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const layer = title === '' ? name : title;
  return (
    <ConfirmAction
      title={t('MAP_LAYERS.FORGET.QUESTION', { layer })}
      confirmLabel={t('MAP_LAYERS.FORGET.ACTION')}
      {...useRemoval(mapLayersKey, onClose)}
      action={() => api.call(forgetLayer, { body: { name, version } })}
      done={t('MAP_LAYERS.FORGET.DONE', { layer })}
    >
      <p>{t('MAP_LAYERS.FORGET.TEXT')}</p>
    </ConfirmAction>
  );
}

type WorkspaceDialogProps = { workspace: WorkspaceAccess; gone: boolean; onClose: () => void };

const words = { fields: { right: 'MAP_LAYERS.ACCESS.REFUSED' } };

/** Sets the access to the layers of a workspace, or to all layers. */
function WorkspaceDialog({ workspace, gone, onClose }: WorkspaceDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const { name } = workspace;
  const values = { access: workspace.access, right: workspace.right ?? '' };
  const form = useVersionedForm({
    saved: workspace.version === null ? { values } : { values, version: workspace.version },
    storedAs: `map-workspace:${name}`,
    save: (now, version) =>
      api.call(changeWorkspace, {
        body: { name, ...sentAccess(now), version: workspace.version === null ? null : version },
      }),
    lists: mapLayersKey,
    onSaved(_saved, _sent, undo) {
      notifyUndoable(t, {
        key: `map-workspace ${name}`,
        title: t('MAP_LAYERS.SAVED'),
        undo,
        problem: (error) => problemsOf(t, error, words).general,
      });
      onClose();
    },
    gone,
  });
  const problems = problemsOf(t, form.error, words);
  return (
    <FormDialog
      title={name === '' ? t('MAP_LAYERS.WORKSPACE.ALL') : t('MAP_LAYERS.WORKSPACE.TITLE', { name })}
      form={form}
      problem={problems.general}
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

/** Whether the map server answers the operator, and a member without other rights. */
function ConnectionCheck() {
  const { t } = useTranslation();
  const api = useApi();
  const check = useMutation({ mutationFn: () => api.call(checkMapServer, {}) });
  const { data } = check;
  return (
    <section className="map-console-card panel clipped" aria-labelledby="map-check-title">
      <h2 id="map-check-title">{t('MAP_LAYERS.CHECK.TITLE')}</h2>
      <div className="map-console-check to-start stack">
        <p className="muted">{t('MAP_LAYERS.CHECK.LEAD')}</p>
        <Button icon="refresh" busy={check.isPending} onClick={() => check.mutate()}>
          {t('MAP_LAYERS.CHECK.ACTION')}
        </Button>
      </div>
      <div role="status" className="map-console-answer">
        {check.error === null ? null : <Notice severity="high">{readProblemText(t, check.error)}</Notice>}
        {data?.address === null ? <p>{t('MAP_LAYERS.CHECK.NONE')}</p> : null}
        {data === undefined || data.address === null ? null : (
          <>
            <p>
              {t('MAP_LAYERS.CHECK.ADDRESS')} <code>{data.address}</code>
            </p>
            <Table
              caption={t('MAP_LAYERS.CHECK.TITLE')}
              rows={data.services}
              rowKey={({ service }) => service}
              columns={[
                {
                  key: 'service',
                  header: t('MAP_LAYERS.CHECK.SERVICE'),
                  role: 'primary',
                  cell: ({ service }) => <strong>{service.toUpperCase()}</strong>,
                },
                {
                  key: 'you',
                  header: t('MAP_LAYERS.CHECK.YOU'),
                  narrow: 'labelled',
                  cell: ({ you }) => <Outcome outcome={you} />,
                },
                {
                  key: 'member',
                  header: t('MAP_LAYERS.CHECK.MEMBER'),
                  narrow: 'labelled',
                  cell: ({ member }) => <Outcome outcome={member} />,
                },
              ]}
            />
          </>
        )}
      </div>
    </section>
  );
}

function Outcome({
  outcome: { outcome, status, took, message, listed, visible },
}: {
  outcome: MapServerOutcome;
}) {
  const { t } = useTranslation();
  const { number } = useFormats();
  return (
    <div>
      <Tag kind={outcome === 'ok' ? 'ok' : 'high'}>{t(`MAP_LAYERS.CHECK.${outcome.toUpperCase()}`)}</Tag>{' '}
      <span className="muted">{`${status === null ? '' : `${status} · `}${number(took)} ms`}</span>
      {outcome === 'ok' ? (
        <span className="map-console-detail muted small breaks line">
          {t('MAP_LAYERS.CHECK.LAYERS', { visible, count: listed })}
        </span>
      ) : null}
      {message === '' ? null : (
        <span className="map-console-detail muted small breaks line" dir="auto">
          {message}
        </span>
      )}
    </div>
  );
}
