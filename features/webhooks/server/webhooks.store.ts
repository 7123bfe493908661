import {
  isGood,
  type Webhook,
  webhookArea,
  type WebhookArea,
  type WebhookLanguage,
  type WebhookShape,
} from '#features/webhooks/contract/webhooks.ts';
import { sql, type Kysely } from 'kysely';
import type { Change, Reader } from '#server/platform/database/database.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { authorOf, writtenBy } from '#features/directory/server/authors.ts';
import { countRows, nextVersion } from '#server/platform/database/sql.ts';
import { HttpProblem, orNotFound, refuseStale } from '#server/platform/http/http-problem.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { giveUpWaiting } from './deliveries.store.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    webhook: {
      id: string;
      url: string;
      description: string;
      enabled: number;
      /** What signs its messages, or the key that PagerDuty asks for. */
      secret: string;
      shape: string;
      language: string;
      /** With spaces between. */
      areas: string;
      created_at: number;
      created_by: string;
      created_by_id: string | null;
      version: number;
    };
  }
}

// The only SQL that writes webhook.

export async function createShapes({ schema }: Kysely<unknown>): Promise<void> {
  for (const [column, before] of [
    ['shape', 'standard'],
    ['language', 'en'],
  ] as const) {
    await schema
      .alterTable('webhook')
      .addColumn(column, 'text', (text) => text.notNull().defaultTo(before))
      .execute();
  }
}

export async function createAreas({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('webhook')
    .addColumn('areas', 'text', (text) => text.notNull().defaultTo('maintenance diagnostics report'))
    .execute();
}

export type WebhookDraft = { url: string; description: string; enabled: boolean };

/** More than an installation needs, and few enough to send to all at the same time. */
const mostWebhooks = 20;
type WebhookRow = {
  id: string;
  url: string;
  description: string;
  enabled: number;
  shape: string;
  language: string;
  areas: string;
  created_at: number;
  createdBy: string;
  version: number;
};
// Without the secret: it is read where something is signed, and nowhere else.
const webhookColumns = [
  'id',
  'url',
  'description',
  'enabled',
  'shape',
  'language',
  'areas',
  'created_at',
  authorOf('webhook.created_by').as('createdBy'),
  'version',
] as const;

export async function readWebhooks(read: Reader): Promise<Webhook[]> {
  const rows = await read
    .selectFrom('webhook')
    .select(webhookColumns)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return Promise.all(rows.map((row) => withLastDelivery(read, row)));
}

/** Throws NOT_FOUND. */
export async function readWebhook(read: Reader, id: string): Promise<Webhook> {
  return withLastDelivery(read, await findWebhook(read, id));
}

async function findWebhook(read: Reader, id: string): Promise<WebhookRow> {
  const row = await read.selectFrom('webhook').select(webhookColumns).where('id', '=', id).executeTakeFirst();
  return orNotFound(row, 'There is no such webhook.');
}

/** The receiver was asked: the delivery was neither given up nor impossible to write. */
const reallyTried = sql<boolean>`coalesce(failure, '') not in ('disabled', 'restored', 'not-composed')`;

/** Adds the state of the latest tried delivery; reads only that one, since the log of a webhook may be long. */
async function withLastDelivery(read: Reader, row: WebhookRow): Promise<Webhook> {
  const delivery = await read
    .selectFrom('webhook_delivery')
    .select('id')
    .where('webhook_id', '=', row.id)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook_attempt')
          .select('at')
          .whereRef('delivery_id', '=', 'webhook_delivery.id')
          .where(reallyTried),
      ),
    )
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const attempt =
    delivery === undefined
      ? undefined
      : await read
          .selectFrom('webhook_attempt')
          .select(['at', 'status', 'failure'])
          .where('delivery_id', '=', delivery.id)
          .where(reallyTried)
          .orderBy('at', 'desc')
          .limit(1)
          .executeTakeFirst();
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    enabled: row.enabled === 1,
    shape: row.shape as WebhookShape,
    language: row.language as WebhookLanguage,
    areas: row.areas.split(' ') as WebhookArea[],
    createdAt: row.created_at,
    createdBy: row.createdBy,
    lastDelivery:
      attempt === undefined ? null : { at: attempt.at, ok: isGood(attempt), status: attempt.status },
    version: row.version,
  };
}

