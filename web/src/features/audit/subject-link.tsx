import type { AuditEntry, AuditSubjectKind } from '@portico/contract/audit';
import { Link } from '@tanstack/react-router';
import { useCan } from '../../platform/contexts.tsx';

/** Where a thing is shown, and with which right; what has no screen is left out. */
const places: Partial<Record<AuditSubjectKind, { to: string; parameter: string | null; right: string }>> = {
  person: { to: '/people', parameter: 'person', right: 'PEOPLE_READ' },
  flag: { to: '/flags', parameter: 'flag', right: 'FLAGS_READ' },
  maintenance: { to: '/maintenance', parameter: null, right: 'MAINTENANCE_WRITE' },
  'maintenance-window': { to: '/maintenance', parameter: 'window', right: 'MAINTENANCE_WRITE' },
  report: { to: '/reports', parameter: 'report', right: 'REPORTS_READ' },
  webhook: { to: '/webhooks', parameter: 'webhook', right: 'SETTINGS_WRITE' },
};

type SubjectLinkProps = {
  kind: AuditEntry['subject']['kind'];
  id: string;
  /** Whether it is still there to be shown. */
  there: boolean;
  children: string;
};

/** Leads to the thing itself, for whoever may see it there. */
export function SubjectLink({ kind, id, there, children }: SubjectLinkProps) {
  const can = useCan();
  const place = kind === null ? undefined : places[kind];
  if (place === undefined || !there || !can(place.right)) return <span dir="auto">{children}</span>;
  return (
    <Link to={place.to} search={place.parameter === null ? {} : { [place.parameter]: id }}>
      {children}
    </Link>
  );
}
