import type { Notice as MaintenanceNotice, Severity } from '@portico/contract/maintenance';
import { useTranslation } from 'react-i18next';
import { Notice, type NoticeSeverity } from '../../ui/notice.tsx';

const looks: Record<Severity, NoticeSeverity> = { HIGH: 'high', MEDIUM: 'medium', INFO: 'info' };

type MaintenanceBannerProps = {
  notice: MaintenanceNotice;
  visible: boolean;
  onClose: () => void;
};

/** The notice on top of every page (MAINT-2). It stands in the flow and pushes the page down. */
export function MaintenanceBanner({ notice, visible, onClose }: MaintenanceBannerProps) {
  const { t } = useTranslation();
  if (!visible) return null;
  const { maintenanceText, maintenanceTextSeverity: severity } = notice;
  return (
    <Notice
      banner
      severity={looks[severity]}
      severityLabel={t(`MAINTENANCE.BANNER.SEVERITIES.${severity}`)}
      role={severity === 'INFO' ? 'status' : 'alert'}
      close={{ label: t('MAINTENANCE.BANNER.CLOSE'), onClose }}
    >
      {maintenanceText}
    </Notice>
  );
}
