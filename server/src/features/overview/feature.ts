import { feature } from '../../feature.ts';

export const overviewFeature = feature({
  create: (_core, { overview }) => overview,
  fates: {
    activity: { process_id: 'not personal', sdk_keys: 'not personal' },
  },
});
