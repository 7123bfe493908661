import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '#web/platform/contexts.tsx';
import { retentionQuery } from './erasure-queries.ts';
import './erasure.css';

/** How long reports are stored, shown where they are read; with a link for people who may change it. */
export function RetentionLine() {
  const { t } = useTranslation();
  const mayWrite = useCan()('SETTINGS_WRITE');
  const { data } = useQuery(retentionQuery);
  return (
    <p className="above-2 muted small">
      {data === undefined
        ? ' '
        : data.reportDays === null
          ? t('ERASURE.RETENTION.FOR_GOOD')
          : t('ERASURE.RETENTION.KEPT', { count: data.reportDays })}{' '}
      {mayWrite && data !== undefined ? (
        <Link to="/settings/reports">{t('ERASURE.RETENTION.CHANGE')}</Link>
      ) : null}
    </p>
  );
}
