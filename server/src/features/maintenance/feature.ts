import { feature } from '../../feature.ts';

export const maintenanceFeature = feature({
  create: (_core, { maintenance, flags }) => ({
    ...maintenance,
    routes: (serve) => maintenance.routes(serve, flags.caughtUp),
  }),
  fates: {
    maintenance: {
      mode: 'not personal',
      text: 'free text',
      texts: 'free text',
      severity: 'not personal',
      changed_by: 'name',
    },
    maintenance_window: {
      id: 'not personal',
      title: 'free text',
      text: 'free text',
      texts: 'free text',
      severity: 'not personal',
      mode: 'not personal',
      time_zone: 'not personal',
      phase: 'not personal',
      created_by: 'name',
      changed_by: 'name',
    },
    maintenance_history: {
      id: 'not personal',
      deed: 'not personal',
      window_id: 'not personal',
      title: 'free text',
      by: 'name',
      facts: 'free text',
    },
  },
  names: {
    'maintenance-window': async (read, ids) => {
      const rows = await read
        .selectFrom('maintenance_window')
        .select(['id', 'title'])
        .where('id', 'in', ids)
        .execute();
      return rows.map((row) => [row.id, row.title]);
    },
  },
});
