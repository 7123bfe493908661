import type { Flag } from '#features/flags/contract/flags.ts';
import type { TFunction } from 'i18next';
import { Icon } from '../../ui/icon.tsx';
import { lazyScreen } from '../screens/lazy-screen.tsx';
import type { PaletteItem } from './palette-item.ts';

const SwitchFlagDialog = lazyScreen(
  async () => (await import('#features/flags/web/console/switch-flag-dialog.tsx')).SwitchFlagDialog,
  'FLAGS',
);

/** Turns a flag on or off; the dialog asks first. */
export function switchFlagAction(t: TFunction, flag: Flag, connected: number, group: string): PaletteItem {
  return {
    key: `switch ${flag.key}`,
    group,
    label: t(flag.enabled ? 'PALETTE.TURN_OFF' : 'PALETTE.TURN_ON', { key: flag.key }),
    mark: <Icon name={flag.enabled ? 'minus' : 'check'} />,
    act: () => (close) => <SwitchFlagDialog flag={flag} connected={connected} onClose={close} />,
  };
}
