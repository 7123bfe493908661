import {
  type Webhook,
  type WebhookDelivery,
  isGood,
  redeliver,
  redeliverAll,
  testWebhook,
} from '#features/webhooks/contract/webhooks.ts';
import type { PeopleNames } from '#features/people/contract/names.ts';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { newEventId } from '#web/platform/calls/event-id.ts';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { creationUnder } from '#web/platform/forms/versioned-form.ts';
import { isFirstLoad, retryProps } from '#web/platform/lists/list-state.ts';
import { useApi, useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import type { Formats } from '#web/platform/i18n/formats.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { namedActor } from '#web/platform/named-person.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { MoreRows } from '#web/ui/list-frame.tsx';
import { Notice, Problem } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { Tag, type TagKind } from '#web/ui/tag.tsx';
import { eventKey, isGone, readable, webhookName } from './webhook-fields.tsx';
import { deliveriesQuery, webhooksKey, webhooksQuery } from './webhooks-queries.ts';

type WebhookDialogProps = {
  webhook: Webhook;
  names: PeopleNames;
  onClose: () => void;
  onEdit: () => void;
  onRemove: () => void;
};

/** One webhook: where it leads, a test, and what it was sent. */
export function WebhookDialog({ webhook, names, onClose, onEdit, onRemove }: WebhookDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const api = useApi();
  const queries = useQueryClient();
  const clock = useServerClock();
  const log = useInfiniteQuery(deliveriesQuery(webhook.id, clock.now));
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries);
  const [creation, setCreation] = useState(newEventId);
  const test = useMutation({
    mutationFn: () => api.call(testWebhook, { params: { webhookId: webhook.id } }, creationUnder(creation)),
    onSuccess: () => setCreation(newEventId()),
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksKey }),
  });
  const tested = deliveries?.find(({ id }) => id === test.data?.id);
  const outcome = tested?.attempts.at(-1);
  // An answer may switch the webhook off (410): the list shows that.
  const answer = deliveries?.[0]?.attempts.at(-1)?.at;
  useEffect(() => {
    if (answer !== undefined) void queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
  }, [answer, queries]);

  return (
    <Dialog
      kind="wide"
      title={webhookName(webhook)}
      onClose={onClose}
      footer={
        <>
          <span className="dialog-foot-start">
            <Button tone="danger" icon="trash" onClick={onRemove}>
              {t('WEBHOOKS.REMOVE')}
            </Button>
          </span>
          <Button icon="edit" onClick={onEdit}>
            {t('WEBHOOKS.EDIT')}
          </Button>
        </>
      }
    >
      <dl className="facts">
        <dt>{t('WEBHOOKS.URL')}</dt>
        <dd>
          <code>{webhook.url}</code>
        </dd>
        <dt>{t('WEBHOOKS.SHAPE')}</dt>
        <dd>{t(`WEBHOOKS.SHAPES.${catalogueKey(webhook.shape)}.NAME`)}</dd>
        <dt>{t('WEBHOOKS.REPORTS')}</dt>
        <dd>{formats.list(webhook.areas.map((area) => t(`WEBHOOKS.AREAS.${catalogueKey(area)}.LABEL`)))}</dd>
        <dt>{t('WEBHOOKS.ADDED')}</dt>
        <dd>
          {t('WEBHOOKS.ADDED_BY', {
            when: formats.dateTime(webhook.createdAt),
            who: namedActor(t, webhook.createdBy, names),
          })}
        </dd>
      </dl>
      <HistoryLink subject={webhook.id} />
      {webhook.enabled && webhook.lastDelivery?.ok === false && deliveries !== undefined ? (
        <Failing webhook={webhook} deliveries={deliveries} />
      ) : null}

      <section className="section section-divided">
        <div className="row wrap between gap-2-4">
          <h3>{t('WEBHOOKS.LOG.TITLE')}</h3>
          <Button
            small
            data-autofocus=""
            disabled={!webhook.enabled}
            busy={test.isPending}
            onClick={() => test.mutate()}
          >
            {t('WEBHOOKS.TEST')}
          </Button>
        </div>
        {webhook.enabled ? null : (
          <Notice severity={isGone(webhook) ? 'medium' : 'info'}>
            {t(isGone(webhook) ? 'WEBHOOKS.IS_GONE' : 'WEBHOOKS.IS_OFF')}
          </Notice>
        )}
        <Problem>{test.isError ? sendingProblem(t, test.error) : null}</Problem>
        <p className="muted webhook-outcome" role="status">
          {test.data === undefined || test.isPending
            ? ''
            : outcome === undefined
              ? t('WEBHOOKS.TEST_SENT')
              : t('WEBHOOKS.TEST_OUTCOME', { outcome: attemptText(t, outcome) })}
        </p>
        {isFirstLoad(log) ? (
          <Skeleton label={t('COMMON.LOADING')} kind="rows" count={4} />
        ) : deliveries === undefined ? (
          <ErrorState title={t('WEBHOOKS.LOG.FAILED_TITLE')} {...retryProps(t, log)}>
            {t('WEBHOOKS.LOG.FAILED_TEXT')}
          </ErrorState>
        ) : deliveries.length === 0 ? (
          <p className="muted">{t('WEBHOOKS.LOG.EMPTY')}</p>
        ) : (
          <>
            <DeliveryLog webhook={webhook} deliveries={deliveries} />
            {log.hasNextPage ? (
              <MoreRows busy={log.isFetchingNextPage} onMore={() => void log.fetchNextPage()} />
            ) : null}
          </>
        )}
      </section>
    </Dialog>
  );
}

