import { feature } from '#server/feature.ts';

export const filesFeature = feature({
  create: (_core, { files, rightsOf }) => ({
    ...files,
    routes: (serve) => files.routes(serve, rightsOf),
  }),
  fates: {
    file: { own: ['id', 'owner', 'filename', 'content_type', 'hash'] },
  },
});
