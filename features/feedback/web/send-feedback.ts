import {
  emptyMessage,
  saveFeedback as saveFeedbackRoute,
  type SentReport,
} from '#features/feedback/contract/feedback.ts';
import type { FieldProblem } from '#contract/problem.ts';
import type { AnswerOf } from '#contract/route.ts';
import { isBlank } from '#contract/text.ts';
import type { Api, OnProgress } from '#web/platform/calls/call.ts';
import { isProblem, ProblemError } from '#web/platform/calls/problem-error.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { ErrorRecord } from '#web/platform/record-error.ts';
import { type Draft, type DraftField, draftFields } from './draft.ts';
import { base64Of } from './picture.ts';

/** A report that the server has stored on disk. */
type SavedReport = AnswerOf<typeof saveFeedbackRoute>;

const confirmationTimeout = 5000;
/** Milliseconds until the wait for an answer ends; a picture may take long on a slow line. */
const timeout = 180_000;

/**
 * Why a report was not sent, or is not known to be sent. `undetermined`: no answer within 5000 ms. `network`:
 * status 0, no answer at all. `domain`: 403. `other`: any other status (BUG-4).
 */
export type FeedbackFailure = 'empty' | 'undetermined' | 'network' | 'domain' | 'other';

/** The messages for code that catches a `FeedbackError`; people see translated labels instead. */
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
  /** The status of the answer; 0: no answer; undefined: nothing was sent, or the outcome is not known yet. */
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

export type SendingDependencies = {
  api: Pick<Api, 'call'>;
  clock: Clock;
  errors: Pick<ErrorRecord, 'record'>;
  /** Added to every report of the form. */
  options?: { tags?: Record<string, string> };
};

/**
 * Sends a report, trimmed, and waits for the answer for three minutes at most.
 *
 * @param call `asPerson`: sent as the signed-in person, or not at all
 * @throws FeedbackError
 */
async function deliver(
  { api }: Pick<SendingDependencies, 'api'>,
  report: SentReport,
  call: { asPerson?: boolean; onProgress?: OnProgress } = {},
): Promise<SavedReport> {
  const { message, name = '', email = '', attachments = [] } = report;
  const body = { ...report, message: message.trim(), name: name.trim(), email: email.trim() };
  if (isBlank(message)) throw new FeedbackError('empty');
  try {
    return await api.call(saveFeedbackRoute, { body }, { timeout, ...call });
  } catch (error) {
    throw sendingError(error, attachments.length > 0);
  }
}

/** Sends a draft and waits for its outcome, longer than 5000 ms if needed. Rejects with a FeedbackError. */
export async function deliverDraft(
  dependencies: SendingDependencies,
  draft: Draft,
  asPerson: boolean,
  onProgress?: (progress: number) => void,
): Promise<void> {
  const { email, name, message, eventId, picture, sentAlong } = draft;
  const tags = dependencies.options?.tags ?? {};
  const words: SentReport = { email, name, message, eventId, source: 'widget', tags, ...sentAlong };
  try {
    if (picture === null) await deliver(dependencies, words, { asPerson });
    else {
      const { blob, filename } = picture;
      const attachments = [{ data: await base64Of(blob), filename, contentType: 'image/png' }];
      await deliver(
        dependencies,
        { ...words, attachments },
        { asPerson, onProgress: (sent, total) => onProgress?.(total === 0 ? 0 : sent / total) },
      );
    }
  } catch (error) {
    // The id is used already: another tab has sent the same draft with other data, so it counts as sent.
    if (sendingError(error).code !== 'EVENT_ID_USED') throw error;
  }
}

/**
 * Settles as `outcome` does, or after 5000 ms rejects with `undetermined`. The request goes on (BUG-4).
 */
export function withinTimeout<T>(clock: Clock, outcome: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(confirmationTimeout, () => reject(new FeedbackError('undetermined')));
    outcome.then(resolve, reject).finally(cancel);
  });
}

/**
 * Sends a report from code.
 *
 * @throws FeedbackError with the status of the answer; `undetermined` after 5000 ms, while the request goes on
 */
export function sendFeedback(dependencies: SendingDependencies, report: SentReport): Promise<SavedReport> {
  return withinTimeout(dependencies.clock, deliver(dependencies, report));
}

/** Sends a report from code. A failure is recorded, and null returned. */
export async function saveFeedback(
  dependencies: SendingDependencies,
  report: SentReport,
): Promise<SavedReport | null> {
  try {
    return await deliver(dependencies, report);
  } catch (error) {
    dependencies.errors.record('feedback.save', error);
    return null;
  }
}
