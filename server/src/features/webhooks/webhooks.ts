import type { WebhookEvent } from '@portico/contract/webhooks';
import type { ChangeFeed } from '../../platform/change-feed.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Change, Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { startSender } from './sender.ts';
import { insertDeliveries } from './webhooks.store.ts';

export type Webhooks = {
  /**
   * Tells every webhook that is switched on, in the transaction of what it is told of: they hear of it once that is
   * committed, and then at least once, also after a crash.
   *
   * @param data JSON
   */
  tell(change: Change, event: WebhookEvent, data: unknown): Promise<void>;
  /** Writes a `webhook.test` for one webhook, which is switched on; answers the delivery's id. */
  test(change: Change, webhookId: string): Promise<string>;
  /** Sends nothing more; waits a few seconds for what is on its way. */
  close(): Promise<void>;
};

/** Signed messages to other programs (Standard Webhooks), sent from the moment this is made. */
export function createWebhooks(parts: {
  database: Database;
  feed: ChangeFeed;
  clock: Clock;
  logger: Logger;
  /** Of the program, for the header `user-agent`. */
  version: string;
}): Webhooks {
  const { clock } = parts;
  const sender = startSender({ ...parts, userAgent: `Portico/${parts.version}` });

  return {
    tell: createTell(clock),
    async test(change, webhookId) {
      const event = 'webhook.test';
      const [id = ''] = await insertDeliveries(
        change,
        event,
        messageOf(change, event, { webhookId }, clock),
        webhookId,
      );
      return id;
    },
    close: sender.close,
  };
}

/** The same as `tell` above for a process that sends nothing itself, as the command line: a server that runs sends it. */
export function createTell(clock: Clock): Webhooks['tell'] {
  return async (change, event, data) => {
    await insertDeliveries(change, event, messageOf(change, event, data, clock));
  };
}

function messageOf(change: Change, event: WebhookEvent, data: unknown, clock: Clock) {
  const body = JSON.stringify({ type: event, timestamp: new Date(change.at).toISOString(), data });
  return { body, now: clock.now() };
}
