import type { TFunction } from 'i18next';
import { feedbackLimits } from '#features/feedback/contract/feedback.ts';
import type { FieldProblem } from '#contract/problem.ts';
import { type Formats, waitIn } from '#web/platform/i18n/formats.ts';
import { type DraftField, draftFields } from './draft.ts';
import type { FeedbackProblem } from './feedback-state.ts';
import { isTransient } from './outbox.ts';
import type { FeedbackError } from './send-feedback.ts';

export const fieldTexts: Readonly<Record<DraftField, string>> = {
  email: 'FEEDBACK.EMAIL',
  name: 'FEEDBACK.NAME',
  message: 'FEEDBACK.DESCRIPTION',
};

type Words = { severity: 'high' | 'medium' | 'info'; text: string; details: readonly string[] };

/** The title and the details of a problem. */
export function problemWords(t: TFunction, formats: Formats, problem: FeedbackProblem): Words {
  switch (problem.kind) {
    case 'sent-before-edit':
      return { severity: 'info', text: t('FEEDBACK.SENT_BEFORE_EDIT'), details: [] };
    case 'mistakes': {
      const names = draftFields
        .filter((field) => problem.mistakes.missing.includes(field))
        .map((field) => t(fieldTexts[field]));
      return {
        severity: 'high',
        text: names.length === 0 ? '' : t('FEEDBACK.MISSING') + names.join(', '),
        details: [],
      };
    }
    case 'failure': {
      const { failure } = problem.error;
      return {
        severity: failure === 'undetermined' ? 'medium' : 'high',
        text: t(`FEEDBACK.FAILURES.${failure.toUpperCase()}`),
        details: failureDetails(t, formats, problem.error, problem.isDraft !== true),
      };
    }
  }
}

/** The lines under the message of a failure: the reason, if it is known, and what is still stored. */
export function failureDetails(
  t: TFunction,
  formats: Formats,
  error: FeedbackError,
  isRetried = true,
): readonly string[] {
  if (error.failure === 'undetermined') return [t('FEEDBACK.UNDER_WAY')];
  // The message itself names the field.
  if (error.failure === 'empty') return [t('FEEDBACK.KEPT')];
  return [
    ...new Set(reasonsOf(t, formats, error)),
    t('FEEDBACK.KEPT'),
    ...(isRetried && isTransient(error) && error.status !== 401 ? [t('FEEDBACK.WAITING.PASSING')] : []),
  ];
}

/** The server's answer in words: the message above is the same for most statuses and only guesses (BUG-4). */
function reasonsOf(t: TFunction, formats: Formats, error: FeedbackError): string[] {
  const { status = 0, code = '', retryAfter, hasPicture } = error;
  const reasons = error.errors.map((problem) => refusalWords(t, formats, problem));
  if (code === 'TOO_LARGE')
    reasons.push(hasPicture ? t('FEEDBACK.TOO_LARGE.PICTURE') : t('FEEDBACK.TOO_LARGE.TEXT'));
  if (code === 'STORAGE_FULL')
    reasons.push(hasPicture ? t('FEEDBACK.NO_ROOM.PICTURE') : t('FEEDBACK.NO_ROOM.TEXT'));
  if (status === 401) reasons.push(t('COMMON.ERRORS.SESSION_ENDED'));
  if (status === 429) reasons.push(t('FEEDBACK.TOO_MANY'));
  if (reasons.length === 0 && status > 0 && code !== 'ORIGIN_NOT_ALLOWED')
    reasons.push(troubleWords(t, status));
  if (retryAfter !== undefined)
    reasons.push(t('FEEDBACK.TRY_AGAIN_IN', { duration: waitIn(formats, retryAfter) }));
  return reasons;
}

function refusalWords(t: TFunction, formats: Formats, { pointer, code, message }: FieldProblem): string {
  const refused = (name: string, reason: string) => t('FEEDBACK.REFUSED', { field: name, reason });
  const [, part = ''] = pointer.split('/');
  if (part === 'attachments') return t('FEEDBACK.PICTURE_REFUSED');
  const field = draftFields.find((one): one is DraftField => one === part);
  if (field === undefined) return refused(part, message);
  const reason = code === 'too_big' ? 'TOO_LONG' : field === 'email' ? 'ADDRESS' : null;
  return refused(t(fieldTexts[field]), reason === null ? message : wrongWords(t, formats, reason));
}

/** What is wrong with the text of a field. */
export function wrongWords(t: TFunction, formats: Formats, wrong: 'ADDRESS' | 'TOO_LONG'): string {
  if (wrong === 'ADDRESS') return t('FEEDBACK.WRONG.ADDRESS');
  return t('FEEDBACK.WRONG.TOO_LONG', { most: formats.number(feedbackLimits.message) });
}

/** Why a report waits; `status` 0: no answer. */
export function troubleWords(t: TFunction, status: number): string {
  if (status === 0) return t('FEEDBACK.WAITING.NO_ANSWER');
  if (status === 401) return t('FEEDBACK.WAITING.SIGNED_OUT');
  if (status === 429) return t('FEEDBACK.WAITING.TOO_MANY');
  return t('FEEDBACK.WAITING.SERVER', { status });
}
