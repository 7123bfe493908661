import type { ComponentProps } from 'react';
import { Drawing } from './icon.tsx';
import { Menu } from './menu.tsx';

const dots = 'M3.5 8h.01M8 8h.01M12.5 8h.01';

type MoreMenuProps = Omit<ComponentProps<typeof Menu>, 'button' | 'buttonClassName'> & {
  /** Whether the button is as high as the buttons in the head of a screen. */
  inHead?: boolean;
};

/** The menu of the further actions for a row or a screen. */
export function MoreMenu({ inHead = false, ...menu }: MoreMenuProps) {
  return (
    <Menu
      {...menu}
      button={<Drawing path={dots} />}
      buttonClassName={
        inHead ? 'button button-icon more' : 'button button-quiet button-small button-icon more'
      }
    />
  );
}
