import { useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBranding } from '../../platform/branding.ts';
import type { Screen } from '../../feature.ts';

/** Names the window after the screen; returns the name. */
export function useWindowTitle(screens: readonly Screen[]): string {
  const { t } = useTranslation();
  const { product } = useBranding();
  const path = useMatches({ select: (matches) => String(matches.at(-1)?.routeId) });
  const screen = screens.find((one) => one.path === path);
  const name = screen === undefined ? t('PAGES.NOT_FOUND.TITLE') : t(screen.title);
  const title = t('SHELL.DOCUMENT_TITLE', { screen: name, product });
  useEffect(() => {
    document.title = title;
  }, [title]);
  return name;
}
