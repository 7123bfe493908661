import { feature } from '../../feature.ts';
import { createEvents } from './events.ts';

export const eventsFeature = feature({
  create: createEvents,
});
