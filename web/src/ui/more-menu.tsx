import type { ComponentProps } from 'react';
import { Drawing } from './icon.tsx';
import { Menu } from './menu.tsx';

const dots = 'M3.5 8h.01M8 8h.01M12.5 8h.01';

/** The rest of what can be done with a row. */
export function MoreMenu(props: Omit<ComponentProps<typeof Menu>, 'button' | 'buttonClassName'>) {
  return (
    <Menu
      {...props}
      button={<Drawing path={dots} />}
      buttonClassName="button button-quiet button-small button-icon"
    />
  );
}
