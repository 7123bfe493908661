import * as z from 'zod/mini';
import { liveList } from '#contract/live-list.ts';
import { route } from '#contract/route.ts';
import { assignee, assigneeSearch, foundAssignees, peopleNames } from '#features/people/contract/names.ts';
import { cleanLine, id, instant, prose, version } from '#contract/text.ts';

/** Changed errors and new events are published to the browsers of people who may read errors. */
export const errorList = liveList({ list: 'errors', receivers: { right: 'DIAGNOSTICS_READ' } });

/** Limits of one call, and of what one error holds. */
export const errorLimits = {
  /** Errors that one change may name. */
  bulk: 200,
  /** How many values of each facet an error counts. */
  facetValues: 50,
  /** Characters of a comment, and how many comments an error may have. */
  comment: 10_000,
  comments: 200,
} as const;

export const errorStatus = z.enum(['open', 'resolved', 'ignored']);
export type ErrorStatus = z.infer<typeof errorStatus>;

export const errorLevel = z.enum(['fatal', 'error', 'warning', 'info', 'debug']);
export type ErrorLevel = z.infer<typeof errorLevel>;

/** Properties of events whose values each error counts. Errors can be filtered by release and environment. */
export const errorFacet = z.enum(['release', 'environment', 'browser', 'system']);

export const errorOrder = z.enum(['last-seen', 'first-seen', 'events', 'people']);
export type ErrorOrder = z.infer<typeof errorOrder>;

/** `24h` is counted by the hour, `14d` and `30d` by the day; the last hour or day is the present one. */
export const errorPeriod = z.enum(['24h', '14d', '30d']);
export type ErrorPeriod = z.infer<typeof errorPeriod>;

export const projectId = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647));

const period = {
  period: z._default(errorPeriod, '24h'),
  /** Minutes by which the person's clock is ahead of UTC. They decide when a day begins. */
  offset: z._default(z.coerce.number().check(z.int(), z.minimum(-840), z.maximum(840)), 0),
};

/** The hours or days of a period. Each list of counts has one entry for each hour or day. */
export const countedPeriod = z.object({
  /** When the first hour or day begins. */
  from: instant,
  /** Milliseconds of each. */
  step: z.number(),
  steps: z.number(),
});
export type CountedPeriod = z.infer<typeof countedPeriod>;

/** A group of events with the same kind, place and message. */
export const errorGroup = z.object({
  id,
  projectId: z.number(),
  /** The kind of error, such as `TypeError`. */
  kind: z.string(),
  /** The message of its first event. */
  message: z.string(),
  /** Script and function where it was thrown. */
  place: z.string(),
  level: errorLevel,
  status: errorStatus,
  /** When it was resolved; null while it is not. */
  resolvedAt: z.nullable(instant),
  /** The last release that may still have the error; null where the error is resolved in every release. */
  resolvedAfter: z.nullable(z.string()),
  /** When the resolved error occurred again; null where it did not, or an operator changed its status later. */
  returnedAt: z.nullable(instant),
  firstSeenAt: instant,
  lastSeenAt: instant,
  firstRelease: z.nullable(z.string()),
  lastRelease: z.nullable(z.string()),
  /** All events that arrived, whether or not they are still stored. */
  events: z.number(),
  people: z.number(),
  /** The id of the person who works on it. */
  assigneeId: z.nullable(id),
  version,
});
export type ErrorGroup = z.infer<typeof errorGroup>;

/** An error as lists show it. */
export const listedError = z.object({
  ...errorGroup.shape,
  assignee: z.nullable(assignee),
  /** Events in each hour or day of the period. */
  counts: z.array(z.number()),
});
export type ListedError = z.infer<typeof listedError>;

