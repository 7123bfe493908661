import { type Webhook, changeWebhook, removeWebhook } from '#features/webhooks/contract/webhooks.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmRemoval } from '#web/app/confirm-removal.tsx';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { listState, useAddressFilter, useAskedAction } from '#web/platform/lists/list-state.ts';
import { useOpenedRow } from '#web/platform/lists/opened-row.ts';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { useHasStoredWork } from '#web/platform/forms/stored-work.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { useTableView } from '#features/views/web/table-view.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Switch } from '#web/ui/text-input.tsx';
import { Time } from '#web/ui/time.tsx';
import { AddWebhookDialog, EditWebhookDialog } from './edit-webhook-dialogs.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { isGone, newWebhookWork, webhookName } from './webhook-fields.tsx';
import { webhooksKey, webhooksQuery } from './webhooks-queries.ts';
import './webhooks.css';

type Doing = { what: 'nothing' | 'add' } | { what: 'switch' | 'edit' | 'remove'; id: string };

/** The webhooks: add, test, edit, turn on and off, remove, and show what was sent. */
export function WebhooksScreen() {
  const { t } = useTranslation();
  const [address, setAddress] = useAddressFilter(['webhook']);
  const [doing, setDoing] = useState<Doing>(
    useHasStoredWork(newWebhookWork) ? { what: 'add' } : { what: 'nothing' },
  );
  useAskedAction('new', true, () => setDoing({ what: 'add' }));
  const queries = useQueryClient();
  const list = webhooksQuery;
  const webhooks = useQuery(list);
  const all = webhooks.data?.webhooks ?? [];
  const find = (id: string) => all.find((webhook) => webhook.id === id);
  const opened = find(address.webhook);
  const edited = useOpenedRow(webhooks.data?.webhooks, doing.what === 'edit' ? doing.id : '', ({ id }) => id);
  const concerned = doing.what === 'switch' || doing.what === 'remove' ? find(doing.id) : undefined;
  const stop = () => setDoing({ what: 'nothing' });
  const add = (
    <Button tone="primary" icon="plus" onClick={() => setDoing({ what: 'add' })}>
      {t('WEBHOOKS.ADD')}
    </Button>
  );

  return (
    <>
      <ScreenHead title={t('WEBHOOKS.TITLE')} lead={t('WEBHOOKS.LEAD')}>
        {webhooks.data?.webhooks.length === 0 ? null : add}
      </ScreenHead>

      <ListFrame
        texts="WEBHOOKS"
        {...listState(t, webhooks)}
        skeletonRows={4}
        count={all.length}
        empty={{ icon: 'external', action: add }}
      >
        <WebhooksTable
          webhooks={all}
          onOpen={({ id }) => setAddress({ webhook: id })}
          onSwitch={({ id }) => setDoing({ what: 'switch', id })}
        />
      </ListFrame>

      {doing.what === 'add' ? (
        <AddWebhookDialog
          onClose={stop}
          onAdded={(id) => {
            stop();
            setAddress({ webhook: id });
          }}
        />
      ) : null}
      {opened === undefined ? null : (
        <WebhookDialog
          key={opened.id}
          webhook={opened}
          names={webhooks.data?.names ?? {}}
          onClose={() => {
            setAddress({ webhook: '' });
            // Its log may have grown since.
            void queries.invalidateQueries({ queryKey: list.queryKey });
          }}
          onEdit={() => setDoing({ what: 'edit', id: opened.id })}
          onRemove={() => setDoing({ what: 'remove', id: opened.id })}
        />
      )}
      {edited === null ? null : <EditWebhookDialog webhook={edited.row} gone={edited.gone} onClose={stop} />}
      {concerned === undefined ? null : doing.what === 'switch' ? (
        <SwitchWebhookDialog webhook={concerned} onClose={stop} />
      ) : (
        <RemoveWebhookDialog
          webhook={concerned}
          onClose={stop}
          onRemoved={() => {
            stop();
            setAddress({ webhook: '' });
          }}
        />
      )}
    </>
  );
}

type WebhooksTableProps = {
  webhooks: readonly Webhook[];
  onOpen: (webhook: Webhook) => void;
  onSwitch: (webhook: Webhook) => void;
};

