import type { Server } from 'node:http';
import { feature } from '#server/feature.ts';
import type { Core, Feature } from '#server/core.ts';
import { createExposition } from './exposition.ts';
import { listenForMetrics, metricsRoutes } from './metrics.routes.ts';
import { addProcessMetrics } from './process-metrics.ts';

export const metricsFeature = feature({ create: createMetricsFeature });

/** Shows what the capabilities measure (`core.metrics`) to Prometheus (RUN-6). */
async function createMetricsFeature(core: Core): Promise<Feature> {
  const { config, metrics, logger } = core;
  const settings = config.metrics;
  if (settings === null) return { routes: (serve) => metricsRoutes(serve, null, null) };

  const exposition = await createExposition(core);
  const endMeasuring = addProcessMetrics(metrics, core.database, core.version);
  let server: Server | null = null;
  return {
    routes: (serve) => metricsRoutes(serve, settings.token, exposition),
    async start() {
      const { port } = settings;
      if (port === null) return;
      server = await listenForMetrics({ ...settings, port }, exposition, (error) =>
        logger.error({ err: error }, 'the metrics could not be read'),
      );
      logger.info({ address: server.address() }, 'metrics');
    },
    close() {
      endMeasuring();
      server?.close();
      server?.closeAllConnections();
    },
  };
}
