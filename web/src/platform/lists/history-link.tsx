import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../contexts.tsx';

/** A link to the audit entries of a thing (AUD-1), for people who may read the audit. */
export function HistoryLink({ subject, children }: { subject: string; children?: string }) {
  const { t } = useTranslation();
  if (!useCan()('AUDIT_READ')) return null;
  return (
    <p>
      <Link to="/audit" search={{ subject }}>
        {children ?? t('COMMON.HISTORY')}
      </Link>
    </p>
  );
}
