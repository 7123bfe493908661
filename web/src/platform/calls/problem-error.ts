import type { FieldProblem, ProblemCode } from '#contract/problem.ts';

/**
 * Why a call gave no answer. `status` 0 is no usable answer at all (`code` `NETWORK`): offline, refused,
 * timed out, or a proxy that answered instead of Portico. Otherwise it holds the server's problem (RFC 9457),
 * with the code `UNKNOWN` where the body was no problem.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  readonly code: ProblemCode | 'NETWORK' | 'UNKNOWN' | (string & {});
  readonly detail: string | undefined;
  /** Wrong fields, by JSON pointer; empty where the problem names none. */
  readonly errors: readonly FieldProblem[];
  /** The id of the request in the server's log. */
  readonly requestId: string | undefined;
  /** Milliseconds that the server asks the client to wait; undefined: it does not ask. */
  readonly retryAfter: number | undefined;
  /** The reason of SESSION_ENDED, if the server gave one. */
  readonly reason: string | undefined;

  constructor(
    problem: {
      status: number;
      code: string;
      title: string;
      detail?: string | undefined;
      errors?: readonly FieldProblem[] | undefined;
      requestId?: string | undefined;
      retryAfter?: number | undefined;
      reason?: string | undefined;
    },
    options?: ErrorOptions,
  ) {
    super(`${problem.code}: ${problem.title}`, options);
    this.status = problem.status;
    this.code = problem.code;
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId;
    this.retryAfter = problem.retryAfter;
    this.reason = problem.reason;
  }
}

/** Whether an error is a problem of that code. */
export function isProblem(
  error: unknown,
  ...codes: (ProblemCode | 'NETWORK' | 'UNKNOWN')[]
): error is ProblemError {
  return error instanceof ProblemError && (codes as string[]).includes(error.code);
}

/** The error for a call that got no usable answer. */
export function networkProblem(cause: unknown): ProblemError {
  return new ProblemError({ status: 0, code: 'NETWORK', title: 'The server did not answer.' }, { cause });
}

/** The error for an ended session; created here when a request to the server would be useless. */
export function sessionEndedProblem(): ProblemError {
  return new ProblemError({ status: 401, code: 'SESSION_ENDED', title: 'The session has ended.' });
}
