import * as z from 'zod/mini';

/**
 * Every code that Portico's own routes answer with, and its HTTP status. Codes are stable: clients
 * switch on them, texts may change (API-1, RFC 9457).
 */
export const problemStatus = {
  BAD_JSON: 400,
  INVALID_REQUEST: 400,
  UNAUTHENTICATED: 401,
  TOKEN_EXPIRED: 401,
  TOKEN_INVALID: 401,
  SESSION_ENDED: 401,
  /** The session is valid, but the person has not proved recently who they are. */
  PROOF_NEEDED: 401,
  CROSS_SITE: 403,
  /** The caller is no proxy that sends AUTH_CHECK_SECRET, or no such secret is set. */
  AUTH_CHECK_REFUSED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  RIGHT_MISSING: 403,
  PERSON_BLOCKED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  VERSION_CONFLICT: 409,
  EVENT_ID_USED: 409,
  FILE_IN_USE: 409,
  FLAG_IN_USE: 409,
  REVIEW_REQUIRED: 409,
  LAST_ADMINISTRATOR: 409,
  WINDOW_OVERLAPS: 409,
  WINDOW_OVER: 409,
  LINK_INVALID: 410,
  TOO_LARGE: 413,
  STORAGE_FULL: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  /** The host of the request is not configured. */
  UNKNOWN_HOST: 421,
  IDEMPOTENCY_KEY_USED: 422,
  EMPTY_MESSAGE: 422,
  FIELDS_REQUIRED: 422,
  INVALID_BODY: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  /** The application behind the gateway does not answer, answers too late, or does not answer in valid HTTP. */
  APPLICATION_DOWN: 502,
  APPLICATION_SLOW: 504,
  APPLICATION_MALFORMED: 502,
  /** The map server does not answer, answers too late, or answers with an error or something other than a map. */
  MAP_SERVER_DOWN: 502,
  MAP_SERVER_SLOW: 504,
  MAP_SERVER_FAILED: 502,
  /** The object store that has the files does not answer. */
  FILES_UNAVAILABLE: 503,
  UNAVAILABLE: 503,
  MAINTENANCE: 503,
} as const;

export type ProblemCode = keyof typeof problemStatus;

/** One wrong field. `pointer` is an RFC 6901 JSON pointer into the body, or `/name` of a parameter. */
export const fieldProblem = z.object({
  pointer: z.string(),
  /** Stable reason: `required`, `type`, `too_small`, `format`, `invalid` …, or a feature's own. */
  code: z.string(),
  message: z.string(),
});
export type FieldProblem = z.infer<typeof fieldProblem>;

/** The one error shape, `application/problem+json` (RFC 9457). `requestId` is the one in the logs. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.optional(z.string()),
  requestId: z.optional(z.string()),
  errors: z.optional(z.array(fieldProblem)),
  /** Of SESSION_ENDED: the reason, for a caller with a token of that session (`sessionEnd`). */
  reason: z.optional(z.string()),
});
export type Problem = z.infer<typeof problem>;
