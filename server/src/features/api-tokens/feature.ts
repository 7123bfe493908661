import { feature } from '../../feature.ts';

export const apiTokensFeature = feature({
  create: (_core, { apiTokens, rightsOf }) => ({
    ...apiTokens,
    routes: (serve) => apiTokens.routes(serve, rightsOf),
  }),
  fates: {
    api_token: {
      id: 'own',
      name: 'own',
      secret_hash: 'own',
      rights: 'own',
      created_by: 'own',
      parent_id: 'own',
      revoked_by: 'name',
    },
  },
  names: {
    'api-token': async (read, ids) => {
      const rows = await read.selectFrom('api_token').select(['id', 'name']).where('id', 'in', ids).execute();
      return rows.map((row) => [row.id, row.name]);
    },
  },
});
