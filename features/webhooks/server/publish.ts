import type { WebhookEvent } from '#features/webhooks/contract/webhooks.ts';
import type { Change } from '#server/platform/database/database.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import { collectNotice } from './notices.store.ts';
import { insertDeliveries } from './deliveries.store.ts';

/**
 * Writes a message for every webhook that is switched on and for the people who chose to be told, in the
 * transaction of the change that it reports. After the commit a server sends it at least once, also after a crash.
 *
 * @param data JSON
 */
export async function publishToWebhooks(
  change: Change,
  clock: Clock,
  event: WebhookEvent,
  data: unknown,
): Promise<void> {
  const message = messageOf(change, clock, event, data);
  await insertDeliveries(change, event, message);
  await collectNotice(change, event, message);
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
