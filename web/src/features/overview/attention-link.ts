import type { AttentionItem } from '@portico/contract/overview';

const mailPlaces = {
  reports: '/reports/settings',
  errors: '/settings/diagnostics',
  people: '/people',
} as const;

/** Where a row leads: to the thing itself where there is exactly one, else to the list that holds them. */
export function attentionLink(item: AttentionItem): { to: string; search?: Record<string, string> } {
  switch (item.kind) {
    case 'window':
      return { to: '/maintenance', search: { window: item.id } };
    case 'held-open':
      return { to: '/maintenance' };
    case 'webhook':
      return { to: '/webhooks', search: { webhook: item.id } };
    case 'mail':
      return { to: item.personId === null ? mailPlaces[item.about] : `/people/${item.personId}` };
    case 'refused':
      return { to: item.ways.includes('reports') ? '/reports' : '/diagnostics' };
    case 'reports':
      return { to: '/reports', search: item.count === 1 ? { report: item.id } : { status: 'new' } };
    case 'tokens':
      return { to: '/settings/api-tokens', ...(item.count === 1 ? { search: { token: item.id } } : {}) };
    case 'stale-flags': {
      const [name] = item.names;
      return { to: item.count === 1 && name !== undefined ? `/flags/${encodeURIComponent(name)}` : '/flags' };
    }
  }
}
