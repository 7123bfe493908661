import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { addNote, replyToReport } from '#features/feedback/contract/conversation.ts';
import { addWebhook } from '#features/webhooks/contract/webhooks.ts';
import { expect, it } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { startReceiver } from '#server/testing/webhook-receiver.ts';

it('BUG-8: webhooks receive new reports, replies and statuses, and no notes', async () => {
  const app = await startApp({ engine: 'sqlite' });
  const [operator, ada] = [await signIn(app, { roles: ['operator'] }), await signIn(app)];
  const receiver = await startReceiver();
  await operator.call(addWebhook, { body: { url: `${receiver.url}/hook`, description: '', enabled: true } });
  const { id, number } = (await ada.call(saveFeedback, { body: { message: 'The map is white.' } })).body;
  const params = { reportId: id };
  await operator.call(addNote, { params, body: { text: 'Hm', eventId: '1'.repeat(32) } });
  const body = { text: 'Repaired.', eventId: '2'.repeat(32), status: 'resolved' as const };
  await operator.call(replyToReport, { params, body });
  await receiver.arrived(3);
  const link = `${app.url}/reports?report=${id}`;
  const messages = receiver.received.map((message) => {
    const { type, data } = JSON.parse(message.body) as { type: string; data: unknown };
    return { type, data };
  });
  const noPerson = { name: '', email: '', reporterId: ada.id };
  const report = { message: 'The map is white.', url: '', source: 'api', pictures: 0 };
  expect(messages).toEqual([
    { type: 'report.created', data: { id, number, ...noPerson, ...report, link } },
    {
      type: 'report.replied',
      data: { id, number, messageId: expect.any(String), from: 'operator', text: 'Repaired.', link },
    },
    { type: 'report.changed', data: { id, number, before: 'new', status: 'resolved', link } },
  ]);
});
