import * as contract from '#features/webhooks/contract/webhooks.ts';
import { feature } from '#server/feature.ts';
import type { Ground } from '#server/ground.ts';
import type { Core } from '#server/core.ts';
import { addWaiting } from '#server/platform/metrics/metrics.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Change } from '#server/platform/database/database.ts';
import { HttpProblem, invalid } from '#server/platform/http/http-problem.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import { numberCursor } from '#server/platform/http/cursor.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import { publicPart, webhookUrl } from './addresses.ts';
import { createNotices } from './notices.ts';
import { createNotices as createNoticeTables } from './notices.store.ts';
import { newWebhookSecret, startSender } from './sender.ts';
import * as deliveries from './deliveries.store.ts';
import * as store from './webhooks.store.ts';
import { exampleEvents, shaped, shapedOrNull, type Words } from './shapes.ts';
import { publishTest } from './publish.ts';

export const webhooksFeature = feature({
  migrations: {
    '0039-webhook-shapes': { up: store.createShapes },
    '0042-webhook-areas': { up: store.createAreas },
    '0044-notices': { up: createNoticeTables },
  },
  create: createWebhooks,
  fates: {
    webhook: {
      'not personal': ['id', 'secret', 'shape', 'language', 'areas'],
      name: ['created_by'],
      id: ['created_by_id'],
      'free text': ['url', 'description'],
    },
    webhook_delivery: { 'not personal': ['id', 'webhook_id', 'event', 'state'], rewritten: ['body'] },
    notice_choice: { 'not personal': ['areas'], own: ['person_id'] },
    notice_event: { 'not personal': ['id', 'event'], rewritten: ['body'] },
    webhook_attempt: { 'not personal': ['delivery_id', 'failure'] },
  },
  names: {
    webhook: async (read, ids) => {
      const rows = await read
        .selectFrom('webhook')
        .select(['id', 'description', 'url', 'shape'])
        .where('id', 'in', ids)
        .execute();
      return rows.map((row) => [
        row.id,
        row.description || publicPart(row.url, row.shape as contract.WebhookShape),
      ]);
    },
  },
});

/** Signed messages to other programs (Standard Webhooks) and mails to people; sending starts at once. */
function createWebhooks(core: Core, ground: Ground) {
  addWaiting(
    core.metrics,
    'webhook_deliveries',
    'Webhooks that are still to be sent',
    deliveries.waitingDeliveries,
  );
  const notices = createNotices(core, { ...ground, ofPerson: ground.permissions.ofPerson });
  const sender = startSender({
    ...core,
    publicUrl: core.config.publicUrl,
    userAgent: `Portico/${core.version}`,
  });
  return {
    routes(serve: Serve) {
      webhooksRoutes(serve, core);
      notices.routes(serve);
    },
    sweeps: { 'log of webhooks': core.sweeping(deliveries.sweepDeliveries), ...notices.sweeps },
    /** Stops sending; waits a few seconds for what is being sent. */
    close: async () => void (await Promise.all([sender.close(), notices.close()])),
  };
}

/** The operator's webhooks and their deliveries. */
function webhooksRoutes(serve: Serve, { database, clock, config: { publicUrl } }: Core): void {
  const asSent = (delivery: contract.WebhookDelivery, words: Words): contract.WebhookDelivery => ({
    ...delivery,
    body: shapedOrNull(delivery.body, words, publicUrl)?.body ?? delivery.body,
  });

  serve(contract.listWebhooks, async () => {
    const webhooks = await store.readWebhooks(database.read);
    return {
      webhooks,
      names: await namesOf(
        database.read,
        webhooks.map(({ createdBy }) => createdBy),
      ),
    };
  });

  serve(contract.addWebhook, ({ body: { key, ...body }, caller }) => {
    const draft = { ...body, url: webhookUrl(body.url) };
    if ((body.shape === 'pagerduty') !== (key !== undefined)) {
      throw invalid('/key', key === undefined ? 'required' : 'unexpected', 'goes with PagerDuty alone');
    }
    const secret = key ?? newWebhookSecret();
    return database.change(async (change) => {
      const { id: subject } = await store.insertWebhook(change, draft, { secret, author: caller });
      const webhook = await stored.recordWrite(change, caller, { action: 'webhook.create', subject });
      return { webhook, secret: contract.isSigned(body.shape) ? secret : null };
    });
  });

  serve(contract.changeWebhook, ({ params: { webhookId: subject }, body, caller }) =>
    database.change(async (change) => {
      await store.readWebhook(change.tx, subject);
      const draft = { ...body, url: webhookUrl(body.url) };
      const before = await store.updateWebhook(change, subject, draft);
      return stored.recordWrite(change, caller, { action: 'webhook.update', subject, before });
    }),
  );

  serve(contract.previewWebhook, ({ query }) => {
    const examples = exampleEvents(clock.now(), publicUrl, query.language).map((event) => {
      const as = (shape: contract.WebhookShape) =>
        shaped(JSON.stringify(event), { ...query, shape }, publicUrl).body;
      return { event: event.type, text: as('text'), body: as(query.shape) };
    });
    return Promise.resolve({ examples });
  });

  serve(contract.removeWebhook, ({ params: { webhookId: subject }, caller }) =>
    database.change(async (change) => {
      const before = await store.deleteWebhook(change, subject);
      await stored.recordRemoval(change, caller, { action: 'webhook.delete', subject, before });
    }),
  );

  serve(contract.testWebhook, ({ params: { webhookId }, caller }) =>
    database.change(async (change) => {
      const webhook = await findEnabled(change, webhookId);
      const deliveryId = await publishTest(change, clock, webhookId);
      const after = { deliveryId };
      await recordAudit(change, caller, { action: 'webhook.test', subject: webhookId, after });
      return asSent(await deliveries.readDelivery(change.tx, webhookId, deliveryId), webhook);
    }),
  );

  serve(contract.listDeliveries, async ({ params, query }) => {
    const before = numberCursor.read(query.cursor);
    const page = { before, limit: query.limit };
    const webhook = await store.readWebhook(database.read, params.webhookId);
    const read = await deliveries.readDeliveries(database.read, webhook.id, page);
    return {
      deliveries: read.deliveries.map((delivery) => asSent(delivery, webhook)),
      next: numberCursor.write(read.next),
    };
  });

  serve(contract.redeliver, ({ params: { webhookId, deliveryId }, caller }) =>
    database.change(async (change) => {
      await deliveries.readDelivery(change.tx, webhookId, deliveryId);
      const webhook = await findEnabled(change, webhookId);
      await deliveries.makeDue(change, deliveryId, clock.now());
      const after = { deliveryId };
      await recordAudit(change, caller, { action: 'webhook.redeliver', subject: webhookId, after });
      return asSent(await deliveries.readDelivery(change.tx, webhookId, deliveryId), webhook);
    }),
  );

  serve(contract.redeliverAll, ({ params: { webhookId }, caller }) =>
    database.change(async (change) => {
      await findEnabled(change, webhookId);
      const after = { deliveries: await deliveries.makeAllDue(change, webhookId, clock.now()) };
      await recordAudit(change, caller, { action: 'webhook.redeliver-all', subject: webhookId, after });
      return after;
    }),
  );
}

async function findEnabled(change: Change, webhookId: string): Promise<contract.Webhook> {
  const webhook = await store.readWebhook(change.tx, webhookId);
  if (!webhook.enabled) {
    throw new HttpProblem('CONFLICT', { detail: 'The webhook is switched off. Switch it on first.' });
  }
  return webhook;
}

const stored = versionedRows({
  find: store.readWebhook,
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
