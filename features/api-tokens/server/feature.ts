import { feature, namesIn } from '#server/feature.ts';

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
    'api-token': namesIn('api_token', 'id', 'name'),
  },
});
