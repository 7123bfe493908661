import { feature } from '../../feature.ts';

export const filesFeature = feature({
  create: (_core, { files, rightsOf }) => ({
    ...files,
    routes: (serve) => files.routes(serve, rightsOf),
  }),
  fates: {
    file: { id: 'own', owner: 'own', filename: 'own', content_type: 'own', hash: 'own' },
  },
});