export const listErrors = route({
  method: 'GET',
  path: '/v1/diagnostics/errors',
  summary: 'Errors by project, status, release, environment and words, with their counts over time (DIAG-2)',
  access: { right: 'DIAGNOSTICS_READ' },
  query: z.object({
    /** Each word has to occur in kind, message or place; or the id of an event or an error. */
    search: z._default(cleanLine(0, 200), ''),
    project: z.optional(projectId),
    status: z.optional(errorStatus),
    release: z.optional(cleanLine(1, 200)),
    environment: z.optional(cleanLine(1, 64)),
    /** `current`: the caller; `none`: nobody. */
    assignee: z.optional(z.enum(['current', 'none'])),
    /** Descending: the largest or the latest value first. */
    order: z._default(errorOrder, 'last-seen'),
    ...period,
    /** The `next` of the previous page. */
    cursor: z.optional(z.string().check(z.maxLength(1000))),
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 50),
  }),
  answer: z.object({
    errors: z.array(listedError),
    period: countedPeriod,
    /** Number of errors in each status, among the errors that match the other filters. */
    counts: z.record(errorStatus, z.number()),
    next: z.nullable(z.string()),
  }),
});

export const countEvents = route({
  method: 'GET',
  path: '/v1/diagnostics/counts',
  summary: 'How many events came and how many were refused over time, of one project or of all (DIAG-2)',
  access: { right: 'DIAGNOSTICS_READ' },
  query: z.object({ project: z.optional(projectId), ...period }),
  answer: z.object({
    period: countedPeriod,
    events: z.array(z.number()),
    /** Refused by a limit. */
    refused: z.array(z.number()),
  }),
});

export const listErrorFilters = route({
  method: 'GET',
  path: '/v1/diagnostics/filters',
  summary: 'What errors can be filtered by: projects, and the releases and environments that events came of',
  access: { right: 'DIAGNOSTICS_READ' },
  query: z.object({ project: z.optional(projectId) }),
  answer: z.object({
    projects: z.array(z.object({ id: z.number(), name: z.string() })),
    /** The latest first, at most 200. */
    releases: z.array(z.string()),
    environments: z.array(z.string()),
  }),
});

const facetValue = z.object({
  value: z.string(),
  events: z.number(),
  lastSeenAt: instant,
});

/** Another error of the same kind that has the message or the place of this one. */
export const similarError = z.object({
  id,
  kind: z.string(),
  message: z.string(),
  projectName: z.string(),
  status: errorStatus,
  lastSeenAt: instant,
});

/** What an operator wrote about an error. */
export const errorComment = z.object({
  id,
  text: z.string(),
  at: instant,
  by: z.string(),
  /** Null for an API token, and after the author was erased. */
  authorId: z.nullable(id),
});
export type ErrorComment = z.infer<typeof errorComment>;

/** An error as it is opened. */
export const fullError = z.object({
  ...errorGroup.shape,
  assignee: z.nullable(assignee),
  /** Oldest first. */
  comments: z.array(errorComment),
  names: peopleNames,
  /** The five similar errors that occurred last. */
  similar: z.array(similarError),
  projectName: z.string(),
  period: countedPeriod,
  counts: z.array(z.number()),
  /** The values of each facet, those with the most events first. */
  facets: z.record(errorFacet, z.array(facetValue)),
  /** How many events of the error are stored with a sample. */
  samples: z.number(),
});
export type FullError = z.infer<typeof fullError>;

const oneError = z.object({ errorId: id });

export const getError = route({
  method: 'GET',
  path: '/v1/diagnostics/errors/:errorId',
  summary:
    'One error with its counts over time, and its releases, environments, browsers and systems (DIAG-2)',
  access: { right: 'DIAGNOSTICS_READ' },
  params: oneError,
  query: z.object(period),
  answer: fullError,
});

/** Names and values as they were sent, as text. */
const fields = z.array(z.object({ name: z.string(), value: z.string() }));

const place = z.object({
  file: z.string(),
  function: z.nullable(z.string()),
  line: z.nullable(z.number()),
  column: z.nullable(z.number()),
});

