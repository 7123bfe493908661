import * as z from 'zod/mini';
import { reportStatus } from '#features/feedback/contract/own-reports.ts';
import { maintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { presenceOfBrowser } from '#features/presence/contract/presence.ts';
import { route } from '#contract/route.ts';
import { sessionEnd } from '#features/session/contract/end.ts';
import { id } from '#contract/text.ts';

/**
 * What a browser receives on `/v1/events`: one JSON object in `data`, its `type` also the event's name. The
 * event's id is the time of the last change that this browser knows of, milliseconds as decimal digits: a
 * client that reconnects with it in `Last-Event-ID` receives what has changed since, and maintenance as it
 * is.
 */
export const serverEvent = z.discriminatedUnion('type', [
  /** The first message of every stream: the name under which this connection reports its presence. */
  z.object({ type: z.literal('hello'), connectionId: id }),
  /**
   * The person's rights, or what they come from, have changed: load them again, within so many milliseconds.
   */
  z.object({ type: z.literal('rights'), within: z.number() }),
  /** The person's profile has changed: load it again. */
  z.object({ type: z.literal('profile') }),
  z.object({ type: z.literal('maintenance'), status: maintenanceStatus }),
  /** One of the person's own reports has another status, or was replied to by an operator. */
  z.object({
    type: z.literal('report'),
    reportId: id,
    number: z.number(),
    status: reportStatus,
    /** Replies of operators that are new; without any, the status is what is new. */
    replies: z.number(),
  }),
  /** Some of the person's own reports were deleted: load lists of them again. */
  z.object({ type: z.literal('reports-gone') }),
  /** What the report form asks for has changed: a page that shows it loads it again. */
  z.object({ type: z.literal('report-form') }),
  /** A list has changed, or any of them where it is null: load it again within so many milliseconds. */
  z.object({ type: z.literal('changed'), list: z.nullable(z.string()), within: z.number() }),
  /** The last message: the session has ended, or the person was blocked or erased. */
  z.object({ type: z.literal('session-ended'), reason: sessionEnd }),
]);
export type ServerEvent = z.infer<typeof serverEvent>;

/**
 * Outlives the access token that opened it; ends with the session. A person's alone: an API token is refused.
 */
export const openEvents = route({
  method: 'GET',
  path: '/v1/events',
  summary: 'What concerns the caller, as it happens: one stream a browser, shared by its tabs',
  access: 'signed-in',
  closed: 'open',
  hosts: true,
  /** As in `publishPresence`, so that no report has to follow at once. */
  query: presenceOfBrowser,
  answer: { raw: 'text/event-stream' },
});
