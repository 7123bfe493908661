import type { MaintenanceHistoryEntry } from '@portico/contract/maintenance-windows';
import type { TFunction } from 'i18next';
import { catalogueKey } from '../../../../platform/i18n/catalogue-key.ts';
import type { Formats } from '../../../../platform/i18n/formats.ts';
import { spanWords } from '../windows/window-times.ts';

/** What happened, as a sentence: who did what, or what time did. */
export function deedInWords(t: TFunction, formats: Formats, entry: MaintenanceHistoryEntry): string {
  const { deed, phase, mode, text, endsAt } = entry;
  const title = entry.title ?? '';
  const name = entry.by ?? t('MAINTENANCE.CONSOLE.HISTORY.SOMEBODY');
  const end = endsAt === null ? '' : formats.dateTime(endsAt);
  switch (deed) {
    case 'phase':
      return t(`MAINTENANCE.CONSOLE.HISTORY.PHASES.${catalogueKey(phase ?? 'scheduled')}`, { title });
    case 'switched':
      return t(`MAINTENANCE.CONSOLE.HISTORY.SWITCHED.${catalogueKey(mode ?? 'off')}`, { name });
    case 'notice':
      // While it is closed the expected end may have changed as well as the text.
      if (mode !== null && mode !== 'off') return t('MAINTENANCE.CONSOLE.HISTORY.NOTICE_CHANGED', { name });
      return t(
        text === null || text === ''
          ? 'MAINTENANCE.CONSOLE.HISTORY.NOTICE_REMOVED'
          : 'MAINTENANCE.CONSOLE.HISTORY.NOTICE_PUBLISHED',
        { name },
      );
    default:
      return t(`MAINTENANCE.CONSOLE.HISTORY.DEEDS.${catalogueKey(deed)}`, { name, title, end });
  }
}

/** What it was about, where the sentence does not say it: the notice's text, or how the window stood afterwards. */
export function detailInWords(t: TFunction, formats: Formats, entry: MaintenanceHistoryEntry): string | null {
  const { deed, mode, text, startsAt, endsAt } = entry;
  if (deed === 'notice' || deed === 'switched') return text === null || text === '' ? null : text;
  if ((deed !== 'planned' && deed !== 'changed') || startsAt === null || endsAt === null) return null;
  const { own, utc } = spanWords(formats, startsAt, endsAt);
  const times = utc === null ? own : t('MAINTENANCE.CONSOLE.WITH_UTC', { own, utc });
  return mode === null || mode === 'off'
    ? times
    : `${t(`MAINTENANCE.CONSOLE.WINDOW_MODES.${catalogueKey(mode)}.LABEL`)} · ${times}`;
}
