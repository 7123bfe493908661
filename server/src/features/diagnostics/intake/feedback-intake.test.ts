import { describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../testing/app.ts';
import {
  envelopeOf,
  errorEnvelope,
  feedbackEnvelope,
  newEventId,
  ownProjectKey,
  sendEnvelope,
} from '../../../testing/envelopes.ts';
import { addToken } from '../../../testing/people.ts';
import { pngFile } from '../../../testing/png.ts';

const reportsOf = (app: TestApp) =>
  app.database.read.selectFrom('report').selectAll().orderBy('number').execute();

const picture = () => pngFile({ width: 4, height: 4, pixels: Buffer.alloc(64, 9) });

describe('feedback of SDKs', () => {
  it('DIAG-2: lands in the inbox with its picture, once however often it is sent', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const key = await ownProjectKey(app);
    const [eventId, errorId] = [newEventId(), newEventId()];
    const feedback = {
      message: ' The cart is empty.\r\n<b>Why?</b>\u0000 ',
      name: 'Mia',
      contact_email: 'Mia@Example.org',
      url: 'https://shop.example.org/cart?token=secret&page=2',
      associated_event_id: errorId,
      source: 'widget',
    };
    for (let round = 0; round < 2; round += 1) {
      const sent = await sendEnvelope(app.url, key, feedbackEnvelope(eventId, feedback, picture()));
      expect([sent.status, await sent.json()]).toEqual([200, { id: eventId }]);
    }
    const [report, ...others] = await reportsOf(app);
    expect(others).toEqual([]);
    expect(report).toMatchObject({
      event_id: eventId,
      source: 'sentry',
      name: 'Mia',
      email: 'mia@example.org',
      message: 'The cart is empty.\n<b>Why?</b>',
      url: 'https://shop.example.org/cart?token=[Filtered]&page=2',
      associated_event_id: errorId,
      reporter_id: null,
    });
    expect(JSON.parse(report?.tags ?? '')).toEqual({ screen: 'cart', environment: 'production' });
    expect(JSON.parse(report?.context ?? '')).toEqual({
      release: 'shop@1.0.0',
      browser: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0',
      time: 1_764_000_000_500,
    });
    const shown = await app.database.read
      .selectFrom('report_picture')
      .select('file_id')
      .executeTakeFirstOrThrow();
    const accessToken = await addToken(app, { rights: ['REPORTS_READ'] });
    const file = await fetch(`${app.url}/v1/files/${shown.file_id}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(Buffer.from(await file.arrayBuffer())).toEqual(picture());
  });

  it('DIAG-2: of older SDKs, and with an address that is none, loses nothing', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const key = await ownProjectKey(app);
    const errorId = newEventId();
    const older = { event_id: errorId, name: 'Mia', email: 'mia', comments: 'It broke.' };
    const envelope = envelopeOf({ event_id: errorId }, [{ header: { type: 'user_report' }, payload: older }]);
    expect((await sendEnvelope(app.url, key, envelope)).status).toBe(200);
    expect((await sendEnvelope(app.url, key, envelope)).status).toBe(200);
    expect(await reportsOf(app)).toMatchObject([
      {
        message: 'It broke.',
        name: 'Mia',
        email: '',
        tags: '{"contact":"mia"}',
        associated_event_id: errorId,
      },
    ]);
  });

  it('DIAG-2: is never answered as stored where it is not', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const key = await ownProjectKey(app);
    const refusal = async (body: Buffer<ArrayBuffer>) => {
      const answer = await sendEnvelope(app.url, key, body);
      expect(answer.headers.get('x-sentry-error')).not.toBeNull();
      return [answer.status, ((await answer.json()) as { code: string }).code];
    };
    const message = 'Look at this.';
    const send = (feedback: Record<string, unknown>, bytes?: Buffer) =>
      refusal(feedbackEnvelope(newEventId(), feedback, bytes));
    expect(await send({ message: ' \u0000 ' })).toEqual([400, 'BAD_ENVELOPE']);
    expect(await send({ message: 'x'.repeat(4_097) })).toEqual([413, 'TOO_LARGE']);
    expect(await send({ message }, Buffer.from('GIF89a'))).toEqual([422, 'INVALID_BODY']);
    expect(await send({ message }, picture().subarray(0, 40))).toEqual([422, 'INVALID_BODY']);
    expect(await refusal(envelopeOf({}, [{ header: { type: 'feedback' }, payload: {} }]))).toEqual([
      400,
      'BAD_ENVELOPE',
    ]);
    expect(await reportsOf(app)).toEqual([]);
  });

  it('DIAG-2: is limited apart from errors, and each limit names what it is about', async () => {
    const app = await startApp({ engine: 'sqlite', config: { rateLimitScale: 0.01 } });
    const key = await ownProjectKey(app);
    const errors = await Promise.all(
      Array.from({ length: 30 }, () => sendEnvelope(app.url, key, errorEnvelope())),
    );
    const refused = errors.filter(({ status }) => status === 429);
    expect(errors.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) {
      expect(headers.get('x-sentry-rate-limits')).toMatch(/^\d+:error:key$/);
      expect(headers.get('retry-after')).toBeNull();
    }
    const eventId = newEventId();
    const message = { message: 'It does not stop.' };
    const stored = await sendEnvelope(app.url, key, feedbackEnvelope(eventId, message));
    expect([stored.status, stored.headers.get('x-sentry-rate-limits')]).toEqual([200, null]);
    const next = await sendEnvelope(app.url, key, feedbackEnvelope(newEventId(), message));
    expect([next.status, next.headers.get('x-sentry-rate-limits')]).toEqual([
      429,
      expect.stringMatching(/^\d+:feedback;user_report:key$/),
    ]);
    expect(await reportsOf(app)).toHaveLength(1);
    await expect
      .poll(
        async () =>
          (await app.database.read.selectFrom('project_count').select('refused').execute())[0]?.refused,
        { timeout: 10_000 },
      )
      .toBe(refused.length);
  });
});
