import { type ManagedApp, removeApp } from '#features/home/contract/apps.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { useAddressFilter } from '#web/platform/lists/address-filter.ts';
import { listState } from '#web/platform/lists/list-state.ts';
import { useOpenedRow } from '#web/platform/lists/opened-row.ts';
import { useRemoval } from '#web/platform/lists/removal.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { AppDialog } from './app-dialog.tsx';
import { appsKey, appsQuery } from './apps-query.ts';
import { AppsList } from './apps-list.tsx';
import './apps.css';

/** The applications on everyone's home screen: what they are called, where they lead, who sees them, their order. */
export function AppsScreen() {
  const { t } = useTranslation();
  const managed = useQuery(appsQuery(useApi()));
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
    <ConfirmAction
      title={t('APPS.REMOVE_QUESTION', { name })}
      confirmLabel={t('APPS.REMOVE')}
      {...useRemoval(appsKey, onClose)}
      action={() => api.call(removeApp, { params: { id: key } })}
      done={t('APPS.REMOVED', { name })}
    >
      <p>{t('APPS.REMOVE_TEXT')}</p>
    </ConfirmAction>
  );
}
