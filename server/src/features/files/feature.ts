import { feature } from '../../feature.ts';

export const filesFeature = feature({
  fates: {
    file: { id: 'own', owner: 'own', filename: 'own', content_type: 'own', hash: 'own' },
  },
});
