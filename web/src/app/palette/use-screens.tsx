import { useTranslation } from 'react-i18next';
import { useCan } from '../../platform/contexts.tsx';
import { letterKeys } from '../../platform/keys/letter-keys.ts';
import { useStore } from '../../platform/state/use-store.ts';
import { Icon } from '../../ui/icon.tsx';
import { Key } from '../../ui/key.tsx';
import { useApp } from '../app-context.tsx';
import { mayUse } from '../navigation/navigation.ts';
import type { PaletteItem } from './palette-item.ts';
import { goLetters } from './shortcut-keys.ts';

/** The screens that the person may open, but for those of one thing, and those whose name comes with them. */
export function useNamedScreens() {
  const { t, i18n } = useTranslation();
  const { screens } = useApp();
  const can = useCan();
  return screens
    .filter((screen) => mayUse(screen, can) && !screen.path.includes('$') && i18n.exists(screen.title))
    .map(({ path, title, icon }) => ({ path, name: t(title), icon: icon ?? ('settings' as const) }));
}

/** The screens as lines of the palette, each with the keys that open it. */
export function useScreenItems(): PaletteItem[] {
  const { t } = useTranslation();
  const letters = useStore(letterKeys);
  return useNamedScreens().map(({ path, name, icon }) => {
    const letter = goLetters[path];
    return {
      key: `screen ${path}`,
      group: t('PALETTE.GO_TO'),
      label: name,
      hint: path.startsWith('/settings/') ? t('SETTINGS.TITLE') : undefined,
      mark: <Icon name={icon} />,
      end:
        letters && letter !== undefined ? (
          <span className="palette-keys" aria-hidden="true">
            <Key name="g" />
            <Key name={letter} />
          </span>
        ) : undefined,
      to: path,
    };
  });
}
