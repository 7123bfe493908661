import { feature } from '#server/feature.ts';

export const presenceFeature = feature({
  create: (_core, { presence }) => presence,
  fates: {
    presence_process: { 'not personal': ['id'] },
    presence: { 'not personal': ['connection_id', 'process_id', 'person_hash'] },
  },
});
