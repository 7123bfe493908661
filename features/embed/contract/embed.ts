import * as z from 'zod/mini';
import { liveList } from '#contract/live-list.ts';
import { maintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { route } from '#contract/route.ts';
import { accessToken } from '#features/session/contract/session.ts';
import { id } from '#contract/text.ts';

/** A change of any flag is published to every browser, since the value for its person may change. */
export const flagValues = liveList({ list: 'flag-values', receivers: 'everyone' });

/** All data that a page with `portico.js` starts with, in one answer (GATE-3). */
export const embed = z.object({
  /** The signed-in person. Null for a caller who is not signed in: the other fields then hold only public data. */
  user: z.nullable(
    z.object({
      id,
      email: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      /** `en`, `de`, `fr`, or null: not chosen. */
      language: z.nullable(z.string()),
      /** An IANA zone, or null: the browser's. */
      timeZone: z.nullable(z.string()),
    }),
  ),
  /** The token for the person's calls and live events; `renewToken` renews it. */
  token: z.nullable(accessToken),
  rights: z.array(z.string()),
  /** The labels of the installation's own rights that the person holds, for rights that have a label. */
  rightLabels: z.record(z.string(), z.string()),
  /** The value of each flag for this person. */
  flags: z.record(z.string(), z.unknown()),
  maintenance: maintenanceStatus,
  branding: z.object({
    product: z.string(),
    /** The shades of the installation's accent, as CSS for a page of its own; null: Portico's. */
    css: z.nullable(z.string()),
  }),
  /** The name of the provider that people sign in at; null: the embedded provider. */
  provider: z.nullable(z.string()),
  /** Whether this caller may send a bug report. */
  reports: z.boolean(),
  /** The id to follow live events from. */
  eventId: z.string(),
  /** The language that fits the request best. */
  language: z.enum(['en', 'de', 'fr']),
  /** The release of Portico itself. */
  release: z.string(),
});
export type Embed = z.infer<typeof embed>;

/**
 * A person who is not signed in gets 200 and a small answer: a 401 would be an error in the application's
 * console. The person is read from the session cookie, if the request has the header of `session` routes.
 */
export const getEmbed = route({
  method: 'GET',
  path: '/v1/embed',
  summary: 'What `portico.js` begins with: the person, rights, flags, maintenance, look (GATE-3)',
  access: 'public',
  closed: 'open',
  hosts: true,
  answer: embed,
});
