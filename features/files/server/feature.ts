import type { Kysely } from 'kysely';
import { feature } from '#server/feature.ts';
import { filesRoutes } from './files.routes.ts';

export const filesFeature = feature({
  create: (core, ground) => ({
    ...ground.files,
    routes: (serve) => filesRoutes(serve, core, ground),
  }),
  fates: {
    file: { own: ['id', 'owner', 'filename', 'content_type', 'hash'] },
  },
  migrations: { '0059-object-contents': { up: createObjectContents } },
});

/** Which contents of files are in an object store, wait to be sent to it, or are being removed from it. */
async function createObjectContents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('object_content')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('object_content_state').on('object_content').columns(['state', 'at']).execute();
}
