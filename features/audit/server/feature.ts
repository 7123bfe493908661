import { feature } from '#server/feature.ts';
import { createAudit } from './audit.ts';

export const auditFeature = feature({
  create: createAudit,
  fates: {
    audit: {
      'not personal': ['id', 'actor_kind', 'action'],
      rewritten: ['actor_name', 'before', 'after', 'search_key', 'client', 'client_system'],
      id: ['actor_id', 'subject'],
    },
  },
});
