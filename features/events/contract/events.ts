import * as z from 'zod/mini';
import { reportStatus } from '#features/feedback/contract/own-reports.ts';
import { maintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { presenceOfBrowser } from '#features/presence/contract/presence.ts';
import { route } from '#contract/route.ts';
import { sessionEnd } from '#features/session/contract/end.ts';
import { id } from '#contract/text.ts';

/**
 * An event that a browser receives on `/v1/events`: one JSON object in `data`; its `type` is also the event's
 * name. The event's id is the time of the last change that this browser knows of, milliseconds as decimal
 * digits: a client that reconnects with the id in `Last-Event-ID` receives what has changed since, and the
 * current state of maintenance.
 */
export const serverEvent = z.discriminatedUnion('type', [
  /** The first message of every stream: the name under which this connection reports its presence. */
  z.object({ type: z.literal('hello'), connectionId: id }),
  /**
   * The person's rights, or their sources, have changed: load the rights again within `within` milliseconds.
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
    /** The number of new replies of operators; 0 if only the status has changed. */
    replies: z.number(),
  }),
  /** Some of the person's own reports were deleted: load the lists of reports again. */
  z.object({ type: z.literal('reports-gone') }),
  /** The fields of the report form have changed: a page that shows the form loads it again. */
  z.object({ type: z.literal('report-form') }),
  /** The list `list` has changed (null: any list): load it again within `within` milliseconds. */
  z.object({ type: z.literal('changed'), list: z.nullable(z.string()), within: z.number() }),
  /** The last message: the session has ended, or the person was blocked or erased. */
  z.object({ type: z.literal('session-ended'), reason: sessionEnd }),
]);
export type ServerEvent = z.infer<typeof serverEvent>;

/**
 * The stream outlives the access token that opened it, and ends with the session. API tokens are refused.
 */
export const openEvents = route({
  method: 'GET',
  path: '/v1/events',
  summary: 'What concerns the caller, as it happens: one stream a browser, shared by its tabs',
  access: 'signed-in',
  closed: 'open',
  hosts: true,
  /** The same counts as in `publishPresence`, so that the browser need not send them right after the stream opens. */
  query: presenceOfBrowser,
  answer: { raw: 'text/event-stream' },
});
