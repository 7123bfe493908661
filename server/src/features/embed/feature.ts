import { feature } from '../../feature.ts';
import { createEmbed } from './embed.ts';

export const embedFeature = feature({
  create: createEmbed,
});
