import { feature } from '#server/feature.ts';
import { doctorRoutes } from './doctor.routes.ts';
import { healthRoutes } from './health.routes.ts';
import { createLogLevel } from './log-level.ts';

export const healthFeature = feature({
  create(core, ground) {
    const level = createLogLevel(core);
    return {
      routes(serve) {
        healthRoutes(serve, core, ground);
        doctorRoutes(serve, core, Object.keys(ground.migrations), level);
      },
      start: level.begin,
      close: level.close,
    };
  },
});
