import type { TFunction } from 'i18next';
import type { Notification } from '../../../ui/notifications/notifications.ts';
import type { UpdateOutcome } from '../profile.ts';

/** What is told about a change of the profile, whatever came of it (PRO-2). */
export function outcomeMessage(t: TFunction, { status }: UpdateOutcome): Notification {
  return status === 'saved'
    ? { kind: 'success', key: 'profile', title: t('PROFILE.MESSAGES.SUCCESS_UPDATE') }
    : { kind: 'error', key: 'profile', title: t('COMMON.ERRORS.SERVER.CRITICAL_ERROR') };
}
