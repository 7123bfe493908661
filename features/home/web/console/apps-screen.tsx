import { type listApps, type ManagedApp, orderApps, removeApp } from '#features/home/contract/apps.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmRemoval } from '#web/app/confirm-removal.tsx';
import { useApi } from '#web/platform/contexts.tsx';
import { listState, useAddressFilter } from '#web/platform/lists/list-state.ts';
import { useOpenedRow } from '#web/platform/lists/opened-row.ts';
import { Button } from '#web/ui/button.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { type Drag, useDrag } from '#web/platform/lists/drag.ts';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { Drawing } from '#web/ui/icon.tsx';
import { MoreMenu } from '#web/ui/menu.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { Tag } from '#web/ui/tag.tsx';
import type { AnswerOf } from '#contract/route.ts';
import { AppDialog } from './app-dialog.tsx';
import { appsKey, appsQuery } from './app-form.ts';
import { AppPicture, inLanguage } from '../app-picture.tsx';
import './apps.css';

/** The applications on everyone's home screen: what they are called, where they lead, who sees them, their order. */
export function AppsScreen() {
  const { t } = useTranslation();
  const managed = useQuery(appsQuery);
  const [{ app }, filter] = useAddressFilter(['app']);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<ManagedApp | null>(null);
  const opened = useOpenedRow(managed.data?.apps, app, ({ key }) => key);
  const apps = managed.data?.apps ?? [];
  const listed = apps.filter(({ upstream }) => upstream === null).length;
  return (
    <>
      <ScreenHead title={t('HOME.MANAGE.TITLE')} lead={t('APPS.LEAD')}>
        <Button
          tone="primary"
          icon="plus"
          disabled={managed.data !== undefined && listed >= managed.data.most}
          onClick={() => setAdding(true)}
        >
          {t('APPS.ADD')}
        </Button>
      </ScreenHead>
      <ListFrame
        texts="APPS"
        {...listState(t, managed)}
        skeletonRows={3}
        count={apps.length}
        empty={{ icon: 'home' }}
      >
        <AppsList
          apps={apps}
          orderVersion={managed.data?.orderVersion ?? 1}
          onEdit={({ key }) => filter({ app: key }, 'push')}
          onRemove={setRemoving}
        />
      </ListFrame>
      {adding ? <AppDialog app={null} gone={false} onClose={() => setAdding(false)} /> : null}
      {opened === null ? null : (
        <AppDialog
          key={opened.row.key}
          app={opened.row}
          gone={opened.gone}
          onClose={() => filter({ app: '' })}
        />
      )}
      {removing === null ? null : <RemoveAppDialog app={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

/** Asks before an application leaves the home screen. */
function RemoveAppDialog({ app: { key, name }, onClose }: { app: ManagedApp; onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  return (
    <ConfirmRemoval
      name={name}
      list={appsKey}
      remove={() => api.call(removeApp, { params: { id: key } })}
      onClose={onClose}
    >
      <p>{t('APPS.REMOVE_TEXT')}</p>
    </ConfirmRemoval>
  );
}

type AppsListProps = {
  apps: readonly ManagedApp[];
  orderVersion: number;
  onEdit: (app: ManagedApp) => void;
  onRemove: (app: ManagedApp) => void;
};

/** The applications in their order, which is changed by dragging or with the arrow keys. */
function AppsList({ apps, orderVersion, onEdit, onRemove }: AppsListProps) {
  const { t, i18n } = useTranslation();
  const [announcement, setAnnouncement] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const focused = useRef<{ key: string; place: number } | null>(null);
  const order = useAppOrder(apps, orderVersion);

  // Focuses the handle of the application that was moved, once the list shows it in its new place.
  useEffect(() => {
    if (focused.current === null || apps[focused.current.place]?.key !== focused.current.key) return;
    list.current?.querySelectorAll<HTMLElement>('.app-grip')[focused.current.place]?.focus();
    focused.current = null;
  }, [apps]);

  function move(from: number, to: number): void {
    const moved = apps[from];
    if (moved === undefined || !order(from, to)) return;
    setAnnouncement(t('APPS.MOVED', { name: moved.name, place: to + 1, count: apps.length }));
    focused.current = { key: moved.key, place: to };
  }
  const drag = useDrag(list, move);

  return (
    <>
      <ol ref={list} className="panel divided above-5" aria-label={t('HOME.MANAGE.TITLE')}>
        {apps.map((app, index) => (
          <AppRow
            key={app.key}
            app={app}
            name={inLanguage(app.name, app.names, i18n.language)}
            place={t('APPS.MOVE', { name: app.name, place: index + 1, count: apps.length })}
            drag={drag(index)}
            onEdit={() => onEdit(app)}
            onRemove={() => onRemove(app)}
          />
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </>
  );
}

const grip = 'M6 3.5h.01M10 3.5h.01M6 8h.01M10 8h.01M6 12.5h.01M10 12.5h.01';

type AppRowProps = {
  app: ManagedApp;
  name: string;
  /** The accessible name of the handle. */
  place: string;
  drag: Drag;
  onEdit: () => void;
  onRemove: () => void;
};

function AppRow({ app, name, place, drag, onEdit, onRemove }: AppRowProps) {
  const { t } = useTranslation();
  return (
    <li className="app-row grid middle gap-3" data-drag={drag.state}>
      <button
        type="button"
        className="grip app-grip"
        aria-label={place}
        aria-roledescription={t('APPS.HANDLE')}
        title={t('APPS.MOVE_HINT')}
        {...drag.handle}
      >
        <Drawing path={grip} />
      </button>
      <AppPicture name={name} of={app.key} picture={app.picture} />
      <button type="button" className="app-open grid shrinks plain" onClick={onEdit}>
        <strong dir="auto">{name}</strong>
        <small className="cut muted">{app.address}</small>
      </button>
      <SeenBy app={app} />
      <MoreMenu
        label={t('APPS.MORE', { name })}
        items={[
          { label: t('APPS.EDIT'), icon: 'edit', onSelect: onEdit },
          ...(app.upstream === null
            ? [{ label: t('EDITING.REMOVE'), icon: 'trash' as const, danger: true, onSelect: onRemove }]
            : []),
        ]}
      />
    </li>
  );
}

function SeenBy({ app }: { app: ManagedApp }) {
  const { t } = useTranslation();
  const words = useRightsWords();
  const rights = [app.right, app.gatewayRight].filter((right) => right !== null);
  return (
    <span className="app-seen muted row wrap gap-2">
      {app.upstream === null ? null : <Tag>{t('APPS.BEHIND_GATEWAY')}</Tag>}
      {!app.shown ? (
        <Tag kind="medium">{t('APPS.HIDDEN')}</Tag>
      ) : rights.length === 0 ? (
        t('APPS.EVERYONE')
      ) : (
        [...new Set(rights)].map((right) => words.right(right)).join(', ')
      )}
      {app.rightIsKnown ? null : <Tag kind="medium">{t('APPS.UNKNOWN_RIGHT')}</Tag>}
    </span>
  );
}

/** Moves an application to another place, shows that at once, and saves it. */
function useAppOrder(apps: readonly ManagedApp[], version: number) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const saving = useMutation({
    mutationKey: appsKey,
    // Orders are saved one after the other, each against the version that the previous save has made.
    scope: { id: 'order-of-apps' },
    mutationFn: (keys: string[]) => {
      const known = queries.getQueryData<AnswerOf<typeof listApps>>(appsKey);
      return api.call(orderApps, { body: { keys, version: known?.orderVersion ?? version } });
    },
    onSuccess: ({ orderVersion }) =>
      queries.setQueryData<AnswerOf<typeof listApps>>(
        appsKey,
        (known) => known && { ...known, orderVersion },
      ),
    onError: (error) => notify({ kind: 'error', title: problemText(t, error) }),
    onSettled: async () => {
      if (queries.isMutating({ mutationKey: appsKey }) === 1)
        await queries.invalidateQueries({ queryKey: appsKey });
    },
  });
  /** Whether it was moved. */
  return (from: number, to: number): boolean => {
    const moved = apps[from];
    if (moved === undefined || to < 0 || to >= apps.length || to === from) return false;
    const others = apps.filter((app) => app !== moved);
    const next = [...others.slice(0, to), moved, ...others.slice(to)];
    queries.setQueryData<AnswerOf<typeof listApps>>(appsKey, (known) => known && { ...known, apps: next });
    saving.mutate(next.map(({ key }) => key));
    return true;
  };
}
