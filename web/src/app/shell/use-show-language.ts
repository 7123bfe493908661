import { useTranslation } from 'react-i18next';
import type { Language } from '../../platform/i18n/language.ts';
import { notify } from '../../ui/notifications/notifications.ts';
import { useApp } from '../app-context.tsx';
import { storedChoice } from '../../platform/state/stored-choice.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The theme that was chosen in this browser; index.html reads it too, before the first paint. */
export const theme = storedChoice('portico.theme', themes);

/** Shows a theme and remembers it. */
export function chooseTheme(chosen: Theme): void {
  theme.set(chosen);
  const root = document.documentElement;
  if (chosen === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = chosen;
}

/** Shows everything in another language and stores the choice; notifies if its texts cannot be loaded. */
export function useShowLanguage(): (language: Language) => Promise<void> {
  const { t } = useTranslation();
  const { texts, languageChoice } = useApp();
  return async (language) => {
    try {
      await texts.show(language);
      languageChoice.choose(language);
    } catch {
      notify({
        kind: 'error',
        key: 'language',
        title: t('SHELL.LANGUAGE_FAILED.TITLE'),
        content: t('SHELL.LANGUAGE_FAILED.CONTENT'),
      });
    }
  };
}
