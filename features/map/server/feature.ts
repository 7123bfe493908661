import { feature } from '#server/feature.ts';

export const mapFeature = feature({
  create: (_core, { map }) => map,
  fates: {
    map_layer: {
      'not personal': ['key', 'name', 'access', 'right_name'],
      'free text': ['title_en', 'title_de', 'title_fr'],
    },
    map_order: { 'not personal': ['names'] },
    map_workspace: { 'not personal': ['key', 'name', 'access', 'right_name'] },
  },
});
