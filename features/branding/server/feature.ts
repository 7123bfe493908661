import { feature } from '#server/feature.ts';
import { brandingRoutes } from './branding.routes.ts';

export const brandingFeature = feature({
  create: (core, { branding }) => ({
    ...branding,
    routes: (serve) => brandingRoutes(serve, core, branding),
  }),
  fates: {
    branding: {
      'not personal': ['accent', 'mark_id', 'mark_type', 'picture_id', 'picture_type'],
      name: ['changed_by'],
      id: ['changed_by_id'],
      'free text': ['name', 'contact', 'status_url'],
    },
  },
});
