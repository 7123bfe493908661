import { randomBytes } from 'node:crypto';
import type { TestApp } from './app.ts';

/** An item of an envelope: its header, and a payload as JSON or as bytes. */
export type SentItem = { header: Record<string, unknown>; payload: unknown };

/** An envelope in its bytes; payloads of bytes have a length in their header. */
export function envelopeOf(header: Record<string, unknown>, items: readonly SentItem[]): Buffer<ArrayBuffer> {
  const parts = items.flatMap((item) => {
    const payload = Buffer.isBuffer(item.payload) ? item.payload : Buffer.from(JSON.stringify(item.payload));
    const length = Buffer.isBuffer(item.payload) ? { length: payload.length } : {};
    return [Buffer.from(`${JSON.stringify({ ...item.header, ...length })}\n`), payload, Buffer.from('\n')];
  });
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...parts]);
}

export function newEventId(): string {
  return randomBytes(16).toString('hex');
}

/** An error as `@sentry/browser` sends it. */
export function errorEvent(given: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    platform: 'javascript',
    level: 'error',
    timestamp: 1_764_000_000.5,
    release: 'shop@1.0.0',
    environment: 'production',
    request: {
      url: 'https://shop.example.org/cart',
      headers: {
        'User-Agent':
          'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
      },
    },
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'Cannot read properties of undefined',
          mechanism: { type: 'onerror', handled: false },
          stacktrace: {
            frames: [
              {
                filename: 'https://shop.example.org/assets/vendor-1a2b3c4d.js',
                function: 'dispatch',
                lineno: 1,
              },
              {
                filename: 'https://shop.example.org/assets/main-9f8e7d6c.js',
                function: 'renderCart',
                lineno: 12,
                colno: 34,
              },
            ],
          },
        },
      ],
    },
    ...given,
  };
}

/** An envelope with one error. */
export function errorEnvelope(
  event: Record<string, unknown> = {},
  eventId = newEventId(),
): Buffer<ArrayBuffer> {
  return envelopeOf({ event_id: eventId, sent_at: '2026-11-23T09:00:00Z' }, [
    { header: { type: 'event' }, payload: errorEvent({ event_id: eventId, ...event }) },
  ]);
}

/** An envelope with feedback, as `@sentry/browser` sends it, with a picture if there is one. */
export function feedbackEnvelope(
  eventId: string,
  feedback: Record<string, unknown>,
  picture?: Buffer,
): Buffer<ArrayBuffer> {
  const shown = { filename: 'screenshot.png', content_type: 'application/png' };
  return envelopeOf({ event_id: eventId, sent_at: '2026-11-23T09:00:00Z' }, [
    {
      header: { type: 'feedback' },
      payload: {
        event_id: eventId,
        timestamp: 1_764_000_000.5,
        platform: 'javascript',
        release: 'shop@1.0.0',
        environment: 'production',
        tags: { screen: 'cart', token: 'secret' },
        request: {
          url: 'https://shop.example.org/cart?token=secret',
          headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0' },
        },
        contexts: { feedback },
      },
    },
    ...(picture === undefined ? [] : [{ header: { type: 'attachment', ...shown }, payload: picture }]),
  ]);
}

/** The key of Portico's own project. */
export async function ownProjectKey(app: Pick<TestApp, 'database'>): Promise<string> {
  const { key } = await app.database.read
    .selectFrom('diagnostic_key')
    .select('key')
    .where('project_id', '=', 1)
    .executeTakeFirstOrThrow();
  return key;
}

/** Sends an envelope as SDKs do; the key is in the query. */
export function sendEnvelope(
  url: string,
  key: string,
  body: Buffer<ArrayBuffer> | string,
  { project = 1, headers = {} }: { project?: number; headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(`${url}/api/${project}/envelope/?sentry_version=7&sentry_key=${key}&sentry_client=test%2F1`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers },
  });
}
