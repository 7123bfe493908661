import { describe, expect, it } from 'vitest';
import { addWebhook, listDeliveries, testWebhook } from '#features/webhooks/contract/webhooks.ts';
import { startApp } from '#server/testing/app.ts';
import { callRoute } from '#server/testing/client.ts';
import { freshDatabase, oneEngine } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { startReceiver } from '#server/testing/webhook-receiver.ts';
import { startServerProcess } from '#server/testing/server-process.ts';

describe.each(oneEngine)('a server killed while it sends webhooks on %s', (engine) => {
  it('RUN-5: sends them after its next start, under the same ids', async () => {
    const place = await freshDatabase(engine);
    const receiver = await startReceiver();
    const { url, server, caller: operator } = await startServerProcess(place, ['SETTINGS_WRITE']);

    const body = { url: receiver.url, description: '', enabled: true };
    const { webhook } = (await callRoute(url, addWebhook, { body }, operator)).body;
    const params = { webhookId: webhook.id };
    receiver.answer(() => null);
    // The first is on its way when the server is killed; the second has been acknowledged and not been tried.
    const sent = [
      (await callRoute(url, testWebhook, { params }, operator)).body.id,
      (await callRoute(url, testWebhook, { params }, operator)).body.id,
    ];
    await receiver.arrived(1);
    await server.kill();
    receiver.answer(200);

    // On PostgreSQL another process might still be trying, for a minute; on SQLite there is none.
    const clock = movableClock(Date.now() + (engine === 'postgres' ? 61_000 : 0));
    const app = await startApp({ on: place, clock });
    await receiver.arrived(3);
    expect(receiver.received.map(({ id }) => id)).toEqual([sent[0], ...sent]);
    const log = async () => (await app.call(listDeliveries, { params }, operator)).body.deliveries;
    await expect
      .poll(async () => (await log()).map(({ state }) => state))
      .toEqual(['delivered', 'delivered']);
  });
});
