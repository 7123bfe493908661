import { feature } from '#server/feature.ts';

export const mailFeature = feature({
  create: (_core, { mail }) => mail ?? {},
  fates: {
    mail: { own: ['id', 'kind', 'account_id', 'email', 'language', 'failure', 'about'] },
    mail_pause: { own: ['kind', 'email'] },
  },
});
