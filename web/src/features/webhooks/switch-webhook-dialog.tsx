import { changeWebhook, type Webhook } from '@portico/contract/webhooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../platform/contexts.tsx';
import { isProblem } from '../../platform/problem-error.ts';
import { problemText } from '../../platform/problem-text.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { notify } from '../../ui/notifications/notifications.ts';
import { webhookName } from './webhook-name.ts';
import { webhooksKey } from './webhooks-queries.ts';

/** Asks once before a webhook hears nothing any more, or everything again. */
export function SwitchWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const name = webhookName(webhook);
  const direction = webhook.enabled ? 'OFF' : 'ON';
  const change = useMutation({
    mutationFn: () => {
      const { id, url, description, enabled, version } = webhook;
      const body = { url, description, enabled: !enabled, version };
      return api.call(changeWebhook, { params: { webhookId: id }, body });
    },
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: webhooksKey });
      notify({ kind: 'success', title: t(`WEBHOOKS.TURN.${direction}.DONE`, { name }) });
      onClose();
    },
    async onError(error) {
      if (isProblem(error, 'VERSION_CONFLICT')) await queries.invalidateQueries({ queryKey: webhooksKey });
    },
  });
  return (
    <ConfirmDialog
      open
      title={t(`WEBHOOKS.TURN.${direction}.QUESTION`, { name })}
      confirmLabel={t(`WEBHOOKS.TURN.${direction}.ACTION`)}
      cancelLabel={t('COMMON.CANCEL')}
      closeLabel={t('COMMON.CLOSE')}
      busy={change.isPending}
      error={change.isError ? problemText(t, change.error) : null}
      onConfirm={() => change.mutate()}
      onCancel={onClose}
    >
      <p>{t(`WEBHOOKS.TURN.${direction}.EFFECT`)}</p>
    </ConfirmDialog>
  );
}
