import { feature } from '#server/feature.ts';

export const apiTokensFeature = feature({
  create: (_core, { apiTokens, rightsOf }) => ({
    ...apiTokens,
    routes: (serve) => apiTokens.routes(serve, rightsOf),
  }),
  fates: {
    api_token: {
      own: ['id', 'name', 'secret_hash', 'rights', 'created_by', 'parent_id'],
      name: ['revoked_by'],
      id: ['revoked_by_id'],
    },
  },
  names: {
    'api-token': async (read, ids) => {
      const rows = await read.selectFrom('api_token').select(['id', 'name']).where('id', 'in', ids).execute();
      return rows.map((row) => [row.id, row.name]);
    },
  },
});
