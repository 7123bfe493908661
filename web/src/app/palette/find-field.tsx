import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useNavigate } from '@tanstack/react-router';
import { mayUse } from '../../feature.ts';
import { useCan } from '../../platform/contexts.tsx';
import {
  keysAsked,
  type KeySection,
  letterKeys,
  screenKeys,
  takesLetters,
} from '../../platform/keys/keys.ts';
import { Icon } from '../../ui/icon.tsx';
import { Key } from '../../ui/key.tsx';
import { uppermostModal } from '../../ui/modal-stack.ts';
import { lastUndo } from '../../ui/notifications/notifications.ts';
import { useApp } from '../app-context.tsx';
import { lazyScreen, useOpenDialog } from '../screens/lazy-screen.tsx';
import { paletteChord, type Shortcut, shortcutOf } from './shortcut-keys.ts';
import './find-field.css';

const Palette = lazyScreen(async () => (await import('./palette.tsx')).Palette, 'PALETTE');
const KeysDialog = lazyScreen(async () => (await import('./keys-dialog.tsx')).KeysDialog, 'PALETTE');

/** Milliseconds within which a letter has to follow `g`. */
const letterWithin = 1500;

type Shown =
  | { what: 'palette'; typed: string; here: readonly KeySection[] }
  | { what: 'keys'; sections: readonly KeySection[] };

/** The field of the top bar that opens the command palette, and the keys that work on every screen. */
export function FindField() {
  const { t } = useTranslation();
  const openDialog = useOpenDialog();
  const [shown, setShown] = useState<Shown | null>(null);
  /** The letters that are typed while the palette is being downloaded; null: no download is under way. */
  const ahead = useRef<string | null>(null);

  async function open(what: Shown['what']): Promise<void> {
    if (ahead.current !== null) return;
    ahead.current = '';
    await openDialog(what === 'palette' ? Palette : KeysDialog, () => {
      const all = screenKeys.get();
      const sectionsOf = (some: typeof all) =>
        some.map(({ title, rows }) => ({ title: title(), rows: rows() }));
      const next: Shown =
        what === 'palette'
          ? {
              what,
              typed: ahead.current ?? '',
              here: letterKeys.get() ? sectionsOf(all.filter((one) => one.isReady())) : [],
            }
          : { what, sections: sectionsOf(all) };
      // Rendered synchronously, so that no key is lost between the letters typed ahead and the field.
      flushSync(() => setShown(next));
    });
    ahead.current = null;
  }

  function typeAhead(letter: string): boolean {
    if (ahead.current === null) return false;
    ahead.current += letter;
    return true;
  }

  const close = () => setShown(null);

  useGlobalKeys(typeAhead, shown?.what === 'palette', close, (what) => void open(what));
  const openNow = useEffectEvent((what: Shown['what']) => void open(what));
  useEffect(() => keysAsked.subscribe(() => setTimeout(() => openNow('keys'))), []);

  return (
    <>
      <button
        type="button"
        className="find-field rounded full row muted"
        aria-haspopup="dialog"
        aria-keyshortcuts={paletteChord.aria}
        title={t('SHELL.FIND')}
        onClick={() => void open('palette')}
      >
        <Icon name="search" />
        <span className="find-field-text cut">{t('SHELL.FIND')}</span>
        <span className="find-field-keys end" aria-hidden="true">
          <Key name={paletteChord.shown} />
        </span>
      </button>
      {shown === null ? null : shown.what === 'palette' ? (
        <Palette typed={shown.typed} here={shown.here} onClose={close} />
      ) : (
        <KeysDialog sections={shown.sections} onClose={close} />
      )}
    </>
  );
}

/**
 * Handles the keys before the screens do, so that the screen does not handle the letter after `g` too. While a
 * dialog is open these keys do nothing.
 */
function useGlobalKeys(
  /** Stores a letter that is typed while the palette is being downloaded; returns whether it did. */
  typeAhead: (letter: string) => boolean,
  isPaletteOpen: boolean,
  close: () => void,
  open: (what: Shown['what']) => void,
): void {
  const { screens } = useApp();
  const can = useCan();
  const navigate = useNavigate();
  const waitingSince = useRef(Number.NEGATIVE_INFINITY);

  function act(shortcut: Shortcut): void {
    switch (shortcut.do) {
      case 'palette':
        return isPaletteOpen ? close() : open('palette');
      case 'help':
        return open('keys');
      case 'search':
        return focusSearch() ? undefined : open('palette');
      case 'undo':
        return lastUndo()?.();
      case 'wait-for-letter':
        waitingSince.current = performance.now();
        return undefined;
      case 'go': {
        const screen = screens.find(({ letter }) => letter === shortcut.letter);
        if (screen !== undefined && mayUse(screen, can)) void navigate({ to: screen.path });
        return undefined;
      }
    }
  }

  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && typeAhead(event.key)) {
      event.preventDefault();
      return;
    }
    const shortcut = shortcutOf(event, {
      chord: paletteChord.modifier,
      typing: takesLetters(event.target),
      letters: letterKeys.get(),
      waiting: performance.now() - waitingSince.current < letterWithin,
    });
    if (event.key !== 'Shift') waitingSince.current = Number.NEGATIVE_INFINITY;
    if (shortcut?.do === 'undo' && lastUndo() === undefined) return;
    if (shortcut === null || (uppermostModal() !== null && !(isPaletteOpen && shortcut.do === 'palette')))
      return;
    event.preventDefault();
    act(shortcut);
  });
  // A layout effect, so that the keys work as soon as the field shows them.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => handle(event);
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, []);
}

/** Focuses the search field of the screen; returns whether the screen has one. */
function focusSearch(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('main input[type=search]');
  const field = [...fields].find((one) => one.checkVisibility());
  field?.focus();
  field?.select();
  return field !== undefined;
}
