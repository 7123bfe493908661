import { feature } from '#server/feature.ts';
import { addProof } from './session.store.ts';

export const sessionFeature = feature({
  migrations: { '0046-proof-of-session': { up: addProof } },
  create: (_core, { session, outside, identityProvider }) => ({
    ...session,
    routes: (serve, fastify) =>
      session.routes(serve, fastify, {
        backChannelLogout: outside?.follow(session) ?? null,
        setUp: outside === null ? null : identityProvider.setUp,
      }),
  }),
  fates: {
    session: { own: ['id', 'secret_hash', 'person_id', 'id_token', 'browser', 'system'] },
    map_cookie: { own: ['session_id', 'handle_hash'] },
    hand_over_code: { own: ['code_hash', 'session_id', 'host', 'challenge'] },
    host_session: { own: ['secret_hash', 'session_id', 'host'] },
  },
});
