import { feature } from '../../feature.ts';

export const gatewayFeature = feature({
  create: (_core, { gateway }) => gateway,
});
