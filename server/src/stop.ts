import type { FastifyInstance } from 'fastify';
import type { Core, Feature } from './core.ts';
import { createPeriodic } from './platform/time/periodic.ts';
import type { Storage } from './storage.ts';

/**
 * Runs the sweeps of the features every ten minutes, and ends everything in order: not ready, served on for
 * the delay, streams closed with a spread retry, requests finished, features closed, storage closed (RUN-2).
 *
 * @param features from the top to the ground
 * @param stopping called first; /readyz refuses from then on
 * @param finish what has to be written before the database closes
 */
export function runUntilStopped(
  { config, logger }: Core,
  features: readonly Feature[],
  ends: { fastify: FastifyInstance; storage: Storage; stopping(): void; finish(): Promise<void> },
) {
  const sweeps = Object.fromEntries(features.flatMap((feature) => Object.entries(feature.sweeps ?? {})));
  const periodic = createPeriodic(logger, 10 * 60_000, sweeps);
  return {
    sweep: periodic.run,
    async stop() {
      ends.stopping();
      if (config.stopDelayMs > 0) await new Promise((over) => setTimeout(over, config.stopDelayMs));
      await Promise.all(features.map(async (feature) => feature.endStreams?.()));
      await ends.fastify.close();
      await periodic.stop();
      for (const feature of features) await feature.close?.();
      await ends.storage.close(ends.finish);
    },
  };
}
