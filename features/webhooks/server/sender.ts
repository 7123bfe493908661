import { isGood, isSigned } from '#features/webhooks/contract/webhooks.ts';
import type { Core } from '#server/core.ts';
import { startOutbox } from '#server/platform/database/outbox.ts';
import { post, type Posted } from './post.ts';
import { shapedOrNull } from './shapes.ts';
import * as deliveries from './deliveries.store.ts';
import * as store from './webhooks.store.ts';
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A new secret that Portico and one receiver share: 256 random bits, in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/**
 * The headers that prove that a body is Portico's (https://www.standardwebhooks.com).
 *
 * @param at milliseconds; receivers refuse what is old, so each try has its own
 */
function signatureHeaders(message: {
  id: string;
  at: number;
  body: string;
  secret: string;
}): Record<string, string> {
  const timestamp = String(Math.floor(message.at / 1000));
  const signature = createHmac('sha256', Buffer.from(message.secret.slice(prefix.length), 'base64'))
    .update(`${message.id}.${timestamp}.${message.body}`)
    .digest('base64');
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

const longestPauseMs = 60_000;

/**
 * Sends webhooks, from its start until it is closed. The change feed wakes the senders of all processes
 * (`startOutbox`).
 *
 * A webhook has one delivery under way at a time and waits for no other webhook. A delivery that failed is
 * due again at its own time and lets those behind it pass.
 */
export function startSender(
  parts: Pick<Core, 'database' | 'feed' | 'clock' | 'logger'> & {
    userAgent: string;
    publicUrl: string;
  },
): { close(): Promise<void> } {
  const { database, clock, logger } = parts;

  async function send(delivery: deliveries.ClaimedDelivery, signal: AbortSignal): Promise<void> {
    const { id, webhookId, url, secret, shape } = delivery;
    const at = clock.now();
    const message = shapedOrNull(delivery.body, delivery, parts.publicUrl, secret);
    if (message === null) {
      const attempt = { at, took: 0, status: null, failure: 'not-composed' };
      const outcome = { state: 'failed', nextTryAt: null } as const;
      await database.transaction((tx) => deliveries.settle(tx, delivery, attempt, outcome));
      logger.error({ webhookId, deliveryId: id }, 'the message of a webhook could not be written');
      return;
    }
    const { body, contentType } = message;
    const posted = await post(url, {
      body,
      signal,
      headers: {
        'content-type': contentType,
        'user-agent': parts.userAgent,
        ...(isSigned(shape) ? signatureHeaders({ id, at, body, secret }) : {}),
      },
    });
    if (posted.failure === 'cancelled')
      return database.transaction((tx) => deliveries.releaseDelivery(tx, delivery));
    await note(delivery, at, posted);
    const { status, failure, took } = posted;
    const line = { webhookId, deliveryId: id, status, failure, took };
    if (isGood(posted)) logger.info(line, 'webhook delivered');
    else logger.warn(line, 'webhook not delivered');
  }

  async function note(delivery: deliveries.ClaimedDelivery, at: number, posted: Posted): Promise<void> {
    const { status, failure, took } = posted;
    const now = clock.now();
    const tried = { ok: isGood(posted), status, retryAfter: readRetryAfter(posted.retryAfter, now) };
    const outcome = afterTry(tried, delivery.tries, now, Math.random());
    const attempt = { at, took, status, failure };
    if (status !== 410) {
      await database.transaction((tx) => deliveries.settle(tx, delivery, attempt, outcome));
      return;
    }
    await database.change(async (change) => {
      if (await deliveries.settle(change.tx, delivery, attempt, outcome))
        await store.switchOff(change, delivery.webhookId);
    });
  }

  /** Cancels deliveries in progress to a webhook that is removed, switched off or has another address. */
  async function cancelOutdated(webhookId: string): Promise<void> {
    const affected = outbox.underWay().filter(({ job }) => job.webhookId === webhookId);
    if (affected.length === 0) return;
    const webhooks = await store.readWebhooks(database.read);
    const current = webhooks.find(({ id, enabled }) => id === webhookId && enabled);
    for (const { job, cancel } of affected) if (job.url !== current?.url) cancel();
  }

  const outbox = startOutbox({
    database,
    clock,
    rows: { nextDue: deliveries.nextDue, claim: deliveries.claimDue, dropClaims: deliveries.dropClaims },
    send,
    onSendError: (error, { id, webhookId }) =>
      logger.error(
        { err: error, webhookId, deliveryId: id },
        'the outcome of a delivery could not be stored',
      ),
    logger,
    failure: 'waiting deliveries of webhooks could not be read; it is tried again',
    longestPauseMs,
  });
  parts.feed.on('webhooks', ({ key }) => {
    if (key !== '') {
      cancelOutdated(key).catch((error: unknown) =>
        logger.error({ err: error, webhookId: key }, 'webhooks could not be read'),
      );
    }
    outbox.wake();
  });

  return { close: outbox.close };
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long to wait after the first try, the second, … After the last of them it is given up. */
const waits = [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 4 * hour, 12 * hour];
const longestRetryAfter = 12 * hour;

/** The result of one try, as far as it decides what follows. */
type Tried = {
  ok: boolean;
  status: number | null;
  /** Milliseconds for which the receiver asks to be left alone, or null. */
  retryAfter: number | null;
};

/**
 * What follows a try.
 *
 * @param tries how often it had been tried before
 * @param random 0 to 1: spreads what failed together by a fifth to either side
 */
export function afterTry(tried: Tried, tries: number, now: number, random: number): deliveries.Outcome {
  if (tried.ok) return { state: 'delivered', nextTryAt: null };
  const wait = waits[tries];
  if (wait === undefined || tried.status === 410) return { state: 'failed', nextTryAt: null };
  const asked =
    tried.status === 429 || tried.status === 503 ? Math.min(tried.retryAfter ?? 0, longestRetryAfter) : 0;
  return { state: 'waiting', nextTryAt: now + Math.max(Math.round(wait * (0.8 + 0.4 * random)), asked) };
}

/** Milliseconds of a `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3); null where it is neither. */
export function readRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * second;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
