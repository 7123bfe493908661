import { feature } from '../../feature.ts';

export const sessionFeature = feature({
  create: (_core, { session, outside, identityProvider }) => ({
    ...session,
    routes: (serve, fastify) =>
      session.routes(serve, fastify, {
        backChannelLogout: outside?.follow(session) ?? null,
        setUp: outside === null ? null : identityProvider.setUp,
      }),
  }),
  fates: {
    session: {
      id: 'own',
      secret_hash: 'own',
      person_id: 'own',
      id_token: 'own',
      browser: 'own',
      system: 'own',
    },
    map_cookie: { session_id: 'own', handle_hash: 'own' },
    hand_over_code: { code_hash: 'own', session_id: 'own', host: 'own', challenge: 'own' },
    host_session: { secret_hash: 'own', session_id: 'own', host: 'own' },
  },
});
