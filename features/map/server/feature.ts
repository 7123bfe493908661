import { feature } from '#server/feature.ts';
import { mapRoutes } from './map.routes.ts';

export const mapFeature = feature({
  create: (core, ground) => ({
    routes: (serve) => mapRoutes(serve, core, ground),
    close: ground.map.close,
  }),
  fates: {
    map_layer: {
      'not personal': ['key', 'name', 'access', 'right_name'],
      'free text': ['title_en', 'title_de', 'title_fr'],
    },
    map_order: { 'not personal': ['names'] },
    map_workspace: { 'not personal': ['key', 'name', 'access', 'right_name'] },
  },
});
