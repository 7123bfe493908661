import { feature } from '../../feature.ts';

export const webPagesFeature = feature({
  create: (_core, { webPages }) => webPages,
});
