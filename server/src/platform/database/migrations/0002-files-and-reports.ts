import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;

  await schema
    .createTable('file')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text')
    .addColumn('filename', 'text', (column) => column.notNull())
    .addColumn('content_type', 'text', (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('file_owner').on('file').column('owner').execute();
  await schema.createIndex('file_hash').on('file').column('hash').execute();
  await schema
    .createTable('file_chunk')
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('bytes', 'bytea', (column) => column.notNull())
    .addColumn('stored_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('file_chunk_pk', ['hash', 'position'])
    .execute();
  await schema.createIndex('profile_avatar').on('profile').column('avatar').execute();

  await schema
    .createTable('report')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('number', 'bigint', (column) => column.notNull().unique())
    .addColumn('event_id', 'text', (column) => column.notNull().unique())
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('reporter_id', 'text', (column) => column.references('person.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('associated_event_id', 'text')
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('context', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('search_key', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('report_status').on('report').columns(['status', 'number']).execute();
  await schema.createIndex('report_reporter').on('report').columns(['reporter_id', 'number']).execute();
  await schema
    .createTable('report_history')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('report_id', 'text', (column) => column.notNull().references('report.id'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text', (column) => column.notNull())
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('actor_name', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('report_history_report')
    .on('report_history')
    .columns(['report_id', 'at'])
    .execute();
  await schema
    .createTable('report_picture')
    .addColumn('report_id', 'text', (column) => column.notNull().references('report.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('file_id', 'text', (column) => column.notNull().unique().references('file.id'))
    .addPrimaryKeyConstraint('report_picture_pk', ['report_id', 'position'])
    .execute();
}
