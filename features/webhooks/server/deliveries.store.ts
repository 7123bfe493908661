import type {
  WebhookDelivery,
  WebhookEvent,
  WebhookLanguage,
  WebhookShape,
} from '#features/webhooks/contract/webhooks.ts';
import { sql } from 'kysely';
import type { Change, Reader, Writer } from '#server/platform/database/database.ts';
import { removeSome } from '#server/platform/database/sql.ts';
import { orNotFound } from '#server/platform/http/http-problem.ts';
import { newId } from '#server/platform/keys/ids.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** A delivery is written with the change that it reports, so that neither is stored without the other. */
    webhook_delivery: {
      id: string;
      webhook_id: string;
      event: string;
      body: string;
      created_at: number;
      state: string;
      tries: number;
      next_try_at: number | null;
      /** Until then the process that claimed the delivery tries it; afterwards another process may. */
      claimed_until: number | null;
    };
    webhook_attempt: {
      delivery_id: string;
      at: number;
      took: number;
      status: number | null;
      failure: string | null;
    };
  }
}

// The only SQL that writes webhook_delivery and webhook_attempt.

const retentionMs = 30 * 24 * 3_600_000;
const retainedDeliveries = 1_000;

/**
 * Writes one delivery for each webhook that is switched on and reports about this, or for the one that is named.
 *
 * The times of a webhook's deliveries never repeat, so that they are their order.
 */
export async function insertDeliveries(
  change: Change,
  event: WebhookEvent,
  delivery: { body: string; now: number },
  webhookId?: string,
): Promise<string[]> {
  const [area = ''] = event.split('.');
  const enabled = await change.tx
    .selectFrom('webhook')
    .select((query) => [
      'id',
      'areas',
      query
        .selectFrom('webhook_delivery')
        .select('created_at')
        .whereRef('webhook_id', '=', 'webhook.id')
        .orderBy('created_at', 'desc')
        .limit(1)
        .as('last'),
    ])
    .where('enabled', '=', 1)
    .$if(webhookId !== undefined, (query) => query.where('id', '=', webhookId ?? ''))
    .execute();
  // A test belongs to no area.
  const webhooks = enabled.filter(({ areas }) => area === 'webhook' || areas.split(' ').includes(area));
  if (webhooks.length === 0) return [];
  const rows = webhooks.map(({ id, last }) => ({
    id: `msg_${newId()}`,
    webhook_id: id,
    event,
    body: delivery.body,
    created_at: Math.max(change.at, (last ?? 0) + 1),
    state: 'waiting',
    tries: 0,
    // By the clock, since the time of a change runs ahead of a clock that was put back.
    next_try_at: delivery.now,
    claimed_until: null,
  }));
  await change.tx.insertInto('webhook_delivery').values(rows).execute();
  change.publish('webhooks');
  return rows.map(({ id }) => id);
}

/** The log of a webhook, the latest first. */
export async function readDeliveries(
  read: Reader,
  webhookId: string,
  page: { before: number | null; limit: number },
): Promise<{ deliveries: WebhookDelivery[]; next: number | null }> {
  const rows = await read
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .$if(page.before !== null, (query) => query.where('created_at', '<', page.before ?? 0))
    .orderBy('created_at', 'desc')
    .limit(page.limit + 1)
    .execute();
  const shown = rows.slice(0, page.limit);
  return {
    deliveries: await withAttempts(read, shown),
    next: rows.length > page.limit ? (shown.at(-1)?.created_at ?? null) : null,
  };
}

/** Throws NOT_FOUND. */
export async function readDelivery(read: Reader, webhookId: string, id: string): Promise<WebhookDelivery> {
  const row = await read
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirst();
  const [delivery] = row === undefined ? [] : await withAttempts(read, [row]);
  return orNotFound(delivery, 'There is no such delivery.');
}

type DeliveryRow = {
  id: string;
  event: string;
  body: string;
  created_at: number;
  state: string;
  next_try_at: number | null;
};

async function withAttempts(read: Reader, rows: readonly DeliveryRow[]): Promise<WebhookDelivery[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const attempts = await read
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('delivery_id', 'in', ids)
    .orderBy('at')
    .execute();
  const byDelivery = Map.groupBy(attempts, ({ delivery_id: id }) => id);
  return rows.map((row) => ({
    id: row.id,
    event: row.event as WebhookEvent,
    createdAt: row.created_at,
    state: row.state as WebhookDelivery['state'],
    nextTryAt: row.next_try_at,
    attempts: (byDelivery.get(row.id) ?? []).map(({ at, took, status, failure }) => ({
      at,
      took,
      status,
      failure,
    })),
    body: row.body,
  }));
}

