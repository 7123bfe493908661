import type { OwnSession } from '@portico/contract/session/own-sessions';
import type { TFunction } from 'i18next';

/** The name of a session: browser and system, as far as they are known. */
export function sessionName(
  t: TFunction,
  { browser, system }: Pick<OwnSession, 'browser' | 'system'>,
): string {
  if (browser !== null && system !== null) return t('PEOPLE.SESSIONS.NAME', { browser, system });
  return browser ?? system ?? t('PEOPLE.SESSIONS.UNKNOWN');
}
