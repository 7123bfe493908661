import { feature } from '../../feature.ts';

export const flagsFeature = feature({
  create: (_core, { flags, overview }) => ({
    ...flags,
    routes: (serve) => flags.routes(serve, overview.connectedSdks),
  }),
  fates: {
    flag: {
      key: 'not personal',
      type: 'not personal',
      description: 'free text',
      default_value: 'free text',
      rules: 'free text',
      tags: 'free text',
      changed_by: 'name',
    },
    client_key: {
      key: 'not personal',
      kind: 'not personal',
      name: 'free text',
      created_by: 'name',
      revoked_by: 'name',
    },
  },
  names: {
    flag: async (read, ids) => {
      const rows = await read.selectFrom('flag').select('key').where('key', 'in', ids).execute();
      return rows.map((row) => [row.key, row.key]);
    },
  },
});
