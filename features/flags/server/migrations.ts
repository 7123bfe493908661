import { sql, type Kysely } from 'kysely';

/** Segments, and which client keys are for SDKs that know none. */
export async function segments({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('segment')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('attribute', 'text', (column) => column.notNull())
    .addColumn('numbers', 'integer', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_by', 'text')
    .addColumn('changed_by_id', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .alterTable('client_key')
    .addColumn('older_sdks', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

/** How often flags were evaluated and reported, and what came with each client key. */
export async function usage({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('flag_usage')
    .addColumn('step', 'integer', (column) => column.notNull())
    .addColumn('flag_key', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('client_key', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('flag_usage_key', ['step', 'flag_key', 'at', 'client_key', 'kind', 'value'])
    .execute();
  await schema.createIndex('flag_usage_at').on('flag_usage').columns(['step', 'at']).execute();
}

/** Flags that are archived, kill switches, and client keys whose payload is encrypted. */
export async function archiveAndEncryption({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('flag')
    .addColumn('kill_switch', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.alterTable('flag').addColumn('archived_at', 'bigint').execute();
  await schema.alterTable('client_key').addColumn('decryption_key', 'text').execute();
}

/** The variations that people have, and the client keys for which they are kept. */
export async function stickyBuckets({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('sticky_bucket')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('assignments', 'text', (column) => column.notNull())
    .addColumn('read_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('sticky_bucket_read').on('sticky_bucket').column('read_at').execute();
  await schema
    .alterTable('client_key')
    .addColumn('sticky_buckets', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

/** Changes of flags that wait for a review, and whether they need one. */
export async function review(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('flag_review')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('required', 'integer', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into flag_review (id, required, version) values (1, 0, 1)`.execute(database);
  await database.schema
    .createTable('flag_proposal')
    .addColumn('flag_key', 'text', (column) => column.primaryKey())
    .addColumn('flag', 'text', (column) => column.notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('publish_at', 'bigint')
    .addColumn('base', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('author_kind', 'text', (column) => column.notNull())
    .addColumn('author_id', 'text')
    .addColumn('author_name', 'text', (column) => column.notNull())
    .addColumn('owner_id', 'text')
    .addColumn('approved', 'integer')
    .addColumn('review_note', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('reviewed_at', 'bigint')
    .addColumn('reviewed_by', 'text')
    .addColumn('reviewed_by_id', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
}
