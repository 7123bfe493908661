import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A new secret that Portico and one receiver share: 256 random bits, in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/**
 * The headers that prove that a body is Portico's (https://www.standardwebhooks.com).
 *
 * @param at milliseconds; receivers refuse what is old, so each try has its own
 */
export function signatureHeaders(message: {
  id: string;
  at: number;
  body: string;
  secret: string;
}): Record<string, string> {
  const timestamp = String(Math.floor(message.at / 1000));
  const signature = createHmac('sha256', Buffer.from(message.secret.slice(prefix.length), 'base64'))
    .update(`${message.id}.${timestamp}.${message.body}`)
    .digest('base64');
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