/**
 * Makes a delivery due again, from its first try on. One that is being tried at the moment stays as it is.
 */
export async function makeDue(change: Change, id: string, now: number): Promise<void> {
  await due(change, now).where('id', '=', id).execute();
  change.publish('webhooks');
}

/** Makes all deliveries of a webhook due again that have not arrived; answers how many. */
export async function makeAllDue(change: Change, webhookId: string, now: number): Promise<number> {
  const { numUpdatedRows } = await due(change, now)
    .where('webhook_id', '=', webhookId)
    .where('state', '!=', 'delivered')
    .executeTakeFirst();
  change.publish('webhooks');
  return Number(numUpdatedRows);
}

const due = ({ tx }: Change, now: number) =>
  tx
    .updateTable('webhook_delivery')
    .set({ state: 'waiting', tries: 0, next_try_at: now })
    .where('claimed_until', 'is', null);

/**
 * Removes up to `most` deliveries that are too old or too many, none that still waits; answers how many went.
 */
export async function sweepDeliveries(tx: Writer, now: number, most: number): Promise<number> {
  let gone = await removeSome(tx, 'webhook_delivery', 'id', most, (rows) =>
    rows.where('created_at', '<', now - retentionMs).where('state', '!=', 'waiting'),
  );
  const webhooks = await tx.selectFrom('webhook').select('id').execute();
  for (const { id } of webhooks) {
    if (gone >= most) break;
    gone += await sweepBeyond(tx, id, most - gone);
  }
  return gone;
}

async function sweepBeyond(tx: Writer, webhookId: string, most: number): Promise<number> {
  const tooMany = await tx
    .selectFrom('webhook_delivery')
    .select('created_at')
    .where('webhook_id', '=', webhookId)
    .orderBy('created_at', 'desc')
    .offset(retainedDeliveries)
    .limit(1)
    .executeTakeFirst();
  if (tooMany === undefined) return 0;
  return removeSome(tx, 'webhook_delivery', 'id', most, (rows) =>
    rows
      .where('webhook_id', '=', webhookId)
      .where('created_at', '<=', tooMany.created_at)
      .where('state', '!=', 'waiting'),
  );
}

/** Longer than any try takes. */
const claimMs = 60_000;
// A claim further ahead was written by a clock that has been put back since.
const claimHolds = (now: number) =>
  sql<boolean>`claimed_until > ${now} and claimed_until <= ${now + 2 * claimMs}`;

/** A delivery that this process alone may try, until `claimedUntil`. */
export type ClaimedDelivery = {
  id: string;
  webhookId: string;
  url: string;
  secret: string;
  shape: WebhookShape;
  language: WebhookLanguage;
  /** The event as JSON, whatever the shape. */
  body: string;
  /** How often it has been tried before. */
  tries: number;
  claimedUntil: number;
};

/**
 * Takes the next delivery of each webhook that has one due and none under way: first tries in their order,
 * then the others.
 *
 * On PostgreSQL the webhook's row is locked, and under that lock it is checked whether a delivery is under way:
 * so a claim that another replica has just made is seen, and a webhook that another replica is just claiming
 * is skipped.
 */
export async function claimDue(
  tx: Writer,
  engine: 'sqlite' | 'postgres',
  now: number,
): Promise<ClaimedDelivery[]> {
  const candidates = tx
    .selectFrom('webhook')
    .select(['id', 'url', 'secret', 'shape', 'language'])
    .where('enabled', '=', 1)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook_delivery')
          .select('id')
          .whereRef('webhook_id', '=', 'webhook.id')
          .where('state', '=', 'waiting')
          .where('next_try_at', '<=', now),
      ),
    );
  const webhooks = await (
    engine === 'postgres' ? candidates.forNoKeyUpdate().skipLocked() : candidates
  ).execute();
  const claimed: ClaimedDelivery[] = [];
  for (const { id: webhookId, url, secret, shape, language } of webhooks) {
    const underWay = await tx
      .selectFrom('webhook_delivery')
      .select('id')
      .where('webhook_id', '=', webhookId)
      .where('state', '=', 'waiting')
      .where(claimHolds(now))
      .executeTakeFirst();
    if (underWay !== undefined) continue;
    const due = await tx
      .selectFrom('webhook_delivery')
      .select(['id', 'body', 'tries'])
      .where('webhook_id', '=', webhookId)
      .where('state', '=', 'waiting')
      .where('next_try_at', '<=', now)
      .orderBy(sql`case when tries = 0 then created_at end`, (order) => order.asc().nullsLast())
      .orderBy('next_try_at')
      .limit(1)
      .executeTakeFirst();
    if (due === undefined) continue;
    const claimedUntil = now + claimMs;
    await tx
      .updateTable('webhook_delivery')
      .set({ claimed_until: claimedUntil })
      .where('id', '=', due.id)
      .execute();
    claimed.push({
      ...due,
      webhookId,
      url,
      secret,
      shape: shape as WebhookShape,
      language: language as WebhookLanguage,
      claimedUntil,
    });
  }
  return claimed;
}

