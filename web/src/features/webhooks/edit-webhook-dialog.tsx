import { changeWebhook, type Webhook } from '@portico/contract/webhooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../platform/contexts.tsx';
import { useFoundWork, useKeepWork } from '../../platform/kept-work.ts';
import { isProblem } from '../../platform/problem-error.ts';
import { useUnsavedWork } from '../../platform/unsaved-work.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { notify } from '../../ui/notifications/notifications.ts';
import { draftOf, readKeptEdit, sameDraft } from './webhook-draft.ts';
import { WebhookFields } from './webhook-fields.tsx';
import { webhookProblems } from './webhook-problems.ts';
import { webhooksKey } from './webhooks-queries.ts';

/** Edits a webhook against the version that was opened; where somebody else was faster this says so and keeps what was typed. */
export function EditWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const name = `webhook:${webhook.id}`;
  const work = useFoundWork(name, readKeptEdit);
  const [restored, setRestored] = useState(work.found !== null);
  const [version, setVersion] = useState(work.found?.version ?? webhook.version);
  const [draft, setDraft] = useState(() => work.found?.draft ?? draftOf(webhook));
  const save = useMutation({
    mutationFn: () =>
      api.call(changeWebhook, {
        params: { webhookId: webhook.id },
        body: { ...draft, enabled: webhook.enabled, version },
      }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: webhooksKey });
      notify({ kind: 'success', title: t('WEBHOOKS.SAVED') });
      close();
    },
    async onError(error) {
      if (!isProblem(error, 'VERSION_CONFLICT')) return;
      await queries.invalidateQueries({ queryKey: webhooksKey });
    },
  });
  const typed = !sameDraft(draft, draftOf(webhook));
  useUnsavedWork(typed);
  useKeepWork(name, typed ? { draft, version } : null);
  function close(): void {
    work.forget();
    onClose();
  }
  const conflict = isProblem(save.error, 'VERSION_CONFLICT') && webhook.version !== version;

  return (
    <Dialog
      open
      title={t('WEBHOOKS.EDIT')}
      closeLabel={t('COMMON.CLOSE')}
      onClose={close}
      busy={save.isPending}
      onSubmit={() => save.mutate()}
      footer={
        <>
          <Button tone="quiet" onClick={close}>
            {t('COMMON.CANCEL')}
          </Button>
          {conflict ? (
            // Its own element: the one that saves, in the same place, would be pressed by the same click.
            <Button
              key="keep"
              tone="danger-primary"
              onClick={() => {
                setVersion(webhook.version);
                save.reset();
              }}
            >
              {t('WEBHOOKS.KEEP_MINE')}
            </Button>
          ) : (
            <Button key="save" tone="primary" type="submit" busy={save.isPending}>
              {t('WEBHOOKS.SAVE')}
            </Button>
          )}
        </>
      }
    >
      <WebhookFields
        draft={draft}
        onDraft={setDraft}
        problems={webhookProblems(t, save.error)}
        onDiscard={
          restored
            ? () => {
                setRestored(false);
                setVersion(webhook.version);
                setDraft(draftOf(webhook));
              }
            : null
        }
      />
    </Dialog>
  );
}
