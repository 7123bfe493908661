import { feature } from '../../feature.ts';

export const identityProviderFeature = feature({
  create: (_core, { identityProvider, outside }) => ({
    ...identityProvider,
    routes(serve, fastify) {
      if (outside === null) identityProvider.routes(serve, fastify);
    },
  }),
  fates: {
    account: { id: 'own', email: 'own', password_hash: 'own' },
    sign_in_guess: { email_hash: 'own' },
    one_time_link: { token_hash: 'own', purpose: 'own', account_id: 'own' },
    oidc_record: { model: 'own', id: 'own', payload: 'own', grant_id: 'own', uid: 'own', account_id: 'own' },
  },
});
