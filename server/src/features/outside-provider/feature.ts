import { feature } from '../../feature.ts';
import { outsideProviderSweeps } from './outside-provider.ts';

export const outsideProviderFeature = feature({
  create: (core, { outside }) => ({ ...outside, sweeps: outsideProviderSweeps(core) }),
  fates: {
    person_group: { person_id: 'own', kind: 'own', name: 'own' },
    person_relink: { person_id: 'own', issuer: 'own', email: 'own' },
    provider_session: {
      session_id: 'own',
      issuer: 'own',
      subject: 'own',
      sid: 'own',
      refresh_token: 'own',
    },
    logout_token: { id_hash: 'not personal' },
  },
});
