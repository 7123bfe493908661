import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { instant } from '#contract/text.ts';

export const severities = ['HIGH', 'MEDIUM', 'INFO'] as const;
export const severity = z.enum(severities);
export type Severity = z.infer<typeof severity>;

/** `read-only`: writes are refused. `full`: all requests are refused, and the maintenance page shows (MAINT-6). */
export const maintenanceMode = z.enum(['off', 'read-only', 'full']);
export type MaintenanceMode = z.infer<typeof maintenanceMode>;

/** The two built-in flags that are derived from maintenance (MAINT-1). */
export const maintenanceFlag = 'MAINTENANCE';
export const maintenanceTextFlag = 'MAINTENANCE_TEXT';

/** The address of the maintenance page (MAINT-3). */
export const maintenancePath = '/system-maintenance';

/** A notice as the web holds it (MAINT-1); an empty text is no notice. */
export type Notice = { maintenanceText: string; maintenanceTextSeverity: Severity };

/**
 * Reads `SEVERITY:text` (MAINT-1): the severity is HIGH, MEDIUM or INFO in upper case before the first colon;
 * a text without such a prefix is used whole, with HIGH; blank text is no text.
 */
export function parseNotice(value: string): Notice {
  const colon = value.indexOf(':');
  const prefix = colon < 0 ? undefined : severities.find((known) => known === value.slice(0, colon));
  const text = prefix === undefined ? value : value.slice(colon + 1);
  return { maintenanceText: text.trim(), maintenanceTextSeverity: prefix ?? 'HIGH' };
}

/** Formats a notice as the value of its flag, the reverse of `parseNotice`. Blank text gives the empty string. */
export function formatNotice(notice: Notice): string {
  const text = notice.maintenanceText.trim();
  return text === '' ? '' : `${notice.maintenanceTextSeverity}:${text}`;
}

/** The text in the reader's language, or `text` where there is none in that language. */
export function textFor({ text, texts }: { text: string; texts: TextByLanguage }, language: string): string {
  return textLanguages.some((known) => known === language) ? (texts[language as TextLanguage] ?? text) : text;
}

/** What a planned window does while it lasts (MAINT-5): `announce` only shows its text. */
export const windowMode = z.enum(['announce', 'read-only', 'full']);
export type WindowMode = z.infer<typeof windowMode>;

/** The languages in which texts can be written. The first written one in this order replaces a missing one. */
export const textLanguages = ['en', 'de', 'fr'] as const;
export type TextLanguage = (typeof textLanguages)[number];

const written = z.optional(z.string());

/** One text in the languages in which it was written. */
export const textByLanguage = z.object({ en: written, de: written, fr: written });
export type TextByLanguage = z.infer<typeof textByLanguage>;

/** The next window, from the start of its lead time until its own start. */
export const upcomingWindow = z.object({
  title: z.string(),
  /** The text, in whatever language it was written. */
  text: z.string(),
  /** `text` in each language in which it was written. */
  texts: z._default(textByLanguage, {}),
  severity,
  mode: windowMode,
  startsAt: instant,
  endsAt: instant,
});
export type UpcomingWindow = z.infer<typeof upcomingWindow>;

export const maintenanceStatus = z.object({
  mode: maintenanceMode,
  /** The text, in whatever language it was written. */
  text: z.string(),
  /** `text` in each language in which it was written. */
  texts: z._default(textByLanguage, {}),
  severity,
  /** When maintenance is expected to end, where known. A time in the past means that it takes longer. */
  expectedEnd: z.nullable(instant),
  /** When the current mode began. */
  since: z.nullable(instant),
  upcoming: z.nullable(upcomingWindow),
  /** Milliseconds over which browsers spread their return, so that they do not all come at once. */
  returnWithin: z.number(),
  /** When this status last changed, 0: never. Of two statuses, the one with the larger value is the newer. */
  changedAt: instant,
  serverTime: instant,
});
export type MaintenanceStatus = z.infer<typeof maintenanceStatus>;

export const getMaintenanceStatus = route({
  method: 'GET',
  path: '/v1/maintenance/status',
  summary: 'What everyone may know about maintenance now (MAINT-6)',
  access: 'public',
  closed: 'open',
  answer: maintenanceStatus,
});
