import type { ReactNode } from 'react';
import { useBranding } from '../../platform/branding.ts';
import { Dialog } from '../../ui/dialog.tsx';
import './console-navigation.css';

/** All of the navigation on narrow windows: the screens of the top bar, and those of the console. */
export function NavigationDrawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { product } = useBranding();
  return (
    <Dialog kind="drawer" title={product} onClose={onClose}>
      {children}
    </Dialog>
  );
}
