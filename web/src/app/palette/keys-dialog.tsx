import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { type KeySection, letterKeys, setLetterKeys } from '../../platform/keys/keys.ts';
import { useStore } from '../../platform/state/use-store.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Key } from '../../ui/key.tsx';
import { Switch } from '../../ui/text-input.tsx';
import { paletteChord } from './shortcut-keys.ts';
import { useNamedScreens } from './use-screens.tsx';
import './palette.css';

type KeysDialogProps = {
  /** The keys of the screen. */
  sections: readonly KeySection[];
  onClose: () => void;
};

/** All keys: of the screen, everywhere, and in lists; with the switch for single letters (WCAG 2.1.4). */
export function KeysDialog({ sections, onClose }: KeysDialogProps) {
  const { t } = useTranslation();
  const letters = useStore(letterKeys);
  const everywhere: KeySection = {
    title: t('PALETTE.KEYS.EVERYWHERE'),
    rows: [
      [[paletteChord.shown], t('SHELL.FIND')],
      [['/'], t('PALETTE.KEYS.SEARCH')],
      [['?'], t('PALETTE.KEYS.HELP')],
      [['z'], t('PALETTE.KEYS.UNDO')],
    ],
  };
  const lists: KeySection = {
    title: t('PALETTE.KEYS.LISTS'),
    rows: [
      [['↓', '↑'], t('PALETTE.KEYS.ROWS')],
      [['→', '←'], t('PALETTE.KEYS.IN_ROW')],
      [['↵'], t('PALETTE.KEYS.ENTER')],
    ],
  };
  const screens: KeySection = {
    title: t('PALETTE.GO_TO'),
    rows: useNamedScreens().flatMap(({ letter, name }) =>
      letter === undefined ? [] : [[['g', letter], name] as const],
    ),
  };
  return (
    <Dialog kind="wide" title={t('SHELL.ACCOUNT.KEYS')} onClose={onClose}>
      <div className="keys" tabIndex={-1} data-autofocus="">
        {[...sections, everywhere, lists, screens].map(({ title, rows }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {rows.map(([keys, does]) => (
                <Fragment key={keys.join(' ')}>
                  <dt>
                    {keys.map((key) => (
                      <Key key={key} name={key} />
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="section section-divided">
        <Switch label={t('PALETTE.KEYS.LETTERS')} checked={letters} onChecked={setLetterKeys} />
        <p className="muted">{t('PALETTE.KEYS.LETTERS_HINT', { keys: paletteChord.shown })}</p>
      </div>
    </Dialog>
  );
}
