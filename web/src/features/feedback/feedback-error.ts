import { emptyMessage } from '@portico/contract/feedback';
import type { FieldProblem } from '@portico/contract/problem';
import { isProblem, ProblemError } from '../../platform/calls/problem-error.ts';
import { type DraftField, draftFields } from './draft.ts';

/**
 * Why a report was not sent, or is not known to be. `undetermined`: no answer within 5000 ms. `network`:
 * status 0, no answer at all. `domain`: 403. `too-large`: the server, or a proxy in front of it, takes no
 * report of this size. `no-room`: the server has no space for its picture.
 */
export type FeedbackFailure =
  | 'empty'
  | 'undetermined'
  | 'network'
  | 'domain'
  | 'too-large'
  | 'no-room'
  | 'other';

/** The message for the code that catches it; people see the labels, in their language. */
const otherMessage =
  'Unable to send Feedback. This could be because of network issues, or because you are using an ad-blocker.';

export const failureMessages: Record<FeedbackFailure, string> = {
  empty: emptyMessage,
  undetermined: 'Unable to determine if Feedback was correctly sent.',
  network:
    'Unable to send Feedback. This is because of network issues, or because you are using an ad-blocker.',
  domain:
    'Unable to send Feedback. This could be because this domain is not in your list of allowed domains.',
  // BUG-4 has one message for all other statuses; the form shows more.
  'too-large': otherMessage,
  'no-room': otherMessage,
  other: otherMessage,
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

  constructor(failure: FeedbackFailure, cause?: unknown) {
    super(failureMessages[failure], cause === undefined ? undefined : { cause });
    const problem = cause instanceof ProblemError ? cause : undefined;
    this.failure = failure;
    this.status = problem?.status;
    this.code = problem?.code;
    this.errors = problem?.errors ?? [];
    this.retryAfter = problem?.retryAfter;
  }
}

/** The error of a report whose call has failed (BUG-4). */
export function sendingError(error: unknown): FeedbackError {
  if (error instanceof FeedbackError) return error;
  const status = error instanceof ProblemError ? error.status : undefined;
  if (status === 0) return new FeedbackError('network', error);
  if (isProblem(error, 'EMPTY_MESSAGE')) return new FeedbackError('empty', error);
  if (isProblem(error, 'TOO_LARGE')) return new FeedbackError('too-large', error);
  if (isProblem(error, 'STORAGE_FULL')) return new FeedbackError('no-room', error);
  return new FeedbackError(status === 403 ? 'domain' : 'other', error);
}

/** The missing fields for which the server refused a report, in the order of the form. */
export function missingFields({ code, errors }: FeedbackError): DraftField[] {
  if (code !== 'FIELDS_REQUIRED') return [];
  return draftFields.filter((field) => errors.some(({ pointer }) => pointer === `/${field}`));
}