/** One call of a stack. */
export const stackFrame = z.object({
  /** The place; in the original source where there is a source map. */
  ...place.shape,
  /** Whether the frame is in the application's own code, and not in a library. */
  inApp: z.boolean(),
  /** The source lines around the frame, including its own line; empty where they are not known. */
  context: z.array(z.object({ line: z.number(), text: z.string() })),
  /** Local variables, which some SDKs send. */
  variables: fields,
  /** The place in the script that ran, where a source map was applied. */
  generated: z.nullable(place),
});
export type StackFrame = z.infer<typeof stackFrame>;

export const thrownError = z.object({
  kind: z.string(),
  message: z.string(),
  /** The SDK's mechanism, such as `onerror`; null if unknown. */
  mechanism: z.nullable(z.string()),
  /** Whether the application caught it itself; null if unknown. */
  handled: z.nullable(z.boolean()),
  /** The call that threw the error comes first. */
  frames: z.array(stackFrame),
});
export type ThrownError = z.infer<typeof thrownError>;

export const breadcrumb = z.object({
  at: z.nullable(instant),
  type: z.string(),
  category: z.string(),
  level: errorLevel,
  message: z.string(),
  data: fields,
});
export type Breadcrumb = z.infer<typeof breadcrumb>;

/** A bug report that belongs to an event. */
export const linkedReport = z.object({
  id,
  number: z.number(),
  excerpt: z.string(),
  createdAt: instant,
  /** `event`: the report names the event; `person`: the same person sent it within half an hour. */
  by: z.enum(['event', 'person']),
});
export type LinkedReport = z.infer<typeof linkedReport>;

/** The data that was sent with an event, with source maps applied. */
export const errorSample = z.object({
  /** The thrown error first, then its causes. */
  errors: z.array(thrownError),
  /** The message of the event; null where the event has none, or an error has the same message. */
  message: z.nullable(z.string()),
  level: errorLevel,
  platform: z.string(),
  sdk: z.nullable(z.string()),
  /** By the sender's clock. */
  happenedAt: z.nullable(instant),
  transaction: z.nullable(z.string()),
  /** The newest last. */
  breadcrumbs: z.array(breadcrumb),
  tags: fields,
  contexts: z.array(z.object({ name: z.string(), fields })),
  extra: fields,
  request: z.nullable(z.object({ method: z.nullable(z.string()), url: z.string(), headers: fields })),
  /** Scripts of the stack that have no source map, where a source map would help. */
  withoutSourceMap: z.array(z.string()),
});
export type ErrorSample = z.infer<typeof errorSample>;

export const errorEvent = z.object({
  /** The event's number: events are numbered in the order in which they arrive. */
  number: z.number(),
  eventId: z.string(),
  errorId: id,
  receivedAt: instant,
  release: z.nullable(z.string()),
  environment: z.nullable(z.string()),
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  /** Whether the event names the affected person, of whom only a keyed hash is stored. */
  ofPerson: z.boolean(),
  /** The id of the failed call in the server's log; null where the event has none. */
  requestId: z.nullable(z.string()),
  /** The data that was sent with the event; null where it is no longer stored. */
  sample: z.nullable(errorSample),
  /** Null for a caller who may not read reports. */
  reports: z.nullable(z.array(linkedReport)),
  /** The numbers of the previous and the next event with a sample; null where there is none. */
  previous: z.nullable(z.number()),
  next: z.nullable(z.number()),
});
export type ErrorEvent = z.infer<typeof errorEvent>;

export const getErrorEvent = route({
  method: 'GET',
  path: '/v1/diagnostics/errors/:errorId/events/:event',
  summary: 'One event of an error: `latest`, `oldest`, by its number, or by its event id (DIAG-2)',
  access: { right: 'DIAGNOSTICS_READ' },
  params: z.object({ errorId: id, event: id }),
  answer: errorEvent,
});

/**
 * What an operator does with errors. `resolve`: any later event opens the error again. `resolve-in-next-release`:
 * only a later event of a release newer than the project's latest one does so, or one that names no release.
 */
