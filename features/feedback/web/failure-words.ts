import type { FieldProblem } from '#contract/problem.ts';
import { type DraftField, draftFields } from './draft.ts';
import type { FeedbackError } from './feedback-error.ts';
import type { FeedbackLabels } from './labels.ts';
import { isTransient } from './outbox.ts';

/** The lines under the message of a failure: the reason, as far as it is known, and what is safe. */
export function failureDetails(
  labels: FeedbackLabels,
  error: FeedbackError,
  isRetried = true,
): readonly string[] {
  if (error.failure === 'undetermined') return [labels.underWay];
  // The message itself names the field.
  if (error.failure === 'empty') return [labels.stored];
  return [
    ...new Set(reasonsOf(labels, error)),
    labels.stored,
    ...(isRetried && isTransient(error) && error.status !== 401 ? [labels.waiting.passing] : []),
  ];
}

/** What the server has answered: the message above it is the same for most statuses, and guesses (BUG-4). */
function reasonsOf(labels: FeedbackLabels, error: FeedbackError): string[] {
  const { status = 0, code = '', retryAfter, hasPicture } = error;
  const reasons = error.errors.map((problem) => refusalWords(labels, problem));
  if (code === 'TOO_LARGE') reasons.push(hasPicture ? labels.tooLarge.picture : labels.tooLarge.text);
  if (code === 'STORAGE_FULL') reasons.push(hasPicture ? labels.noSpace.picture : labels.noSpace.text);
  if (status === 401) reasons.push(labels.sessionEnded);
  if (status === 429) reasons.push(labels.tooMany);
  if (reasons.length === 0 && status > 0 && code !== 'ORIGIN_NOT_ALLOWED')
    reasons.push(labels.waiting.trouble({ status, code }));
  if (retryAfter !== undefined) reasons.push(labels.tryAgainIn(retryAfter));
  return reasons;
}

function refusalWords(labels: FeedbackLabels, { pointer, code, message }: FieldProblem): string {
  const [, part = ''] = pointer.split('/');
  if (part === 'attachments') return labels.pictureRefused;
  const field = draftFields.find((one): one is DraftField => one === part);
  if (field === undefined) return labels.refused(part, message);
  if (code === 'too_big') return labels.refused(labels[field], labels.wrong.TOO_LONG);
  return field === 'email'
    ? labels.refused(labels.email, labels.wrong.ADDRESS)
    : labels.refused(labels[field], message);
}
