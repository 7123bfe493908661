import { reportStatus } from '@portico/contract/feedback/own-reports';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../ui/dialog.tsx';
import { Switch } from '../../../ui/text-input.tsx';
import { useStatusWord } from '../report/report-status-tag.tsx';

type KeysDialogProps = {
  mayWrite: boolean;
  letters: boolean;
  onLetters: (on: boolean) => void;
  onClose: () => void;
};

type Row = readonly [keys: readonly string[], does: ReactNode];

/** The keys of the inbox, and the switch for those that are single letters (WCAG 2.1.4). */
export function KeysDialog({ mayWrite, letters, onLetters, onClose }: KeysDialogProps) {
  const { t } = useTranslation();
  const reading: readonly Row[] = [
    [['j', 'k', '↓', '↑'], t('REPORTS.KEYS.MOVE')],
    [['↵'], t('REPORTS.KEYS.ENTER')],
    [['Esc'], t('REPORTS.KEYS.BACK')],
    [['/'], t('REPORTS.KEYS.SEARCH')],
    [['p'], t('REPORTS.KEYS.PICTURE')],
    [['?'], t('REPORTS.KEYS.HELP')],
  ];
  const writing: readonly Row[] = [
    [['r'], t('REPORTS.KEYS.REPLY')],
    [['n'], t('REPORTS.KEYS.NOTE')],
    [['Ctrl/⌘ ↵'], t('REPORTS.KEYS.SEND')],
    [['Ctrl/⌘ ⇧ ↵'], t('REPORTS.KEYS.SEND_RESOLVE')],
    [['a'], t('REPORTS.KEYS.ASSIGN')],
    [['l'], t('REPORTS.KEYS.LABEL')],
    [['d'], t('REPORTS.KEYS.DUPLICATE')],
    [['e'], t('REPORTS.KEYS.RESOLVE')],
    [['s'], t('REPORTS.KEYS.STATUS')],
    [[`1 … ${reportStatus.options.length}`], <StatusKeys key="statuses" />],
    [['x', '⇧ x'], t('REPORTS.KEYS.SELECT')],
    [['z'], t('REPORTS.KEYS.UNDO')],
  ];
  return (
    <Dialog open title={t('REPORTS.KEYS.TITLE')} closeLabel={t('COMMON.CLOSE')} onClose={onClose}>
      <dl className="inbox-keys">
        {[...reading, ...(mayWrite ? writing : [])].map(([keys, does]) => (
          <Fragment key={keys.join(' ')}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </Fragment>
        ))}
      </dl>
      <div className="section section-divided">
        <Switch label={t('REPORTS.KEYS.LETTERS')} checked={letters} onChecked={onLetters} />
        <p className="muted">{t('REPORTS.KEYS.LETTERS_HINT')}</p>
      </div>
    </Dialog>
  );
}

/** The statuses, each with the digit that sets it. */
function StatusKeys() {
  const { t } = useTranslation();
  const word = useStatusWord();
  return (
    <>
      {t('REPORTS.KEYS.SET')}
      <ul className="inbox-keys-statuses">
        {reportStatus.options.map((status, index) => (
          <li key={status}>
            <kbd>{index + 1}</kbd>
            <span>{word(status)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
