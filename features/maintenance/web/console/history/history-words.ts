import type { MaintenanceHistoryEntry } from '#features/maintenance/contract/windows.ts';
import type { PeopleNames } from '#features/people/contract/names.ts';
import type { TFunction } from 'i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import type { Formats } from '#web/platform/i18n/formats.ts';
import { namedActor } from '#web/platform/named-person.ts';
import { spanWords, withUtc } from '../windows/window-times.ts';

/** A history entry as a sentence: a person's action, or a phase that began. */
export function deedInWords(
  t: TFunction,
  formats: Formats,
  entry: MaintenanceHistoryEntry,
  names: PeopleNames,
): string {
  const { deed, phase, mode, text, endsAt } = entry;
  const title = entry.title ?? '';
  const name = entry.by === null ? t('MAINTENANCE.CONSOLE.HISTORY.SOMEBODY') : namedActor(t, entry.by, names);
  const end = endsAt === null ? '' : formats.dateTime(endsAt);
  switch (deed) {
    case 'phase':
      return t(`MAINTENANCE.CONSOLE.HISTORY.PHASES.${catalogueKey(phase ?? 'scheduled')}`, { title });
    case 'switched':
      return t(`MAINTENANCE.CONSOLE.HISTORY.SWITCHED.${catalogueKey(mode ?? 'off')}`, { name });
    case 'notice': {
      const alone = changedAlone(entry);
      if (alone === 'severity')
        return t('MAINTENANCE.CONSOLE.HISTORY.SEVERITY_CHANGED', {
          name,
          before: t(`MAINTENANCE.CONSOLE.HISTORY.SEVERITIES.${entry.before?.severity ?? 'HIGH'}`),
          after: t(`MAINTENANCE.CONSOLE.HISTORY.SEVERITIES.${entry.severity ?? 'HIGH'}`),
        });
      if (alone === 'end')
        return t('MAINTENANCE.CONSOLE.HISTORY.END_CHANGED', {
          name,
          before: endInWords(t, formats, entry.before?.endsAt ?? null),
          after: endInWords(t, formats, endsAt),
        });
      // While maintenance is on, the expected end may have changed as well as the text.
      if (mode !== null && mode !== 'off') return t('MAINTENANCE.CONSOLE.HISTORY.NOTICE_CHANGED', { name });
      return t(
        text === null || text === ''
          ? 'MAINTENANCE.CONSOLE.HISTORY.NOTICE_REMOVED'
          : 'MAINTENANCE.CONSOLE.HISTORY.NOTICE_PUBLISHED',
        { name },
      );
    }
    default:
      return t(`MAINTENANCE.CONSOLE.HISTORY.DEEDS.${catalogueKey(deed)}`, { name, title, end });
  }
}

/** The only field that a change of the notice has changed; null if it was several, or the text. */
function changedAlone({
  before,
  text,
  severity,
  endsAt,
}: MaintenanceHistoryEntry): 'severity' | 'end' | null {
  if (before === null || before.text !== text) return null;
  const [isGraver, isLater] = [before.severity !== severity, before.endsAt !== endsAt];
  if (isGraver === isLater) return null;
  return isGraver ? 'severity' : 'end';
}

function endInWords(t: TFunction, formats: Formats, end: number | null): string {
  return end === null ? t('MAINTENANCE.CONSOLE.HISTORY.NO_END') : formats.dateTime(end);
}

/**
 * The subject, where the sentence does not name it: the notice's text, or the times of the window afterwards.
 */
export function detailInWords(t: TFunction, formats: Formats, entry: MaintenanceHistoryEntry): string | null {
  const { deed, mode, text, startsAt, endsAt } = entry;
  if (deed === 'notice' || deed === 'switched') return text === null || text === '' ? null : text;
  if ((deed !== 'planned' && deed !== 'changed') || startsAt === null || endsAt === null) return null;
  const times = withUtc(t, spanWords(formats, startsAt, endsAt));
  return mode === null || mode === 'off'
    ? times
    : `${t(`MAINTENANCE.CONSOLE.WINDOW_MODES.${catalogueKey(mode)}.LABEL`)} · ${times}`;
}
