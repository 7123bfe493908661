import { feature } from '../../feature.ts';

export const overviewFeature = feature({
  fates: {
    activity: { process_id: 'not personal', sdk_keys: 'not personal' },
  },
});
