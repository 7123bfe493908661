import {
  addWebhook,
  changeWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  redeliverAll,
  removeWebhook,
  testWebhook,
} from '#features/webhooks/contract/webhooks.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import type { Change, Database } from '#server/platform/database/database.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import { numberCursor } from '#server/platform/http/cursor.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import { webhookUrl } from './addresses.ts';
import { newWebhookSecret } from './signature.ts';
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
};

/** The operator's webhooks and their deliveries. */
export function webhooksRoutes(serve: Serve, options: WebhooksRoutesOptions): void {
  const { database, clock } = options;

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

  serve(addWebhook, ({ body, caller }) => {
    const draft = { ...body, url: webhookUrl(body.url) };
    const secret = newWebhookSecret();
    return database.change(async (change) => {
      const { id: subject } = await insertWebhook(change, draft, { secret, createdBy: caller.name });
      const webhook = await stored.recordWrite(change, caller, { action: 'webhook.create', subject });
      return { webhook, secret };
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

  serve(removeWebhook, ({ params: { webhookId: subject }, caller }) =>
    database.change(async (change) => {
      const before = await deleteWebhook(change, subject);
      await stored.recordRemoval(change, caller, { action: 'webhook.delete', subject, before });
    }),
  );

  serve(testWebhook, ({ params: { webhookId }, caller }) =>
    database.change(async (change) => {
      await findEnabled(change, webhookId);
      const deliveryId = await publishTest(change, clock, webhookId);
      const after = { deliveryId };
      await recordAudit(change, caller, { action: 'webhook.test', subject: webhookId, after });
      return readDelivery(change.tx, webhookId, deliveryId);
    }),
  );

  serve(listDeliveries, async ({ params, query }) => {
    const before = numberCursor.read(query.cursor);
    const page = { before, limit: query.limit };
    const { deliveries, next } = await readDeliveries(database.read, params.webhookId, page);
    return { deliveries, next: numberCursor.write(next) };
  });

  serve(redeliver, ({ params: { webhookId, deliveryId }, caller }) =>
    database.change(async (change) => {
      await readDelivery(change.tx, webhookId, deliveryId);
      await findEnabled(change, webhookId);
      await makeDue(change, deliveryId, clock.now());
      const after = { deliveryId };
      await recordAudit(change, caller, { action: 'webhook.redeliver', subject: webhookId, after });
      return readDelivery(change.tx, webhookId, deliveryId);
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

async function findEnabled(change: Change, webhookId: string): Promise<void> {
  const { enabled } = await readWebhook(change.tx, webhookId);
  if (!enabled) {
    throw new HttpProblem('CONFLICT', { detail: 'The webhook is switched off. Switch it on first.' });
  }
}

/** The audit leaves out the query of the address, in which receivers often have a secret. */
const stored = versionedRows({
  find: readWebhook,
  audited: ({ url, description, enabled, version }) => ({
    url: url.replace(/\?.*$/s, '?…'),
    description,
    enabled,
    version,
  }),
});