export const errorChange = z.enum(['resolve', 'resolve-in-next-release', 'reopen', 'ignore', 'delete']);
export type ErrorChange = z.infer<typeof errorChange>;

const change = { right: 'DIAGNOSTICS_WRITE' } as const;

export const setErrorStatus = route({
  method: 'PUT',
  path: '/v1/diagnostics/errors/:errorId/status',
  summary: 'Resolves, ignores or reopens an error (DIAG-2)',
  access: change,
  params: oneError,
  body: z.strictObject({
    change: z.enum(['resolve', 'resolve-in-next-release', 'reopen', 'ignore']),
    version,
  }),
  answer: errorGroup,
});

export const setErrorAssignee = route({
  method: 'PUT',
  path: '/v1/diagnostics/errors/:errorId/assignee',
  summary: 'Assigns an error to a person who may change errors, or to nobody (DIAG-2)',
  access: change,
  params: oneError,
  body: z.strictObject({ assigneeId: z.nullable(id), version }),
  answer: errorGroup,
});

export const listErrorAssignees = route({
  method: 'GET',
  path: '/v1/diagnostics/assignees',
  summary: 'People to whom errors can be assigned: who may change them and is not blocked, by name (DIAG-2)',
  access: { right: 'DIAGNOSTICS_READ' },
  query: assigneeSearch,
  answer: foundAssignees,
});

export const addErrorComment = route({
  method: 'POST',
  path: '/v1/diagnostics/errors/:errorId/comments',
  summary: 'Adds a comment, which those who read errors see (DIAG-2)',
  access: change,
  creates: true,
  params: oneError,
  body: z.strictObject({ text: prose(1, errorLimits.comment) }),
  answer: errorComment,
  status: 201,
});

export const removeErrorComment = route({
  method: 'DELETE',
  path: '/v1/diagnostics/errors/:errorId/comments/:commentId',
  summary: 'Removes a comment of one’s own (DIAG-2)',
  access: change,
  params: z.object({ errorId: id, commentId: id }),
  answer: 'nothing',
});

export const deleteError = route({
  method: 'DELETE',
  path: '/v1/diagnostics/errors/:errorId',
  summary: 'Deletes an error permanently, with all its events (DIAG-2)',
  access: change,
  params: oneError,
  answer: 'nothing',
});

export const changeErrors = route({
  method: 'POST',
  path: '/v1/diagnostics/error-changes',
  summary:
    'Does the same with several errors; those that somebody has changed since stay as they are (DIAG-2)',
  access: change,
  body: z.strictObject({
    change: errorChange,
    errors: z.array(z.strictObject({ id, version })).check(z.minLength(1), z.maxLength(errorLimits.bulk)),
  }),
  answer: z.object({
    /** The changed errors with their new versions; a deleted error keeps the version that was sent. */
    changed: z.array(z.object({ id, version })),
    /** Errors that were changed by another operator since, and errors that no longer exist. */
    skipped: z.array(id),
  }),
});

/** An error that belongs to a report. */
const relatedError = z.object({
  error: errorGroup,
  /** The event that the report names, or the person's event that is closest in time. */
  eventId: z.string(),
  receivedAt: instant,
  /** `event`: the report names the event; `person`: the same person met the error within half an hour. */
  by: z.enum(['event', 'person']),
});
export type RelatedError = z.infer<typeof relatedError>;

export const listReportErrors = route({
  method: 'GET',
  path: '/v1/reports/:reportId/errors',
  summary: 'The errors that belong to a report, for those who may also read diagnostics (BUG-8, DIAG-2)',
  access: { right: 'REPORTS_READ' },
  params: z.object({ reportId: id }),
  answer: z.object({
    /** At most 20 errors, those that the report names first. Null for a caller who may not read diagnostics. */
    errors: z.nullable(z.array(relatedError)),
  }),
});
