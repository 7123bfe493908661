import { addWebhook, changeWebhook, type Webhook } from '#features/webhooks/contract/webhooks.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { asLanguage } from '#web/platform/i18n/language.ts';
import { CopyText } from '#web/ui/copy-button.tsx';
import { Dialog, LeaveButton } from '#web/ui/dialog.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import {
  draftOf,
  emptyDraft,
  newWebhookWork,
  type WebhookDraft,
  WebhookFields,
  webhookWords,
} from './webhook-fields.tsx';
import { webhooksKey } from './webhooks-queries.ts';

/** Adds a webhook; ends with its secret, which is shown this once. */
export function AddWebhookDialog({
  onClose,
  onAdded,
}: {
  onClose: () => void;
  onAdded: (id: string) => void;
}) {
  const { t, i18n } = useTranslation();
  const api = useApi();
  const [key, setKey] = useState('');
  const form = useVersionedForm({
    saved: { values: emptyDraft(asLanguage(i18n.language) ?? 'en') },
    storedAs: newWebhookWork,
    save: (values, _version, _extra, creation) =>
      api.call(
        addWebhook,
        {
          body: {
            ...values,
            areas: [...values.areas],
            enabled: true,
            ...(values.shape === 'pagerduty' ? { key } : {}),
          },
        },
        creation,
      ),
    lists: webhooksKey,
    onSaved({ webhook, secret }) {
      if (secret === null) onAdded(webhook.id);
    },
  });
  const added = form.result;
  const problems = problemsOf(t, form.error, webhookWords);

  if (added !== undefined && added.secret !== null) {
    return (
      <Dialog
        title={t('WEBHOOKS.SECRET.TITLE')}
        onClose={() => onAdded(added.webhook.id)}
        footer={<LeaveButton>{t('WEBHOOKS.SECRET.DONE')}</LeaveButton>}
      >
        <WebhookSecret secret={added.secret} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t('WEBHOOKS.ADD')}
      form={form}
      problem={problems.general}
      action={t('WEBHOOKS.ADD_ACTION')}
      onClose={onClose}
    >
      <WebhookFields
        draft={form.values}
        onDraft={form.set}
        problems={problems}
        shape={{ secret: key, onSecret: setKey }}
      />
    </FormDialog>
  );
}

/** The secret of a new webhook, which is shown this once, and what it is for. */
function WebhookSecret({ secret }: { secret: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Notice severity="ok" role="status" title={t('WEBHOOKS.SECRET.READY')} />
      <p>{t('WEBHOOKS.SECRET.TEXT')}</p>
      <CopyText text={secret} once label={t('WEBHOOKS.SECRET.LABEL')} copy={t('WEBHOOKS.SECRET.COPY')} />
      <section className="section section-divided">
        <h3>{t('WEBHOOKS.SECRET.VERIFY')}</h3>
        <p className="muted">{t('WEBHOOKS.SECRET.VERIFY_TEXT')}</p>
        <pre className="code-block" aria-label={t('WEBHOOKS.SECRET.EXAMPLE')}>
          {example}
        </pre>
      </section>
    </>
  );
}

const example = `import { Webhook } from 'standardwebhooks';

// Throws if the message is not from this installation or was changed.
const { type, data } = new Webhook(secret).verify(body, headers);`;

const bodyOf = ({ url, description, language, areas }: WebhookDraft, enabled: boolean, version: number) => ({
  url,
  description,
  language,
  areas: [...areas],
  enabled,
  version,
});

type EditWebhookDialogProps = {
  webhook: Webhook;
  /** Whether another operator has removed the webhook. */
  gone: boolean;
  onClose: () => void;
};

/**
 * Edits a webhook against the version that was opened; when another operator saves first, a message shows
 * and what is typed stays.
 */
export function EditWebhookDialog({ webhook, gone, onClose }: EditWebhookDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const { enabled } = webhook;
  const form = useVersionedForm({
    saved: { values: draftOf(webhook), version: webhook.version },
    storedAs: `webhook:${webhook.id}`,
    save: (values, version) =>
      api.call(changeWebhook, { params: { webhookId: webhook.id }, body: bodyOf(values, enabled, version) }),
    lists: webhooksKey,
    onSaved(_saved, _sent, undo) {
      notifyUndoable(t, {
        key: `webhook ${webhook.id}`,
        title: t('WEBHOOKS.SAVED'),
        undo,
        problem: (error) => problemsOf(t, error, webhookWords).general,
      });
      onClose();
    },
    gone,
  });
  const problems = problemsOf(t, form.error, webhookWords);

  return (
    <FormDialog
      title={t('WEBHOOKS.EDIT')}
      form={form}
      problem={problems.general}
      action={t('WEBHOOKS.SAVE')}
      onClose={onClose}
    >
      <WebhookFields draft={form.values} onDraft={form.set} problems={problems} />
    </FormDialog>
  );
}