/** When the next delivery may be tried, or null where none waits. */
export async function nextDue(read: Reader, now: number): Promise<number | null> {
  const waiting = await read
    .selectFrom('webhook_delivery')
    .innerJoin('webhook', 'webhook.id', 'webhook_delivery.webhook_id')
    .select(({ fn }) => [
      fn.min<number>('next_try_at').as('due'),
      fn.max<number | null>(sql`case when ${claimHolds(now)} then claimed_until end`).as('busyUntil'),
    ])
    .where('state', '=', 'waiting')
    .where('enabled', '=', 1)
    .groupBy('webhook_id')
    .execute();
  return waiting.length === 0
    ? null
    : Math.min(...waiting.map(({ due, busyUntil }) => Math.max(due, busyUntil ?? 0)));
}

export type Attempt = { at: number; took: number; status: number | null; failure: string | null };

/** The outcome of a try. `nextTryAt`: when a delivery that waits again is tried. */
export type Outcome =
  | { state: 'delivered' | 'failed'; nextTryAt: null }
  | { state: 'waiting'; nextTryAt: number };

/** Stores a try and its outcome. False: the delivery is gone, given up, or no longer claimed by this process. */
export async function settle(
  tx: Writer,
  { id, claimedUntil, tries }: ClaimedDelivery,
  attempt: Attempt,
  outcome: Outcome,
): Promise<boolean> {
  const updated = await tx
    .updateTable('webhook_delivery')
    .set({
      state: outcome.state,
      tries: tries + 1,
      next_try_at: outcome.nextTryAt,
      claimed_until: null,
    })
    .where('id', '=', id)
    // Every other change of the delivery has removed this claim.
    .where('claimed_until', '=', claimedUntil)
    .executeTakeFirst();
  if (Number(updated.numUpdatedRows) === 0) return false;
  await insertAttempt(tx, id, attempt);
  return true;
}

async function insertAttempt(tx: Writer, deliveryId: string, attempt: Attempt): Promise<void> {
  const { last } = await tx
    .selectFrom('webhook_attempt')
    .select(({ fn }) => fn.max<number | null>('at').as('last'))
    .where('delivery_id', '=', deliveryId)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('webhook_attempt')
    .values({ ...attempt, delivery_id: deliveryId, at: Math.max(attempt.at, (last ?? 0) + 1) })
    .execute();
}

/** Releases a claimed delivery, as if it had not been claimed. */
export async function releaseDelivery(tx: Writer, { id, claimedUntil }: ClaimedDelivery): Promise<void> {
  await tx
    .updateTable('webhook_delivery')
    .set({ claimed_until: null })
    .where('id', '=', id)
    .where('claimed_until', '=', claimedUntil)
    .execute();
}

/**
 * Gives up the waiting deliveries of a webhook that is switched off. Without a webhook, gives up all that wait in
 * a restored database: they may have been sent before. Answers how many.
 */
export async function giveUpWaiting(tx: Writer, now: number, webhookId?: string): Promise<number> {
  const given = await tx
    .updateTable('webhook_delivery')
    .set({ state: 'failed', next_try_at: null, claimed_until: null })
    .where('state', '=', 'waiting')
    .$if(webhookId !== undefined, (query) => query.where('webhook_id', '=', webhookId ?? ''))
    .returning('id')
    .execute();
  const attempt = {
    at: now,
    took: 0,
    status: null,
    failure: webhookId === undefined ? 'restored' : 'disabled',
  };
  for (const { id } of given) await insertAttempt(tx, id, attempt);
  return given.length;
}

/** How many deliveries are still to be sent, and since when the oldest waits. */
export function waitingDeliveries(read: Reader): Promise<{ count: number; since: number | null }> {
  return read
    .selectFrom('webhook_delivery')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at').as('since')])
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
}

/** Releases the claims of a killed process; only where there is no other process. */
export async function dropClaims(tx: Writer): Promise<void> {
  await tx
    .updateTable('webhook_delivery')
    .set({ claimed_until: null })
    .where('claimed_until', 'is not', null)
    .execute();
}
