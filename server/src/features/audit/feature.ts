import { feature } from '../../feature.ts';
import { createAudit } from './audit.ts';

export const auditFeature = feature({
  create: createAudit,
  fates: {
    audit: {
      id: 'not personal',
      actor_kind: 'not personal',
      actor_id: 'id',
      actor_name: 'rewritten',
      action: 'not personal',
      subject: 'id',
      before: 'rewritten',
      after: 'rewritten',
      search_key: 'rewritten',
      client: 'rewritten',
      client_system: 'rewritten',
    },
  },
});
