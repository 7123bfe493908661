import type { WebhookDelivery } from '#features/webhooks/contract/webhooks.ts';
import type { TFunction } from 'i18next';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import type { Formats } from '#web/platform/i18n/formats.ts';
import type { TagKind } from '#web/ui/tag.tsx';

type Attempt = WebhookDelivery['attempts'][number];

/** The outcome of one try. */
export function attemptText(t: TFunction, { status, failure, took }: Attempt): string {
  if (failure !== null) {
    const key = `WEBHOOKS.FAILURES.${catalogueKey(failure)}`;
    return t(key, { status, defaultValue: t('WEBHOOKS.FAILURES.NETWORK') });
  }
  return t('WEBHOOKS.ANSWERED', { status, took });
}

/** The state of a delivery, in a word or two. */
export function stateOf({ state, attempts }: WebhookDelivery): {
  key: 'ON_ITS_WAY' | 'TRIES_AGAIN' | 'DELIVERED' | 'FAILED';
  kind: TagKind;
} {
  if (state === 'delivered') return { key: 'DELIVERED', kind: 'ok' };
  if (state === 'failed') return { key: 'FAILED', kind: 'high' };
  return attempts.length === 0 ? { key: 'ON_ITS_WAY', kind: 'info' } : { key: 'TRIES_AGAIN', kind: 'medium' };
}

/** The text key of an event's name. */
export function eventKey(event: WebhookDelivery['event']): string {
  return catalogueKey(event.replaceAll('.', '_'));
}

/** JSON with line breaks; anything else unchanged. */
export function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** A time to the second, since the first tries are seconds apart. */
export function timeOfTry({ locale, timeZone }: Formats, at: number): string {
  return new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'medium' }).format(at);
}

/** Why a message could not be sent; the list shows if the webhook was turned off meanwhile. */
export function sendingProblem(t: TFunction, error: unknown): string {
  return isProblem(error, 'CONFLICT') ? t('WEBHOOKS.IS_OFF') : problemText(t, error);
}
