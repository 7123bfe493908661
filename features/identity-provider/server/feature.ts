import { feature } from '#server/feature.ts';

export const identityProviderFeature = feature({
  create: (_core, { identityProvider, outside }) => ({
    ...identityProvider,
    routes(serve, fastify) {
      if (outside === null) identityProvider.routes(serve, fastify);
    },
  }),
  fates: {
    account: { own: ['id', 'email', 'password_hash'] },
    sign_in_guess: { own: ['email_hash'] },
    one_time_link: { own: ['token_hash', 'purpose', 'account_id'] },
    oidc_record: { own: ['model', 'id', 'payload', 'grant_id', 'uid', 'account_id'] },
  },
});
