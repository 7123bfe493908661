import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icon.tsx';
import type { Screen } from '../../feature.ts';

/** Scrolls the current entry of a narrow bar into view. */
export function showInBar(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

export function ShellLink({
  screen,
  current,
  icon = false,
}: {
  screen: Screen;
  current: boolean;
  icon?: boolean;
}) {
  const { t } = useTranslation();
  const title = t(screen.title);
  return (
    <Link
      ref={current ? showInBar : undefined}
      to={screen.path}
      className="shell-link rounded row"
      aria-current={current ? 'page' : undefined}
    >
      {icon && screen.icon !== undefined ? <Icon name={screen.icon} /> : null}
      <span data-text={title}>{title}</span>
    </Link>
  );
}
