import type { Core } from '#server/core.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { brandingRoutes } from './branding.routes.ts';
import { createLiveBranding } from './live-branding.ts';

/** How the installation looks: what operators change, and what pages show of it. */
export async function createBranding(core: Core) {
  const branding = await createLiveBranding(core);
  return { ...branding, routes: (serve: Serve) => brandingRoutes(serve, { ...core, branding }) };
}
