import { addWebhook } from '@portico/contract/webhooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../platform/contexts.tsx';
import { useFoundWork, useKeepWork } from '../../platform/kept-work.ts';
import { useUnsavedWork } from '../../platform/unsaved-work.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { emptyDraft, newWebhookWork, readKeptDraft, sameDraft } from './webhook-draft.ts';
import { WebhookFields } from './webhook-fields.tsx';
import { webhookProblems } from './webhook-problems.ts';
import { WebhookSecret } from './webhook-secret.tsx';
import { webhooksKey } from './webhooks-queries.ts';

/** Adds a webhook; ends with its secret, which is shown this once. */
export function AddWebhookDialog({
  onClose,
  onAdded,
}: {
  onClose: () => void;
  onAdded: (id: string) => void;
}) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const work = useFoundWork(newWebhookWork, readKeptDraft);
  const [restored, setRestored] = useState(work.found !== null);
  const [draft, setDraft] = useState(work.found ?? emptyDraft);
  const add = useMutation({
    mutationFn: () => api.call(addWebhook, { body: { ...draft, enabled: true } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: webhooksKey }),
  });
  const added = add.data;
  const unsaved = added === undefined && !sameDraft(draft, emptyDraft);
  useUnsavedWork(unsaved);
  useKeepWork(newWebhookWork, unsaved ? draft : null);
  const giveUp = () => {
    work.forget();
    onClose();
  };

  if (added !== undefined) {
    const done = () => onAdded(added.webhook.id);
    return (
      <Dialog
        // Another dialog than the form: the focus starts anew, on the secret.
        key="secret"
        open
        title={t('WEBHOOKS.SECRET.TITLE')}
        closeLabel={t('COMMON.CLOSE')}
        onClose={done}
        footer={<Button onClick={done}>{t('WEBHOOKS.SECRET.DONE')}</Button>}
      >
        <WebhookSecret secret={added.secret} />
      </Dialog>
    );
  }
  return (
    <Dialog
      key="form"
      open
      title={t('WEBHOOKS.ADD')}
      closeLabel={t('COMMON.CLOSE')}
      onClose={giveUp}
      busy={add.isPending}
      onSubmit={() => add.mutate()}
      footer={
        <>
          <Button tone="quiet" onClick={giveUp}>
            {t('COMMON.CANCEL')}
          </Button>
          <Button tone="primary" type="submit" busy={add.isPending}>
            {t('WEBHOOKS.ADD_ACTION')}
          </Button>
        </>
      }
    >
      <WebhookFields
        draft={draft}
        onDraft={setDraft}
        problems={webhookProblems(t, add.error)}
        onDiscard={
          restored
            ? () => {
                setRestored(false);
                setDraft(emptyDraft);
              }
            : null
        }
      />
    </Dialog>
  );
}
