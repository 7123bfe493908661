import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import { useCan } from '../../platform/contexts.tsx';
import { letterKeys } from '../../platform/keys/keys.ts';
import { useStore } from '../../platform/state/use-store.ts';
import { Icon } from '../../ui/icon.tsx';
import { Key } from '../../ui/key.tsx';
import { useApp } from '../app-context.tsx';
import { consoleGroups, mayUse, type Screen } from '../../feature.ts';
import type { LazyDialog } from '../screens/lazy-screen.tsx';

/** The sort position of a screen, as in the navigation: the top bar, the groups of the console, then the others. */
const placeOf = ({ nav, group }: Screen) =>
  nav === 'none' || nav === 'settings'
    ? consoleGroups.length
    : group === undefined
      ? -1
      : consoleGroups.indexOf(group);

/** The screens that the person may open, without those of a single thing and those whose title is not loaded. */
export function useNamedScreens() {
  const { t, i18n } = useTranslation();
  const { screens } = useApp();
  const can = useCan();
  return screens
    .filter((screen) => mayUse(screen, can) && !screen.path.includes('$') && i18n.exists(screen.title))
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(({ path, title, nav, letter, icon = 'settings' }) => ({ path, name: t(title), nav, letter, icon }));
}

/** The screens as lines of the palette, each with the keys that open it. */
export function useScreenItems(): PaletteItem[] {
  const { t } = useTranslation();
  const letters = useStore(letterKeys);
  return useNamedScreens().map(({ path, name, nav, letter, icon }) => {
    return {
      key: `screen ${path}`,
      group: t('PALETTE.GO_TO'),
      label: name,
      hint: nav === 'settings' ? t('SETTINGS.TITLE') : undefined,
      mark: <Icon name={icon} />,
      end:
        letters && letter !== undefined ? (
          <span className="palette-keys flex" aria-hidden="true">
            <Key name="g" />
            <Key name={letter} />
          </span>
        ) : undefined,
      to: path,
    };
  });
}

/** Draws the dialog that replaces the palette; `close` closes the dialog. */
export type FollowingDialog = (close: () => void) => ReactNode;

/** One line of the palette. */
export type PaletteItem = {
  key: string;
  /** The heading under which the line stands. */
  group: string;
  label: string;
  lang?: string;
  hint?: string | undefined;
  mark?: ReactNode;
  /** Shown at the end of the line, such as a key. */
  end?: ReactNode;
  /** Further words by which the line can be found, in addition to its label. */
  words?: string;
} & (
  | { to: string; search?: Readonly<Record<string, string>> }
  /** Runs the action once `needs` is downloaded; may return a dialog that asks for something or shows more. */
  | { needs?: LazyDialog; act: () => void | FollowingDialog | Promise<void | FollowingDialog> }
);
