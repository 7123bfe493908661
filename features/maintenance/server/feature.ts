import { feature, namesIn } from '#server/feature.ts';

export const maintenanceFeature = feature({
  create: (_core, { maintenance, flags }) => ({
    ...maintenance,
    routes: (serve) => maintenance.routes(serve, flags.caughtUp),
  }),
  fates: {
    maintenance: {
      'not personal': ['mode', 'severity'],
      name: ['changed_by'],
      id: ['changed_by_id'],
      'free text': ['text', 'texts'],
    },
    maintenance_window: {
      'not personal': ['id', 'severity', 'mode', 'time_zone', 'phase'],
      name: ['created_by', 'changed_by'],
      id: ['created_by_id', 'changed_by_id'],
      'free text': ['title', 'text', 'texts'],
    },
    maintenance_history: {
      'not personal': ['id', 'deed', 'window_id'],
      name: ['by'],
      id: ['by_id'],
      'free text': ['title', 'facts'],
    },
  },
  names: {
    'maintenance-window': namesIn('maintenance_window', 'id', 'title'),
  },
});
