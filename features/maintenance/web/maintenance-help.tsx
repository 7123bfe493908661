import { useTranslation } from 'react-i18next';
import { useBranding } from '#web/platform/branding.ts';

/** Whom to ask, and where the state of the installation is reported; nothing where neither is set. */
export function MaintenanceHelp() {
  const { t } = useTranslation();
  const { contact, statusUrl } = useBranding();
  if (contact === null && statusUrl === null) return null;
  return (
    <div className="maintenance-help">
      {contact === null ? null : (
        <p>
          {t('MAINTENANCE.PAGE.CONTACT')}{' '}
          {contact.href === null ? contact.text : <a href={contact.href}>{contact.text}</a>}
        </p>
      )}
      {statusUrl === null ? null : (
        <a href={statusUrl} rel="noreferrer">
          {t('MAINTENANCE.PAGE.STATUS')}
        </a>
      )}
    </div>
  );
}
