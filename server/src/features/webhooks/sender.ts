import type { ChangeFeed } from '../../platform/change-feed.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { post, type Posted } from './post.ts';
import { afterTry, readRetryAfter } from './retries.ts';
import { signatureHeaders } from './signature.ts';
import {
  claimDue,
  dropClaims,
  giveBack,
  isGood,
  nextDue,
  readWebhooks,
  settle,
  switchOff,
  type ClaimedDelivery,
} from './webhooks.store.ts';

const longestTimerMs = 60_000;
/** Between two looks while another process is just taking what is due. */
const shortestTimerMs = 250;
const afterFailureMs = 5_000;
const patienceAtEndMs = 5_000;

/**
 * Sends what waits, from the moment it is made until it is closed.
 *
 * A delivery is written with what it tells of, and the change feed wakes every process. One of them claims it: the claim says
 * until when nobody else may try, so one that dies meanwhile leaves it to the others, who send it once more under
 * the same id. A webhook has one delivery under way at a time and waits for no other webhook. What failed is due again at
 * its own time and lets those behind it pass.
 */
export function startSender(parts: {
  database: Database;
  feed: ChangeFeed;
  clock: Clock;
  logger: Logger;
  userAgent: string;
}): { close(): Promise<void> } {
  const { database, clock, logger } = parts;
  const underWay = new Map<
    string,
    { webhookId: string; url: string; cancel: AbortController; over: Promise<void> }
  >();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let wanted = false;

  /** Looks for what is due; calls during a look make it look once more. */
  function wake(): void {
    if (closed || wanted) return;
    wanted = true;
    looking = looking.then(async () => {
      wanted = false;
      if (closed) return;
      clearTimeout(timer);
      try {
        await look();
      } catch (error) {
        logger.error({ err: error }, 'webhooks could not be looked through; it is tried again');
        wakeIn(afterFailureMs);
      }
    });
  }

  function wakeIn(milliseconds: number): void {
    clearTimeout(timer);
    if (closed) return;
    timer = setTimeout(wake, Math.min(Math.max(milliseconds, shortestTimerMs), longestTimerMs));
    timer.unref();
  }

  async function look(): Promise<void> {
    // A look costs nobody the one connection that writes, unless something is due.
    const before = await nextDue(database.read, clock.now());
    if (before === null) return;
    if (before <= clock.now()) {
      const claimed = await database.transaction((tx) => claimDue(tx, database.engine, clock.now()));
      for (const delivery of claimed) send(delivery);
    }
    const next = await nextDue(database.read, clock.now());
    if (next !== null) wakeIn(next - clock.now());
  }

  function send(delivery: ClaimedDelivery): void {
    const cancel = new AbortController();
    const { id, webhookId, url } = delivery;
    const over = sendOnce(delivery, cancel.signal)
      .catch((error: unknown) => {
        // The claim runs out, and it is sent once more.
        logger.error({ err: error, webhookId, deliveryId: id }, 'what came of a webhook could not be noted');
      })
      .finally(() => {
        underWay.delete(id);
        wake();
      });
    underWay.set(id, { webhookId, url, cancel, over });
  }

  async function sendOnce(delivery: ClaimedDelivery, signal: AbortSignal): Promise<void> {
    const { id, webhookId, url, body, secret } = delivery;
    const at = clock.now();
    const posted = await post(url, {
      body,
      signal,
      headers: {
        'content-type': 'application/json',
        'user-agent': parts.userAgent,
        ...signatureHeaders({ id, at, body, secret }),
      },
    });
    if (posted.failure === 'cancelled') return database.transaction((tx) => giveBack(tx, delivery));
    await note(delivery, at, posted);
    const { status, failure, took } = posted;
    const line = { webhookId, deliveryId: id, status, failure, took };
    if (isGood(posted)) logger.info(line, 'webhook delivered');
    else logger.warn(line, 'webhook not delivered');
  }

  async function note(delivery: ClaimedDelivery, at: number, posted: Posted): Promise<void> {
    const { status, failure, took } = posted;
    const now = clock.now();
    const tried = { ok: isGood(posted), status, retryAfter: readRetryAfter(posted.retryAfter, now) };
    const outcome = afterTry(tried, delivery.tries, now, Math.random());
    const attempt = { at, took, status, failure };
    if (status !== 410) {
      await database.transaction((tx) => settle(tx, delivery, attempt, outcome));
      return;
    }
    await database.change(async (change) => {
      if (await settle(change.tx, delivery, attempt, outcome)) await switchOff(change, delivery.webhookId);
    });
  }

  /** Breaks off what is on its way to a webhook that is gone, switched off or has moved. */
  async function cancelOutdated(webhookId: string): Promise<void> {
    const affected = [...underWay.values()].filter((each) => each.webhookId === webhookId);
    if (affected.length === 0) return;
    const kept = (await readWebhooks(database.read)).find(({ id, enabled }) => id === webhookId && enabled);
    for (const { url, cancel } of affected) if (url !== kept?.url) cancel.abort();
  }

  parts.feed.on('webhooks', ({ key }) => {
    if (key !== '') {
      cancelOutdated(key).catch((error: unknown) =>
        logger.error({ err: error, webhookId: key }, 'webhooks could not be read'),
      );
    }
    wake();
  });
  // On SQLite nobody else sends: what is claimed now was claimed by a process that was killed.
  if (database.engine === 'sqlite') looking = database.transaction(dropClaims).catch(() => undefined);
  wake();

  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await looking;
      const cutOff = setTimeout(() => {
        for (const { cancel } of underWay.values()) cancel.abort();
      }, patienceAtEndMs);
      await Promise.all([...underWay.values()].map(({ over }) => over));
      clearTimeout(cutOff);
    },
  };
}
