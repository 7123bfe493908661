import { feature } from '#server/feature.ts';
import { createEvents } from './events.ts';

export const eventsFeature = feature({
  create: createEvents,
});
