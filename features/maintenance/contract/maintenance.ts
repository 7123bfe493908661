import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { instant } from '#contract/text.ts';

export const severities = ['HIGH', 'MEDIUM', 'INFO'] as const;
export const severity = z.enum(severities);
export type Severity = z.infer<typeof severity>;

/** `read-only`: writes are refused. `full`: everything is, and the page shows (MAINT-6). */
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

/** The other way round: what goes into the flag. Blank text is the empty string. */
export function formatNotice(notice: Notice): string {
  const text = notice.maintenanceText.trim();
  return text === '' ? '' : `${notice.maintenanceTextSeverity}:${text}`;
}

/** A text as a reader of that language gets it: in another one where it was not written in theirs. */
export function textFor({ text, texts }: { text: string; texts: TextByLanguage }, language: string): string {
  return textLanguages.some((known) => known === language) ? (texts[language as TextLanguage] ?? text) : text;
}

/** What a planned window does while it lasts (MAINT-5): `announce` only shows its text. */
export const windowMode = z.enum(['announce', 'read-only', 'full']);
export type WindowMode = z.infer<typeof windowMode>;

/** The languages of an installation, in which texts can be written, in the order in which one stands in for another. */
export const textLanguages = ['en', 'de', 'fr'] as const;
export type TextLanguage = (typeof textLanguages)[number];

const written = z.optional(z.string());

/** One text in the languages in which it was written. */
export const textByLanguage = z.object({ en: written, de: written, fr: written });
export type TextByLanguage = z.infer<typeof textByLanguage>;

/** The next window, from its lead time on until it starts. */
export const upcomingWindow = z.object({
  title: z.string(),
  /** In whatever language it was written. */
  text: z.string(),
  /** The same in each language in which it was written. */
  texts: z._default(textByLanguage, {}),
  severity,
  mode: windowMode,
  startsAt: instant,
  endsAt: instant,
});
export type UpcomingWindow = z.infer<typeof upcomingWindow>;

export const maintenanceStatus = z.object({
  mode: maintenanceMode,
  /** In whatever language it was written. */
  text: z.string(),
  /** The same in each language in which it was written. */
  texts: z._default(textByLanguage, {}),
  severity,
  /** When work is expected to go on, where known; one that has passed means that it takes longer. */
  expectedEnd: z.nullable(instant),
  /** Since when the mode is what it is. */
  since: z.nullable(instant),
  upcoming: z.nullable(upcomingWindow),
  /** Milliseconds over which browsers spread their return, so that they do not all come at once. */
  returnWithin: z.number(),
  /** When this status last changed; of two statuses the one with the larger is the newer. 0: never. */
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
