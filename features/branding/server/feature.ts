import { feature } from '#server/feature.ts';

export const brandingFeature = feature({
  create: (_core, { branding }) => branding,
  fates: {
    branding: {
      'not personal': ['accent', 'mark_id', 'mark_type', 'picture_id', 'picture_type'],
      name: ['changed_by'],
      'free text': ['name', 'contact', 'status_url'],
    },
  },
});
