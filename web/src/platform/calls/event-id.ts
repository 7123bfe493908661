/**
 * A new id of an event, in the format of Sentry's SDKs: a random UUID (RFC 9562, version 4) without its
 * dashes.
 */
export function newEventId(): string {
  // `crypto.randomUUID` is missing on pages without https.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
