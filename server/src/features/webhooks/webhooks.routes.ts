import {
  addWebhook,
  changeWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  removeWebhook,
  testWebhook,
  type Webhook,
} from '@portico/contract/webhooks';
import type { Clock } from '../../platform/time/clock.ts';
import type { Change, Database } from '../../platform/database/database.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import { namesOf } from '../directory/people-names.ts';
import { numberCursor } from '../../platform/http/cursor.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { webhookUrl } from './addresses.ts';
import { newWebhookSecret } from './signature.ts';
import { publishTest } from './publish.ts';
import {
  deleteWebhook,
  insertWebhook,
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
      const webhook = await insertWebhook(change, draft, { secret, createdBy: caller.name });
      const after = audited(webhook);
      await recordAudit(change, caller, { action: 'webhook.create', subject: webhook.id, after });
      return { webhook, secret };
    });
  });

  serve(changeWebhook, ({ params, body, caller }) =>
    database.change(async (change) => {
      await readWebhook(change.tx, params.webhookId);
      const draft = { ...body, url: webhookUrl(body.url) };
      const { before, after } = await updateWebhook(change, params.webhookId, draft);
      await recordAudit(change, caller, {
        action: 'webhook.update',
        subject: after.id,
        before: audited(before),
        after: audited(after),
      });
      return after;
    }),
  );

  serve(removeWebhook, ({ params, caller }) =>
    database.change(async (change) => {
      const before = audited(await deleteWebhook(change, params.webhookId));
      await recordAudit(change, caller, { action: 'webhook.delete', subject: params.webhookId, before });
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
}

async function findEnabled(change: Change, webhookId: string): Promise<void> {
  const { enabled } = await readWebhook(change.tx, webhookId);
  if (!enabled) {
    throw new HttpProblem('CONFLICT', { detail: 'The webhook is switched off. Switch it on first.' });
  }
}

/** As the audit records it, without the query, in which receivers often have a secret. */
function audited({ url, description, enabled, version }: Webhook) {
  return { url: url.replace(/\?.*$/s, '?…'), description, enabled, version };
}
