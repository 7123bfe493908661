import type { AuditEntry, AuditSubjectKind } from '@portico/contract/audit';
import { Link } from '@tanstack/react-router';
import { useCan } from '../../platform/contexts.tsx';

type Place = {
  to: string;
  /** The part of the screen, as a query. */
  search?: Record<string, string>;
  /** The parameter of the address for its id; left out: the screen has no address for one thing. */
  parameter?: string;
  /** Its id is the last part of the path instead. */
  isBelow?: true;
  right: string;
};

/** The screen of a thing, and the right for it; null: it has no screen. */
const places: Record<AuditSubjectKind, Place | null> = {
  person: { to: '/people', isBelow: true, right: 'PEOPLE_READ' },
  flag: { to: '/flags', isBelow: true, right: 'FLAGS_READ' },
  maintenance: { to: '/maintenance', right: 'MAINTENANCE_WRITE' },
  'maintenance-window': { to: '/maintenance', parameter: 'window', right: 'MAINTENANCE_WRITE' },
  report: { to: '/reports', parameter: 'report', right: 'REPORTS_READ' },
  webhook: { to: '/webhooks', parameter: 'webhook', right: 'SETTINGS_WRITE' },
  'api-token': { to: '/settings/api-tokens', parameter: 'token', right: 'SETTINGS_WRITE' },
  'client-key': { to: '/settings/client-keys', parameter: 'key', right: 'SETTINGS_WRITE' },
  branding: { to: '/settings/branding', right: 'SETTINGS_WRITE' },
  'report-form': { to: '/reports/settings', right: 'SETTINGS_WRITE' },
  'report-settings': { to: '/reports/settings', right: 'SETTINGS_WRITE' },
  'report-filter': { to: '/reports', right: 'REPORTS_READ' },
  retention: { to: '/reports/settings', right: 'SETTINGS_WRITE' },
  role: { to: '/roles', right: 'PEOPLE_READ' },
  right: { to: '/roles', search: { show: 'rights' }, right: 'PEOPLE_READ' },
  'group-mapping': { to: '/roles', search: { show: 'groups' }, right: 'PEOPLE_READ' },
  error: { to: '/diagnostics', isBelow: true, right: 'DIAGNOSTICS_READ' },
  'diagnostics-project': { to: '/settings/diagnostics', right: 'SETTINGS_WRITE' },
  diagnostics: { to: '/settings/diagnostics', right: 'SETTINGS_WRITE' },
  'source-maps': { to: '/settings/diagnostics', right: 'SETTINGS_WRITE' },
  'map-layer': { to: '/map-layers', parameter: 'layer', right: 'MAP_WRITE' },
  'map-workspace': { to: '/map-layers', right: 'MAP_WRITE' },
  'map-order': { to: '/map-layers', right: 'MAP_WRITE' },
  'home-app': { to: '/settings/apps', parameter: 'app', right: 'SETTINGS_WRITE' },
  'home-order': { to: '/settings/apps', right: 'SETTINGS_WRITE' },
  'signing-keys': null,
  database: null,
};

type SubjectLinkProps = {
  kind: AuditEntry['subject']['kind'];
  id: string;
  /** Whether it still exists. */
  there: boolean;
  children: string;
};

/** A link to the thing itself, for people who may see it there. */
export function SubjectLink({ kind, id, there, children }: SubjectLinkProps) {
  const can = useCan();
  const place = kind === null ? null : places[kind];
  if (place === null || !there || !can(place.right)) return <span dir="auto">{children}</span>;
  return (
    <Link
      to={place.isBelow === true ? `${place.to}/${encodeURIComponent(id)}` : place.to}
      search={{ ...place.search, ...(place.parameter === undefined ? {} : { [place.parameter]: id }) }}
    >
      {children}
    </Link>
  );
}
