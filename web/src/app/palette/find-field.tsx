import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icon.tsx';
import { Key } from '../../ui/key.tsx';
import { paletteChord } from './palette-chord.ts';
import { Shortcuts } from './shortcuts.tsx';
import './find-field.css';

/** The field of the top bar that opens the command palette, and the keys that work on every screen. */
export function FindField() {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  return (
    <>
      <button
        type="button"
        className="find-field"
        aria-haspopup="dialog"
        aria-keyshortcuts={paletteChord.aria}
        title={t('SHELL.FIND')}
        onClick={() => setAsked(true)}
      >
        <Icon name="search" />
        <span className="find-field-text">{t('SHELL.FIND')}</span>
        <span className="find-field-keys" aria-hidden="true">
          <Key name={paletteChord.shown} />
        </span>
      </button>
      <Shortcuts asked={asked} onAsked={setAsked} />
    </>
  );
}
