import * as z from 'zod/mini';

/**
 * The client's own id of a report or an error, as Sentry's SDKs make them: 32 hexadecimal digits. Sending it
 * again stores nothing new.
 */
export const eventId = z.string().check(z.regex(/^[0-9a-f]{32}$/));
