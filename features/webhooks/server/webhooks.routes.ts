import {
  addWebhook,
  changeWebhook,
  listDeliveries,
  listWebhooks,
  isSigned,
  previewWebhook,
  redeliver,
  redeliverAll,
  removeWebhook,
  testWebhook,
  type Webhook,
  type WebhookDelivery,
  type WebhookShape,
} from '#features/webhooks/contract/webhooks.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import type { Change, Database } from '#server/platform/database/database.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { invalid } from '#server/platform/http/refusals.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import { numberCursor } from '#server/platform/http/cursor.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import { publicPart, webhookUrl } from './addresses.ts';
import { newWebhookSecret } from './signature.ts';
import { exampleEvents, shaped, type Words } from './shapes.ts';
import { publishTest } from './publish.ts';
import {
  deleteWebhook,
  insertWebhook,
  makeAllDue,
  makeDue,
  readDeliveries,
  readDelivery,
  readWebhook,
  readWebhooks,
  updateWebhook,
} from './webhooks.store.ts';

export type WebhooksRoutesOptions = {
  database: Database;
  clock: Clock;
  publicUrl: string;
};

/** The operator's webhooks and their deliveries. */
export function webhooksRoutes(serve: Serve, options: WebhooksRoutesOptions): void {
  const { database, clock, publicUrl } = options;
  const asSent = (delivery: WebhookDelivery, words: Words): WebhookDelivery => ({
    ...delivery,
    body: shaped(delivery.body, words, publicUrl).body,
  });

  serve(listWebhooks, async () => {
    const webhooks = await readWebhooks(database.read);
    return {
      webhooks,
      names: await namesOf(
        database.read,
        webhooks.map(({ createdBy }) => createdBy),
      ),
    };
  });

  serve(addWebhook, ({ body: { key, ...body }, caller }) => {
    const draft = { ...body, url: webhookUrl(body.url) };
    if ((body.shape === 'pagerduty') !== (key !== undefined)) {
      throw invalid('/key', key === undefined ? 'required' : 'unexpected', 'goes with PagerDuty alone');
    }
    const secret = key ?? newWebhookSecret();
    return database.change(async (change) => {
      const { id: subject } = await insertWebhook(change, draft, { secret, author: caller });
      const webhook = await stored.recordWrite(change, caller, { action: 'webhook.create', subject });
      return { webhook, secret: isSigned(body.shape) ? secret : null };
    });
  });

  serve(changeWebhook, ({ params: { webhookId: subject }, body, caller }) =>
    database.change(async (change) => {
      await readWebhook(change.tx, subject);
      const draft = { ...body, url: webhookUrl(body.url) };
      const before = await updateWebhook(change, subject, draft);
      return stored.recordWrite(change, caller, { action: 'webhook.update', subject, before });
    }),
  );

  serve(previewWebhook, ({ query }) => {
    const examples = exampleEvents(clock.now(), publicUrl, query.language).map((event) => {
      const as = (shape: WebhookShape) => shaped(JSON.stringify(event), { ...query, shape }, publicUrl).body;
      return { event: event.type, text: as('text'), body: as(query.shape) };
    });
    return Promise.resolve({ examples });
  });

  serve(removeWebhook, ({ params: { webhookId: subject }, caller }) =>
    database.change(async (change) => {
      const before = await deleteWebhook(change, subject);
      await stored.recordRemoval(change, caller, { action: 'webhook.delete', subject, before });
    }),
  );

  serve(testWebhook, ({ params: { webhookId }, caller }) =>
    database.change(async (change) => {
      const webhook = await findEnabled(change, webhookId);
      const deliveryId = await publishTest(change, clock, webhookId);
      const after = { deliveryId };
      await recordAudit(change, caller, { action: 'webhook.test', subject: webhookId, after });
      return asSent(await readDelivery(change.tx, webhookId, deliveryId), webhook);
    }),
  );

  serve(listDeliveries, async ({ params, query }) => {
    const before = numberCursor.read(query.cursor);
    const page = { before, limit: query.limit };
    const webhook = await readWebhook(database.read, params.webhookId);
    const { deliveries, next } = await readDeliveries(database.read, webhook.id, page);
    return {
      deliveries: deliveries.map((delivery) => asSent(delivery, webhook)),
      next: numberCursor.write(next),
    };
  });

  serve(redeliver, ({ params: { webhookId, deliveryId }, caller }) =>
    database.change(async (change) => {
      await readDelivery(change.tx, webhookId, deliveryId);
      const webhook = await findEnabled(change, webhookId);
      await makeDue(change, deliveryId, clock.now());
      const after = { deliveryId };
      await recordAudit(change, caller, { action: 'webhook.redeliver', subject: webhookId, after });
      return asSent(await readDelivery(change.tx, webhookId, deliveryId), webhook);
    }),
  );

  serve(redeliverAll, ({ params: { webhookId }, caller }) =>
    database.change(async (change) => {
      await findEnabled(change, webhookId);
      const after = { deliveries: await makeAllDue(change, webhookId, clock.now()) };
      await recordAudit(change, caller, { action: 'webhook.redeliver-all', subject: webhookId, after });
      return after;
    }),
  );
}

async function findEnabled(change: Change, webhookId: string): Promise<Webhook> {
  const webhook = await readWebhook(change.tx, webhookId);
  if (!webhook.enabled) {
    throw new HttpProblem('CONFLICT', { detail: 'The webhook is switched off. Switch it on first.' });
  }
  return webhook;
}

const stored = versionedRows({
  find: readWebhook,
  audited: ({ url, shape, language, areas, description, enabled, version }) => ({
    url: publicPart(url, shape),
    description,
    enabled,
    shape,
    language,
    areas,
    version,
  }),
});
