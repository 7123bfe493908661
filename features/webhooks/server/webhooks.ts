import type { Core } from '#server/core.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { startSender } from './sender.ts';
import { webhooksRoutes } from './webhooks.routes.ts';
import { sweepDeliveries } from './webhooks.store.ts';

/** Signed messages to other programs (Standard Webhooks), sent as soon as this is made. */
export function createWebhooks(core: Core) {
  const sender = startSender({ ...core, userAgent: `Portico/${core.version}` });
  return {
    routes: (serve: Serve) => webhooksRoutes(serve, core),
    sweeps: { 'log of webhooks': core.sweeping(sweepDeliveries) },
    /** Sends nothing more; waits a few seconds for what is on its way. */
    close: sender.close,
  };
}
