import { emptyMessage } from '#features/feedback/contract/feedback.ts';
import type { FieldProblem } from '#contract/problem.ts';
import { isProblem, ProblemError } from '#web/platform/calls/problem-error.ts';
import { type DraftField, draftFields } from './draft.ts';

/**
 * Why a report was not sent, or is not known to be. `undetermined`: no answer within 5000 ms. `network`:
 * status 0, no answer at all. `domain`: 403. `other`: any other status (BUG-4).
 */
export type FeedbackFailure = 'empty' | 'undetermined' | 'network' | 'domain' | 'other';

/** The messages for the code that catches one; people see the labels, in their language. */
export const failureMessages: Record<FeedbackFailure, string> = {
  empty: emptyMessage,
  undetermined: 'Unable to determine if Feedback was correctly sent.',
  network:
    'Unable to send Feedback. This is because of network issues, or because you are using an ad-blocker.',
  domain:
    'Unable to send Feedback. This could be because this domain is not in your list of allowed domains.',
  other:
    'Unable to send Feedback. This could be because of network issues, or because you are using an ad-blocker.',
};

export class FeedbackError extends Error {
  override readonly name = 'FeedbackError';
  readonly failure: FeedbackFailure;
  /** Of the answer; 0: there was none; undefined: nothing was sent, or the outcome is not known yet. */
  readonly status: number | undefined;
  /** The server's code, such as `TOO_MANY_REQUESTS`. */
  readonly code: string | undefined;
  /** What the server finds wrong, by JSON pointer into the report. */
  readonly errors: readonly FieldProblem[];
  /** Milliseconds that the server asks to wait, if it does. */
  readonly retryAfter: number | undefined;
  /** Whether the report had a picture. */
  readonly hasPicture: boolean;

  constructor(failure: FeedbackFailure, cause?: unknown, hasPicture = false) {
    super(failureMessages[failure], cause === undefined ? undefined : { cause });
    const problem = cause instanceof ProblemError ? cause : undefined;
    this.failure = failure;
    this.status = problem?.status;
    this.code = problem?.code;
    this.errors = problem?.errors ?? [];
    this.retryAfter = problem?.retryAfter;
    this.hasPicture = hasPicture;
  }
}

/** The error of a report whose call has failed (BUG-4). */
export function sendingError(error: unknown, hasPicture = false): FeedbackError {
  if (error instanceof FeedbackError) return error;
  const status = error instanceof ProblemError ? error.status : undefined;
  if (status === 0) return new FeedbackError('network', error, hasPicture);
  if (isProblem(error, 'EMPTY_MESSAGE')) return new FeedbackError('empty', error, hasPicture);
  return new FeedbackError(status === 403 ? 'domain' : 'other', error, hasPicture);
}

/** The missing fields for which the server refused a report, in the order of the form. */
export function missingFields({ code, errors }: FeedbackError): DraftField[] {
  if (code !== 'FIELDS_REQUIRED') return [];
  return draftFields.filter((field) => errors.some(({ pointer }) => pointer === `/${field}`));
}
