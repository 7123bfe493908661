import { type FieldProblem, type Problem, type ProblemCode, problemStatus } from '#contract/problem.ts';
import type { SessionEnd } from '#features/session/contract/end.ts';

const titles: Record<ProblemCode, string> = {
  BAD_JSON: 'The body is not valid JSON',
  INVALID_REQUEST: 'The request is not valid',
  UNAUTHENTICATED: 'Sign-in is needed',
  TOKEN_EXPIRED: 'The access token has expired',
  TOKEN_INVALID: 'The access token is not valid',
  SESSION_ENDED: 'The session has ended',
  PROOF_NEEDED: 'A proof is needed that it is still you',
  CROSS_SITE: 'Calls from other sites are refused',
  AUTH_CHECK_REFUSED: 'Checks are answered to the proxy alone',
  ORIGIN_NOT_ALLOWED: 'Pages of this origin may not send this',
  RIGHT_MISSING: 'A right is missing',
  PERSON_BLOCKED: 'This person is blocked',
  NOT_FOUND: 'Not found',
  METHOD_NOT_ALLOWED: 'The method is not allowed here',
  CONFLICT: 'This conflicts with what is stored',
  VERSION_CONFLICT: 'Somebody changed this meanwhile',
  EVENT_ID_USED: 'Something else was stored under this event id',
  FILE_IN_USE: 'The file is in use',
  FLAG_IN_USE: 'Others depend on this flag',
  REVIEW_REQUIRED: 'This change needs a review',
  LAST_ADMINISTRATOR: 'At least one person must keep the right to manage people',
  WINDOW_OVERLAPS: 'Another window is planned for that time',
  WINDOW_OVER: 'That window has ended',
  LINK_INVALID: 'The link is no longer valid',
  TOO_LARGE: 'The body is too large',
  STORAGE_FULL: 'There is no storage space left for files',
  UNSUPPORTED_MEDIA_TYPE: 'The media type is not supported',
  UNKNOWN_HOST: 'This host is not configured',
  IDEMPOTENCY_KEY_USED: 'Something else was created under this idempotency key',
  EMPTY_MESSAGE: 'A report needs a message',
  FIELDS_REQUIRED: 'Required fields are missing',
  INVALID_BODY: 'Some fields are not valid',
  TOO_MANY_REQUESTS: 'Too many requests',
  INTERNAL: 'Internal error',
  APPLICATION_DOWN: 'The application does not answer',
  APPLICATION_SLOW: 'The application did not answer in time',
  APPLICATION_MALFORMED: 'The application’s answer is malformed',
  MAP_SERVER_DOWN: 'The map server does not answer',
  MAP_SERVER_SLOW: 'The map server did not answer in time',
  MAP_SERVER_FAILED: 'The map server answered with an error',
  FILES_UNAVAILABLE: 'Files are not available now',
  UNAVAILABLE: 'Not available now',
  MAINTENANCE: 'Down for maintenance',
};

export type ProblemDetails = {
  detail?: string;
  errors?: FieldProblem[];
  /** Of SESSION_ENDED: why. */
  reason?: SessionEnd;
  /** Seconds; answered as `Retry-After`. */
  retryAfter?: number;
  headers?: Record<string, string>;
};

/** A domain error with a stable code; `serve` makes it `application/problem+json` (API-1). */
export class HttpProblem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    super(details.detail ?? titles[code]);
    this.name = 'HttpProblem';
    this.code = code;
    this.status = problemStatus[code];
    this.details = details;
  }
}

/** The body of a problem's answer (RFC 9457). */
export function problemBody(code: ProblemCode, details: ProblemDetails, requestId: string): Problem {
  return {
    type: `urn:portico:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title: titles[code],
    status: problemStatus[code],
    code,
    ...(details.detail === undefined ? {} : { detail: details.detail }),
    requestId,
    ...(details.errors === undefined ? {} : { errors: details.errors }),
    ...(details.reason === undefined ? {} : { reason: details.reason }),
  };
}

/** Returns the value; throws NOT_FOUND with this detail where it is null or undefined. */
export function orNotFound<T>(value: T | null | undefined, detail: string): T {
  if (value === null || value === undefined) throw new HttpProblem('NOT_FOUND', { detail });
  return value;
}

/** The detail of VERSION_CONFLICT where the caller needs no more than that. */
export const changedMeanwhile = 'Somebody changed this meanwhile. Look again, then repeat it.';

/** Throws VERSION_CONFLICT where a row has another version than `version`; null: not stored yet. */
export function refuseStale(row: { version: number } | null, version: number | null, detail?: string): void {
  if ((row?.version ?? null) !== version)
    throw new HttpProblem('VERSION_CONFLICT', detail === undefined ? {} : { detail });
}

/** Makes INVALID_BODY for one field; `pointer` is a JSON pointer into the body (RFC 6901). */
export function invalid(pointer: string, code: string, message: string): HttpProblem {
  return new HttpProblem('INVALID_BODY', { errors: [{ pointer, code, message }] });
}

/** Makes CONFLICT for a field whose value another row has; `message` is shown at the field. */
export function taken(pointer: string, detail: string, message = detail): HttpProblem {
  return new HttpProblem('CONFLICT', { detail, errors: [{ pointer, code: 'taken', message }] });
}
