import type { TFunction } from 'i18next';
import { catalogueKey } from '../../platform/i18n/catalogue-key.ts';
import { isProblem } from '../../platform/problem-error.ts';
import { problemText } from '../../platform/problem-text.ts';

export type WebhookProblems = { url?: string; description?: string; general?: string };

const ofTheAddress = new Set(['scheme', 'credentials', 'forbidden-address', 'too_big']);

/** Puts what the server says beside the fields; the rest concerns the whole. */
export function webhookProblems(t: TFunction, error: unknown): WebhookProblems {
  if (error === null) return {};
  if (isProblem(error, 'VERSION_CONFLICT')) return { general: t('WEBHOOKS.ERRORS.CONFLICT') };
  if (isProblem(error, 'CONFLICT')) return { general: t('WEBHOOKS.ERRORS.TOO_MANY') };
  if (!isProblem(error, 'INVALID_BODY')) return { general: problemText(t, error) };
  const problems: WebhookProblems = {};
  for (const { pointer, code } of error.errors) {
    if (pointer === '/url') {
      problems.url = t(`WEBHOOKS.ERRORS.URL.${ofTheAddress.has(code) ? catalogueKey(code) : 'FORMAT'}`);
    } else if (pointer === '/description') problems.description = t('WEBHOOKS.ERRORS.DESCRIPTION');
    else problems.general = problemText(t, error);
  }
  return problems;
}

/** What hinders a message from being sent; where it was turned off meanwhile the list says so too. */
export function sendingProblem(t: TFunction, error: unknown): string {
  return isProblem(error, 'CONFLICT') ? t('WEBHOOKS.IS_OFF') : problemText(t, error);
}
