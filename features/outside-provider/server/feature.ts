import { feature } from '#server/feature.ts';
import { sweepLogoutTokens } from './provider-session.store.ts';

export const outsideProviderFeature = feature({
  create: (core, { outside }) => ({
    ...outside,
    // Also where people sign in at the embedded provider again: the tokens of an earlier provider still expire.
    sweeps: { 'logout tokens': core.sweeping(sweepLogoutTokens) },
  }),
  fates: {
    person_group: { own: ['person_id', 'kind', 'name'] },
    person_relink: { own: ['person_id', 'issuer', 'email'] },
    provider_session: { own: ['session_id', 'issuer', 'subject', 'sid', 'refresh_token'] },
    logout_token: { 'not personal': ['id_hash'] },
  },
});
