import type { TFunction } from 'i18next';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { isUnreachable, problemText } from '#web/platform/calls/problem-text.ts';
import type { Notification } from '#web/ui/notifications/notifications.ts';
import type { UpdateOutcome } from '../profile.ts';

/** The notification about a change of the profile, for every outcome (PRO-2). */
export function outcomeMessage(t: TFunction, outcome: UpdateOutcome): Notification {
  if (isRefused(outcome)) return { kind: 'info', key: 'profile', title: problemText(t, outcome.error) };
  if (outcome.status !== 'saved' && isUnreachable(outcome.error))
    return { kind: 'warning', key: 'profile', title: problemText(t, outcome.error) };
  return outcome.status === 'saved'
    ? { kind: 'success', key: 'profile', title: t('PROFILE.MESSAGES.SUCCESS_UPDATE') }
    : { kind: 'error', key: 'profile', title: t('COMMON.ERRORS.SERVER.CRITICAL_ERROR') };
}

/** Whether maintenance has refused the change, which is no error. */
export function isRefused(outcome: UpdateOutcome): outcome is UpdateOutcome & { error: unknown } {
  return outcome.status !== 'saved' && isProblem(outcome.error, 'MAINTENANCE');
}
