import { feature } from '../../feature.ts';

export const mailFeature = feature({
  create: (_core, { mail }) => mail ?? {},
  fates: {
    mail: {
      id: 'own',
      kind: 'own',
      account_id: 'own',
      email: 'own',
      language: 'own',
      failure: 'own',
      about: 'own',
    },
    mail_pause: { kind: 'own', email: 'own' },
  },
});
