import { feature } from '#server/feature.ts';
import { outsideProviderSweeps } from './outside-provider.ts';

export const outsideProviderFeature = feature({
  create: (core, { outside }) => ({ ...outside, sweeps: outsideProviderSweeps(core) }),
  fates: {
    person_group: { own: ['person_id', 'kind', 'name'] },
    person_relink: { own: ['person_id', 'issuer', 'email'] },
    provider_session: { own: ['session_id', 'issuer', 'subject', 'sid', 'refresh_token'] },
    logout_token: { 'not personal': ['id_hash'] },
  },
});
