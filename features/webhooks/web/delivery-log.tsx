import { redeliver, type Webhook, type WebhookDelivery } from '#features/webhooks/contract/webhooks.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newEventId } from '#web/platform/calls/event-id.ts';
import { creationUnder } from '#web/platform/forms/versioned-form.ts';
import { useApi, useServerClock } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { attemptText, eventKey, readable, sendingProblem, stateOf, timeOfTry } from './delivery-words.ts';
import { webhooksKey } from './webhooks-queries.ts';

type DeliveryLogProps = { webhook: Webhook; deliveries: readonly WebhookDelivery[] };

/** What a webhook was sent, the latest first; each opens to show its tries and its body. */
export function DeliveryLog({ webhook, deliveries }: DeliveryLogProps) {
  return (
    <ul className="delivery-log">
      {deliveries.map((delivery) => (
        <li key={delivery.id}>
          <Delivery webhook={webhook} delivery={delivery} />
        </li>
      ))}
    </ul>
  );
}

function Delivery({ webhook, delivery }: { webhook: Webhook; delivery: WebhookDelivery }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useServerClock().now();
  const { key, kind } = stateOf(delivery);
  const next = delivery.attempts.length === 0 ? null : delivery.nextTryAt;
  return (
    <details className="delivery">
      <summary>
        <Icon name="chevron-right" />
        <span className="delivery-event">{t(`WEBHOOKS.EVENTS.${eventKey(delivery.event)}`)}</span>
        <time className="muted" dateTime={new Date(delivery.createdAt).toISOString()}>
          {formats.dateTime(delivery.createdAt)}
        </time>
        <Tag kind={kind}>{t(`WEBHOOKS.STATES.${key}`)}</Tag>
      </summary>
      <div className="delivery-inside">
        <h4>{t('WEBHOOKS.LOG.TRIES')}</h4>
        {delivery.attempts.length === 0 ? (
          <p className="muted">{t('WEBHOOKS.LOG.NO_TRIES')}</p>
        ) : (
          <ol className="delivery-tries">
            {delivery.attempts.map((attempt) => (
              <li key={attempt.at}>
                <time className="muted" dateTime={new Date(attempt.at).toISOString()}>
                  {timeOfTry(formats, attempt.at)}
                </time>{' '}
                {attemptText(t, attempt)}
              </li>
            ))}
          </ol>
        )}
        {next === null ? null : (
          <p>{t('WEBHOOKS.LOG.NEXT_TRY', { when: formats.relative(Math.max(next, now), now) })}</p>
        )}
        <h4>{t('WEBHOOKS.LOG.BODY')}</h4>
        <pre className="code-block" aria-label={t('WEBHOOKS.LOG.BODY')}>
          {readable(delivery.body)}
        </pre>
        <SendAgain webhook={webhook} delivery={delivery} />
      </div>
    </details>
  );
}

function SendAgain({ webhook, delivery }: { webhook: Webhook; delivery: WebhookDelivery }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const [creation, setCreation] = useState(newEventId);
  const params = { webhookId: webhook.id, deliveryId: delivery.id };
  const again = useMutation({
    mutationFn: () => api.call(redeliver, { params }, creationUnder(creation)),
    onSuccess: () => setCreation(newEventId()),
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksKey }),
  });
  return (
    <>
      {again.isError ? (
        <Notice severity="high" role="alert">
          {sendingProblem(t, again.error)}
        </Notice>
      ) : null}
      <div className="webhook-row">
        <Button
          small
          icon="refresh"
          disabled={!webhook.enabled}
          busy={again.isPending}
          onClick={() => again.mutate()}
        >
          {t(delivery.state === 'waiting' ? 'WEBHOOKS.LOG.SEND_NOW' : 'WEBHOOKS.LOG.SEND_AGAIN')}
        </Button>
        <small className="muted delivery-id">
          {t('WEBHOOKS.LOG.ID')} <code>{delivery.id}</code>
        </small>
      </div>
    </>
  );
}
