import { feature } from '../../feature.ts';

export const mapFeature = feature({
  create: (_core, { map }) => map,
  fates: {
    map_layer: {
      key: 'not personal',
      name: 'not personal',
      access: 'not personal',
      right_name: 'not personal',
      title_en: 'free text',
      title_de: 'free text',
      title_fr: 'free text',
    },
    map_order: { names: 'not personal' },
    map_workspace: {
      key: 'not personal',
      name: 'not personal',
      access: 'not personal',
      right_name: 'not personal',
    },
  },
});
