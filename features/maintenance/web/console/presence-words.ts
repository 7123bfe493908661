import type { Presence } from '#features/presence/contract/presence.ts';
import type { TFunction } from 'i18next';

/** `12 people are working now, in 15 tabs, 3 with unsaved work.` */
export function presenceInWords(t: TFunction, { people, tabs, unsaved }: Presence): string {
  if (people === 0) return t('MAINTENANCE.CONSOLE.PRESENCE.NOBODY');
  return t('MAINTENANCE.CONSOLE.PRESENCE.WORDS', {
    people: t('MAINTENANCE.CONSOLE.PRESENCE.PEOPLE', { count: people }),
    tabs: t('MAINTENANCE.CONSOLE.PRESENCE.TABS', { count: tabs }),
    unsaved:
      unsaved === 0
        ? t('MAINTENANCE.CONSOLE.PRESENCE.NONE_UNSAVED')
        : t('MAINTENANCE.CONSOLE.PRESENCE.UNSAVED', { count: unsaved }),
  });
}
