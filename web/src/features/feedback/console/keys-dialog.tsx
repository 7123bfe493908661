import { reportStatus } from '@portico/contract/feedback';
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
  const statuses = reportStatus.options.map((status, index) => `${index + 1} ${word(status)}`).join(', ');
  const rows: readonly [keys: string[], does: string][] = [
    [['j', 'k', '↓', '↑'], t('REPORTS.KEYS.MOVE')],
    [['↵'], t('REPORTS.KEYS.ENTER')],
    [['Esc'], t('REPORTS.KEYS.BACK')],
    [['/'], t('REPORTS.KEYS.SEARCH')],
    [['p'], t('REPORTS.KEYS.PICTURE')],
    ...(mayWrite
      ? ([
          [['s'], t('REPORTS.KEYS.STATUS')],
          [['1', '7'], t('REPORTS.KEYS.SET', { statuses })],
        ] as const satisfies readonly [string[], string][])
      : []),
    [['?'], t('REPORTS.KEYS.HELP')],
  ];
  return (
    <Dialog open title={t('REPORTS.KEYS.TITLE')} closeLabel={t('COMMON.CLOSE')} onClose={onClose}>
      <dl className="inbox-keys">
        {rows.map(([keys, does]) => (
          <Fragment key={does}>
            <dt>
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && key === '7' ? ' … ' : ' '}
                  <kbd>{key}</kbd>
                </Fragment>
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
