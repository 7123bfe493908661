import { listProjects } from '#features/diagnostics/contract/projects.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApi, useCan } from '#web/platform/contexts.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { sdkLines } from '../sdk-lines.ts';
import { projectsKey } from '../settings/settings-queries.ts';

/** Nothing was ever reported: how an application is connected. */
export function FirstErrors() {
  const { t } = useTranslation();
  const api = useApi();
  const maySet = useCan()('SETTINGS_WRITE');
  const projects = useQuery({
    queryKey: projectsKey,
    queryFn: ({ signal }) => api.call(listProjects, {}, { signal }),
    enabled: maySet,
  });
  const dsn = projects.data?.projects[0]?.keys[0]?.dsn;
  const code = dsn === undefined ? null : sdkLines(dsn);
  return (
    <EmptyState
      icon="check-circle"
      title={t('DIAGNOSTICS.FIRST.TITLE')}
      action={
        code === null ? undefined : (
          <div className="first-errors">
            <pre className="code-block" aria-label={t('DIAGNOSTICS.FIRST.CODE')}>
              {code}
            </pre>
            <CopyButton
              text={code}
              label={t('DIAGNOSTICS.FIRST.COPY')}
              copied={t('DIAGNOSTICS.COPIED')}
              failed={t('DIAGNOSTICS.COPY_FAILED')}
            />
          </div>
        )
      }
    >
      {t(maySet ? 'DIAGNOSTICS.FIRST.TEXT' : 'DIAGNOSTICS.FIRST.TEXT_READ')}{' '}
      {maySet ? <Link to="/settings/diagnostics">{t('DIAGNOSTICS.FIRST.PROJECTS')}</Link> : null}
    </EmptyState>
  );
}
