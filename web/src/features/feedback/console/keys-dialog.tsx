import { reportStatus } from '@portico/contract/feedback/own-reports';
import { Fragment } from 'react';
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

/** The keys of the inbox, and the switch for those that are single letters (WCAG 2.1.4). */
export function KeysDialog({ mayWrite, letters, onLetters, onClose }: KeysDialogProps) {
  const { t } = useTranslation();
  const word = useStatusWord();
  const rows: readonly [keys: readonly string[], does: string][] = [
    [['j', 'k', '↓', '↑'], t('REPORTS.KEYS.MOVE')],
    [['↵'], t('REPORTS.KEYS.ENTER')],
    [['Esc'], t('REPORTS.KEYS.BACK')],
    [['/'], t('REPORTS.KEYS.SEARCH')],
    [['p'], t('REPORTS.KEYS.PICTURE')],
    [['?'], t('REPORTS.KEYS.HELP')],
  ];
  return (
    <Dialog open title={t('REPORTS.KEYS.TITLE')} closeLabel={t('COMMON.CLOSE')} onClose={onClose}>
      <dl className="inbox-keys">
        {rows.map(([keys, does]) => (
          <Fragment key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </Fragment>
        ))}
        {mayWrite ? (
          <>
            <dt>
              <kbd>{'s'}</kbd>
            </dt>
            <dd>{t('REPORTS.KEYS.STATUS')}</dd>
            <dt>
              <kbd>{'1'}</kbd>
              {'…'}
              <kbd>{reportStatus.options.length}</kbd>
            </dt>
            <dd>
              {t('REPORTS.KEYS.SET')}
              <ul className="inbox-keys-statuses">
                {reportStatus.options.map((status, index) => (
                  <li key={status}>
                    <kbd>{index + 1}</kbd>
                    <span>{word(status)}</span>
                  </li>
                ))}
              </ul>
            </dd>
          </>
        ) : null}
      </dl>
      <div className="section section-divided">
        <Switch label={t('REPORTS.KEYS.LETTERS')} checked={letters} onChecked={onLetters} />
        <p className="muted">{t('REPORTS.KEYS.LETTERS_HINT')}</p>
      </div>
    </Dialog>
  );
}
