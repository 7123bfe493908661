import { feature } from '#server/feature.ts';
import { createEmbed } from './embed.ts';

export const embedFeature = feature({
  create: createEmbed,
});
