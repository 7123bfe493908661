import { feature } from '#server/feature.ts';

export const webPagesFeature = feature({
  create: (_core, { webPages }) => webPages,
});
