import type { WebhookEvent } from '#features/webhooks/contract/webhooks.ts';
import type { Change } from '#server/platform/database/database.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import { insertDeliveries } from './webhooks.store.ts';

/**
 * Writes a message for every webhook that is switched on, in the transaction of what it is about. A server
 * sends it once that is committed, and then at least once, also after a crash.
 *
 * @param data JSON
 */
export async function publishToWebhooks(
  change: Change,
  clock: Clock,
  event: WebhookEvent,
  data: unknown,
): Promise<void> {
  await insertDeliveries(change, event, messageOf(change, clock, event, data));
}

/** Writes a `webhook.test` for one webhook, which is switched on; answers the delivery's id. */
export async function publishTest(change: Change, clock: Clock, webhookId: string): Promise<string> {
  const event = 'webhook.test';
  const [id = ''] = await insertDeliveries(
    change,
    event,
    messageOf(change, clock, event, { webhookId }),
    webhookId,
  );
  return id;
}

function messageOf(change: Change, clock: Clock, event: WebhookEvent, data: unknown) {
  const body = JSON.stringify({ type: event, timestamp: new Date(change.at).toISOString(), data });
  return { body, now: clock.now() };
}
