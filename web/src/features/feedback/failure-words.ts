import type { FieldProblem } from '@portico/contract/problem';
import { type DraftField, draftFields } from './draft.ts';
import type { FeedbackError } from './feedback-error.ts';
import type { FeedbackLabels } from './labels.ts';
import { isTransient } from './outbox.ts';

/** The lines under the message of a failure: the reason, as far as it is known, and what is safe. */
export function failureDetails(labels: FeedbackLabels, error: FeedbackError): readonly string[] {
  if (error.failure === 'undetermined') return [labels.underWay];
  // The message itself names the field.
  if (error.failure === 'empty') return [labels.stored];
  const reasons = error.errors.map((problem) => refusalWords(labels, problem));
  if (error.failure === 'too-large') reasons.push(labels.tooLarge);
  if (error.failure === 'no-room') reasons.push(labels.noSpace);
  if (error.status === 401) reasons.push(labels.sessionEnded);
  if (error.retryAfter !== undefined) reasons.push(labels.tryAgainIn(error.retryAfter));
  return [
    ...new Set(reasons),
    labels.stored,
    ...(isTransient(error) && error.status !== 401 ? [labels.waiting.passing] : []),
  ];
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
