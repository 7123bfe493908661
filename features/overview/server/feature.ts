import { feature } from '#server/feature.ts';

export const overviewFeature = feature({
  create: (_core, { overview }) => overview,
  fates: {
    activity: { 'not personal': ['process_id', 'sdk_keys'] },
  },
});
