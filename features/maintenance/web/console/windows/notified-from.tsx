import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { useServerNow } from '../use-server-now.ts';
import { notifiedFrom } from './phase-at.ts';
import { shortTime } from './window-times.ts';

/** The time from which people are notified of a window. */
export function NotifiedFrom({ window }: { window: MaintenanceWindow }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useServerNow();
  const from = notifiedFrom(window);
  return from === null ? t('MAINTENANCE.CONSOLE.COLUMNS.NO_LEAD') : shortTime(formats, from, now);
}
