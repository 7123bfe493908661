import { feature } from '../../feature.ts';

export const brandingFeature = feature({
  create: (_core, { branding }) => branding,
  fates: {
    branding: {
      name: 'free text',
      accent: 'not personal',
      mark_id: 'not personal',
      mark_type: 'not personal',
      contact: 'free text',
      status_url: 'free text',
      picture_id: 'not personal',
      picture_type: 'not personal',
      changed_by: 'name',
    },
  },
});
