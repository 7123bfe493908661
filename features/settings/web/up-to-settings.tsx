import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Icon } from '#web/ui/icon.tsx';

/** The link from a screen of the settings to the list of them. */
export function UpToSettings() {
  const { t } = useTranslation();
  return (
    <Link to="/settings" className="screen-up">
      <Icon name="chevron-left" size={14} />
      {t('SETTINGS.TITLE')}
    </Link>
  );
}
