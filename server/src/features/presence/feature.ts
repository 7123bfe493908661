import { feature } from '../../feature.ts';

export const presenceFeature = feature({
  create: (_core, { presence }) => presence,
  fates: {
    presence_process: { id: 'not personal' },
    presence: { connection_id: 'not personal', process_id: 'not personal', person_hash: 'not personal' },
  },
});
