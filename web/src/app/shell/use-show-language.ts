import { useTranslation } from 'react-i18next';
import type { Language } from '../../platform/i18n/language.ts';
import { notify } from '../../ui/notifications/notifications.ts';
import { useApp } from '../app-context.tsx';

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