/** Since when nothing arrives, what was answered last, when the next try is, and a button to retry all. */
function Failing({ webhook, deliveries }: DeliveryLogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const api = useApi();
  const queries = useQueryClient();
  const now = useServerClock().now();
  const [creation, setCreation] = useState(newEventId);
  const again = useMutation({
    mutationFn: () => api.call(redeliverAll, { params: { webhookId: webhook.id } }, creationUnder(creation)),
    onSuccess({ deliveries: count }) {
      setCreation(newEventId());
      notify({ kind: 'success', title: t('WEBHOOKS.FAILING.RETRIED', { count }) });
    },
    onError: (error) => notify({ kind: 'error', title: sendingProblem(t, error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksKey }),
  });
  const tries = deliveries.flatMap(({ attempts }) => attempts).toSorted((one, other) => other.at - one.at);
  const good = tries.findIndex(isGood);
  const failed = good === -1 ? tries : tries.slice(0, good);
  const next = deliveries.find(({ state }) => state === 'waiting')?.nextTryAt ?? null;
  const [last] = failed;
  const since = failed.at(-1)?.at ?? webhook.lastDelivery?.at ?? now;
  return (
    <Notice severity="high" title={t('WEBHOOKS.FAILING.TITLE', { when: formats.dateTime(since) })}>
      <span className="row wrap between">
        <span>
          {last === undefined ? null : attemptText(t, last)}{' '}
          {next === null
            ? null
            : t('WEBHOOKS.LOG.NEXT_TRY', { when: formats.relative(Math.max(next, now), now) })}
        </span>
        <Button small icon="refresh" busy={again.isPending} onClick={() => again.mutate()}>
          {t('WEBHOOKS.FAILING.RETRY_ALL')}
        </Button>
      </span>
    </Notice>
  );
}

type DeliveryLogProps = { webhook: Webhook; deliveries: readonly WebhookDelivery[] };

/** What a webhook was sent, the latest first; each opens to show its tries and its body. */
function DeliveryLog({ webhook, deliveries }: DeliveryLogProps) {
  return (
    <ul className="ruled">
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
      <summary className="full opens">
        <span className="strong breaks">{t(`WEBHOOKS.EVENTS.${eventKey(delivery.event)}`)}</span>
        <time className="muted" dateTime={new Date(delivery.createdAt).toISOString()}>
          {formats.dateTime(delivery.createdAt)}
        </time>
        <Tag kind={kind}>{t(`WEBHOOKS.STATES.${key}`)}</Tag>
      </summary>
      <div className="delivery-inside stack gap-2">
        <h4 className="muted small">{t('WEBHOOKS.LOG.TRIES')}</h4>
        {delivery.attempts.length === 0 ? (
          <p className="muted">{t('WEBHOOKS.LOG.NO_TRIES')}</p>
        ) : (
          <ol className="stack gap-1">
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
        <h4 className="muted small">{t('WEBHOOKS.LOG.BODY')}</h4>
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
      <Problem>{again.isError ? sendingProblem(t, again.error) : null}</Problem>
      <div className="row gap-3 wrap">
        <Button
          small
          icon="refresh"
          disabled={!webhook.enabled}
          busy={again.isPending}
          onClick={() => again.mutate()}
        >
          {t(delivery.state === 'waiting' ? 'WEBHOOKS.LOG.SEND_NOW' : 'WEBHOOKS.LOG.SEND_AGAIN')}
        </Button>
        <small className="muted breaks">
          {t('WEBHOOKS.LOG.ID')} <code>{delivery.id}</code>
        </small>
      </div>
    </>
  );
}

type Attempt = WebhookDelivery['attempts'][number];

/** The outcome of one try. */
function attemptText(t: TFunction, { status, failure, took }: Attempt): string {
  if (failure !== null) {
    const key = `WEBHOOKS.FAILURES.${catalogueKey(failure)}`;
    return t(key, { status, defaultValue: t('WEBHOOKS.FAILURES.NETWORK') });
  }
  return t('WEBHOOKS.ANSWERED', { status, took });
}

/** The state of a delivery, in a word or two. */
function stateOf({ state, attempts }: WebhookDelivery): {
  key: 'ON_ITS_WAY' | 'TRIES_AGAIN' | 'DELIVERED' | 'FAILED';
  kind: TagKind;
} {
  if (state === 'delivered') return { key: 'DELIVERED', kind: 'ok' };
  if (state === 'failed') return { key: 'FAILED', kind: 'high' };
  return attempts.length === 0 ? { key: 'ON_ITS_WAY', kind: 'info' } : { key: 'TRIES_AGAIN', kind: 'medium' };
}

/** A time to the second, since the first tries are seconds apart. */
function timeOfTry({ locale, timeZone }: Formats, at: number): string {
  return new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'medium' }).format(at);
}

/** Why a message could not be sent; the list shows if the webhook was turned off since. */
function sendingProblem(t: TFunction, error: unknown): string {
  return isProblem(error, 'CONFLICT') ? t('WEBHOOKS.IS_OFF') : problemText(t, error);
}
