import { reportStatus } from '#features/feedback/contract/own-reports.ts';
import { useTranslation } from 'react-i18next';
import { useCan } from '#web/platform/contexts.tsx';
import type { KeyRow } from '#web/platform/keys/screen-keys.ts';
import { Key } from '#web/ui/key.tsx';
import { useStatusWord } from '../report/report-status-tag.tsx';

/** The keys of the inbox, for the list of all keys. */
export function useInboxKeyRows(): () => readonly KeyRow[] {
  const { t } = useTranslation();
  const mayWrite = useCan()('REPORTS_WRITE');
  const word = useStatusWord();
  const statuses = (
    <>
      {t('REPORTS.KEYS.SET')}
      <ul className="row wrap gap-1-3 above-1">
        {reportStatus.options.map((status, index) => (
          <li key={status} className="flex gap-1">
            <Key name={String(index + 1)} />
            <span>{word(status)}</span>
          </li>
        ))}
      </ul>
    </>
  );
  const reading: readonly KeyRow[] = [
    [['j', 'k', '↓', '↑'], t('REPORTS.KEYS.MOVE')],
    [['↵'], t('REPORTS.KEYS.ENTER')],
    [['Esc'], t('REPORTS.KEYS.BACK')],
  ];
  const writing: readonly KeyRow[] = [
    [['r'], t('REPORTS.KEYS.REPLY')],
    [['n'], t('REPORTS.KEYS.NOTE')],
    [['Ctrl/⌘ ↵'], t('REPORTS.KEYS.SEND')],
    [['Ctrl/⌘ ⇧ ↵'], t('REPORTS.KEYS.SEND_RESOLVE')],
    [['a'], t('REPORTS.KEYS.ASSIGN')],
    [['l'], t('REPORTS.KEYS.LABEL')],
    [['d'], t('REPORTS.KEYS.DUPLICATE')],
    [['h'], t('REPORTS.KEYS.SNOOZE')],
    [['e'], t('REPORTS.KEYS.RESOLVE')],
    [['s'], t('REPORTS.KEYS.STATUS')],
    [[`1 … ${reportStatus.options.length}`], statuses],
    [['x', '⇧ x'], t('REPORTS.KEYS.SELECT')],
    [['z'], t('REPORTS.KEYS.UNDO')],
  ];
  return () => [...reading, ...(mayWrite ? writing : []), [['p'], t('REPORTS.KEYS.PICTURE')]];
}
