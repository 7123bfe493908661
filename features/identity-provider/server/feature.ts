import { feature } from '#server/feature.ts';
import { createFactors } from './factors/factors.store.ts';
import { createPolicy, createRegistration } from './factors/sign-in-policy.ts';

export const identityProviderFeature = feature({
  migrations: {
    '0045-second-factors': {
      async up(database) {
        await createFactors(database);
        await createPolicy(database);
      },
    },
    '0049-registration': { up: createRegistration },
  },
  create: (_core, { identityProvider, outside }) => ({
    ...identityProvider,
    routes(serve, fastify) {
      if (outside === null) identityProvider.routes(serve, fastify);
    },
    async start() {
      if (outside === null) await identityProvider.reportSilencedPasskeys();
    },
  }),
  fates: {
    account: { own: ['id', 'email', 'password_hash', 'passkey_handle'] },
    passkey: { own: ['id', 'credential_id', 'account_id', 'rp_id', 'public_key', 'transports', 'name'] },
    one_time_code: { own: ['account_id', 'sealed_secret'] },
    recovery_code: { own: ['code_hash', 'account_id'] },
    spent_challenge: { 'not personal': ['hash'] },
    sign_in_policy: { 'not personal': ['second_factor', 'roles', 'registration_domains'] },
    sign_in_guess: { own: ['email_hash'] },
    one_time_link: { own: ['token_hash', 'purpose', 'account_id', 'email'] },
    oidc_record: { own: ['model', 'id', 'payload', 'grant_id', 'uid', 'account_id'] },
  },
});
