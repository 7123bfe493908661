import type { MaintenanceSettings } from '@portico/contract/maintenance';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../platform/contexts.tsx';
import { catalogueKey } from '../../../platform/i18n/catalogue-key.ts';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { ProblemError } from '../../../platform/problem-error.ts';
import { Notice } from '../../../ui/notice.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Tag, type TagKind } from '../../../ui/tag.tsx';
import { Time } from '../../../ui/time.tsx';
import { maintenanceQuery } from './maintenance-query.ts';
import { ModeSection } from './mode-section.tsx';
import { NoticeSection } from './notice-section.tsx';
import '../../../ui/screen.css';
import './maintenance-screen.css';

const stateKinds: Record<MaintenanceSettings['mode'], TagKind> = {
  off: 'ok',
  'read-only': 'medium',
  full: 'high',
};

/** The operator's maintenance: what is on now, the notice, the switch. */
export function MaintenanceConsole() {
  const { t } = useTranslation();
  const api = useApi();
  const settings = useQuery(maintenanceQuery(api));
  return (
    <>
      <header className="screen-head">
        <div>
          <h1 tabIndex={-1}>{t('MAINTENANCE.CONSOLE.TITLE')}</h1>
          <p className="muted">{t('MAINTENANCE.CONSOLE.LEAD')}</p>
        </div>
      </header>
      {settings.isPending ? (
        <Skeleton label={t('MAINTENANCE.CONSOLE.LOADING')} count={8} />
      ) : settings.data === undefined ? (
        <ErrorState
          title={t('MAINTENANCE.CONSOLE.FAILED.TITLE')}
          retry={{
            label: t('COMMON.RETRY'),
            onRetry: () => void settings.refetch(),
            busy: settings.isFetching,
          }}
          detail={settings.error instanceof ProblemError ? settings.error.requestId : undefined}
        >
          {t('MAINTENANCE.CONSOLE.FAILED.TEXT')}
        </ErrorState>
      ) : (
        <div className="maintenance-console">
          <StateNow settings={settings.data} />
          {settings.data.source === 'flag-host' ? (
            <Notice severity="info" title={t('MAINTENANCE.CONSOLE.FLAG_HOST.TITLE')}>
              {t('MAINTENANCE.CONSOLE.FLAG_HOST.TEXT')}
            </Notice>
          ) : (
            <>
              <NoticeSection settings={settings.data} />
              <ModeSection settings={settings.data} />
            </>
          )}
        </div>
      )}
    </>
  );
}

function StateNow({ settings }: { settings: MaintenanceSettings }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <section className="maintenance-now">
      <Tag kind={stateKinds[settings.mode]}>
        {t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(settings.mode)}.NOW`)}
      </Tag>
      {settings.since === null ? null : (
        <span className="muted">
          {t('MAINTENANCE.CONSOLE.SINCE')} <Time at={settings.since} formats={formats} />
        </span>
      )}
      {settings.changedAt === null || settings.changedBy === null ? null : (
        <span className="muted">
          {t('MAINTENANCE.CONSOLE.CHANGED_BY', { name: settings.changedBy })}{' '}
          <Time at={settings.changedAt} formats={formats} />
        </span>
      )}
    </section>
  );
}