function WebhooksTable({ webhooks, onOpen, onSwitch }: WebhooksTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const columns: Column<Webhook>[] = [
    {
      key: 'enabled',
      header: t('WEBHOOKS.ENABLED'),
      role: 'beside',
      tight: true,
      cell: (webhook) => (
        <Switch
          label={t('WEBHOOKS.SWITCH_LABEL', { name: webhookName(webhook) })}
          labelHidden
          checked={webhook.enabled}
          onChecked={() => onSwitch(webhook)}
        />
      ),
    },
    {
      key: 'name',
      header: t('WEBHOOKS.NAME'),
      role: 'primary',
      cell: (webhook) => (
        <>
          <strong dir="auto">{webhookName(webhook)}</strong>
          <small className="muted line">{webhook.url}</small>
        </>
      ),
    },
    {
      key: 'areas',
      header: t('WEBHOOKS.REPORTS'),
      narrow: 'labelled',
      cell: ({ areas, shape }) => (
        <>
          {formats.list(areas.map((area) => t(`WEBHOOKS.AREAS.${catalogueKey(area)}.LABEL`)))}
          <small className="muted line">{t(`WEBHOOKS.SHAPES.${catalogueKey(shape)}.NAME`)}</small>
        </>
      ),
    },
    {
      key: 'last',
      header: t('WEBHOOKS.LAST'),
      tight: true,
      cell: (webhook) => <LastDelivery webhook={webhook} />,
    },
  ];
  return (
    <div className="above-4">
      <Table
        caption={t('WEBHOOKS.TITLE')}
        {...useTableView('webhooks', columns)}
        rows={webhooks}
        rowKey={({ id }) => id}
        open={{ act: onOpen }}
      />
    </div>
  );
}

function LastDelivery({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const last = webhook.lastDelivery;
  if (last === null) return <span className="muted">{t('WEBHOOKS.NEVER')}</span>;
  return (
    <span className="webhook-last row">
      <Tag kind={last.ok ? 'ok' : 'high'}>
        {isGone(webhook)
          ? t('WEBHOOKS.GONE')
          : last.ok
            ? t('WEBHOOKS.STATES.DELIVERED')
            : last.status === null
              ? t('WEBHOOKS.NO_ANSWER')
              : t('WEBHOOKS.REFUSED', { status: last.status })}
      </Tag>
      <Time at={last.at} formats={formats} />
    </span>
  );
}

/** Asks before a webhook is turned off or on. */
function SwitchWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const name = webhookName(webhook);
  const direction = webhook.enabled ? 'OFF' : 'ON';
  const reload = () => queries.invalidateQueries({ queryKey: webhooksKey });

  async function turn(): Promise<void> {
    const { id, url, description, enabled, version } = webhook;
    const body = { url, description, enabled: !enabled, version };
    await api.call(changeWebhook, { params: { webhookId: id }, body }).catch(async (error: unknown) => {
      if (isProblem(error, 'VERSION_CONFLICT')) await reload();
      throw error;
    });
    await reload();
  }

  return (
    <ConfirmAction
      title={t(`WEBHOOKS.TURN.${direction}.QUESTION`, { name })}
      confirmLabel={t(`WEBHOOKS.TURN.${direction}.ACTION`)}
      action={turn}
      problem={(error) => problemText(t, error)}
      done={t(`WEBHOOKS.TURN.${direction}.DONE`, { name })}
      onCancel={onClose}
    >
      <p>{t(`WEBHOOKS.TURN.${direction}.EFFECT`)}</p>
    </ConfirmAction>
  );
}

type RemoveWebhookDialogProps = { webhook: Webhook; onClose: () => void; onRemoved: () => void };

/** Asks before a webhook and its log are removed. */
function RemoveWebhookDialog({ webhook, onClose, onRemoved }: RemoveWebhookDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  return (
    <ConfirmRemoval
      name={webhookName(webhook)}
      list={webhooksKey}
      remove={() => api.call(removeWebhook, { params: { webhookId: webhook.id } })}
      onClose={onClose}
      onRemoved={onRemoved}
    >
      <p>{t('WEBHOOKS.REMOVE_EFFECT')}</p>
    </ConfirmRemoval>
  );
}
