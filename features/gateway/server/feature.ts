import { feature } from '#server/feature.ts';

export const gatewayFeature = feature({
  create: (_core, { gateway }) => gateway,
});