/** A webhook whose last try failed. */
export type FailingWebhook = {
  id: string;
  /** Its description, else the host of its address. */
  name: string;
  /** How many tries failed since the last one that arrived, or since a backup was restored. */
  failures: number;
  /** The first of these. */
  since: number;
  /** What the receiver answered last; null: nothing. */
  status: number | null;
  nextTryAt: number | null;
};

/** The webhooks that are switched on and whose last try failed. */
export async function failingWebhooks(read: Reader): Promise<FailingWebhook[]> {
  const failing: FailingWebhook[] = [];
  for (const { id, url, description, enabled, lastDelivery } of await readWebhooks(read)) {
    if (!enabled || lastDelivery === null || lastDelivery.ok) continue;
    const deliveries = read.selectFrom('webhook_delivery').where('webhook_id', '=', id);
    const attempts = deliveries.innerJoin('webhook_attempt', 'delivery_id', 'webhook_delivery.id');
    const before = await attempts
      .select(({ fn }) => fn.max<number | null>('at').as('at'))
      .where(sql<boolean>`failure = 'restored' or (failure is null and status between 200 and 299)`)
      .executeTakeFirstOrThrow();
    const { failures, since } = await attempts
      .select(({ fn }) => [fn.countAll<number>().as('failures'), fn.min<number | null>('at').as('since')])
      .where('at', '>', before.at ?? 0)
      .where(reallyTried)
      .executeTakeFirstOrThrow();
    if (since === null) continue;
    const { nextTryAt } = await deliveries
      .select(({ fn }) => fn.min<number | null>('next_try_at').as('nextTryAt'))
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow();
    const name = description === '' ? new URL(url).host : description;
    failing.push({ id, name, failures, since, status: lastDelivery.status, nextTryAt });
  }
  return failing;
}

/** Adds a webhook; answers its id. Throws CONFLICT where there are as many webhooks as there may be. */
export async function insertWebhook(
  change: Change,
  draft: WebhookDraft & { shape?: WebhookShape; language?: WebhookLanguage; areas?: readonly WebhookArea[] },
  { secret, author }: { secret: string; author: Actor },
): Promise<{ id: string }> {
  if ((await countRows(change.tx.selectFrom('webhook'))) >= mostWebhooks) {
    throw new HttpProblem('CONFLICT', {
      detail: `There are ${mostWebhooks} webhooks already. Remove one first.`,
    });
  }
  const id = newId();
  await change.tx
    .insertInto('webhook')
    .values({
      id,
      url: draft.url,
      description: draft.description,
      enabled: draft.enabled ? 1 : 0,
      secret,
      shape: draft.shape ?? 'standard',
      language: draft.language ?? 'en',
      areas: (draft.areas ?? webhookArea.options).join(' '),
      created_at: change.at,
      ...writtenBy('created_by', author),
      version: 1,
    })
    .execute();
  change.publish('webhooks', id);
  return { id };
}

/** Answers the former webhook; gives up waiting deliveries if switched off. Throws NOT_FOUND, VERSION_CONFLICT. */
export async function updateWebhook(
  change: Change,
  id: string,
  draft: WebhookDraft & {
    language?: WebhookLanguage | undefined;
    areas?: readonly WebhookArea[] | undefined;
    version: number;
  },
): Promise<Webhook> {
  const before = await readWebhook(change.tx, id);
  refuseStale(before, draft.version);
  await change.tx
    .updateTable('webhook')
    .set({
      url: draft.url,
      description: draft.description,
      enabled: draft.enabled ? 1 : 0,
      language: draft.language ?? before.language,
      areas: (draft.areas ?? before.areas).join(' '),
      version: nextVersion,
    })
    .where('id', '=', id)
    .execute();
  if (!draft.enabled) await giveUpWaiting(change.tx, change.at, id);
  change.publish('webhooks', id);
  return before;
}

/** Removes it with its log. Throws NOT_FOUND. */
export async function deleteWebhook(change: Change, id: string): Promise<Webhook> {
  const before = await readWebhook(change.tx, id);
  await change.tx.deleteFrom('webhook').where('id', '=', id).execute();
  change.publish('webhooks', id);
  return before;
}

/** The receiver is gone for good: nothing is sent there until an operator switches it on again. */
export async function switchOff(change: Change, webhookId: string): Promise<void> {
  await change.tx
    .updateTable('webhook')
    .set({ enabled: 0, version: nextVersion })
    .where('id', '=', webhookId)
    .execute();
  await giveUpWaiting(change.tx, change.at, webhookId);
  change.publish('webhooks', webhookId);
}
