import { feature } from '#server/feature.ts';
import { healthRoutes } from './health.routes.ts';

export const healthFeature = feature({
  create: (core, ground) => ({ routes: (serve) => healthRoutes(serve, core, ground) }),
});
