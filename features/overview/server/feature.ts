import { feature } from '#server/feature.ts';
import { createFirstSteps } from './first-steps.ts';

export const overviewFeature = feature({
  create: (_core, { overview }) => overview,
  migrations: { '0038-first-steps': { up: createFirstSteps } },
  fates: {
    first_steps_hidden: {},
    activity: { 'not personal': ['process_id', 'sdk_keys'] },
  },
});
