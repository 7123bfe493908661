import { feature } from '#server/feature.ts';
import { up as objectContents } from './0059-object-contents.ts';

export const filesFeature = feature({
  create: (_core, { files, rightsOf }) => ({
    ...files,
    routes: (serve) => files.routes(serve, rightsOf),
  }),
  fates: {
    file: { own: ['id', 'owner', 'filename', 'content_type', 'hash'] },
  },
  migrations: { '0059-object-contents': { up: objectContents } },
});
