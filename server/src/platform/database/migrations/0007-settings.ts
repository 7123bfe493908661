import { sql, type Kysely } from 'kysely';

/** API tokens and client keys that can be revoked, and how the installation looks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;

  // SQLite adds one column at a time.
  await schema.alterTable('api_token').addColumn('parent_id', 'text').execute();
  await schema.alterTable('api_token').addColumn('revoked_at', 'bigint').execute();
  await schema.alterTable('api_token').addColumn('revoked_by', 'text').execute();
  await schema.createIndex('api_token_parent').on('api_token').column('parent_id').execute();

  await schema.alterTable('client_key').addColumn('created_by', 'text').execute();
  await schema.alterTable('client_key').addColumn('revoked_at', 'bigint').execute();
  await schema.alterTable('client_key').addColumn('revoked_by', 'text').execute();
  await schema
    .alterTable('client_key')
    .addColumn('version', 'bigint', (column) => column.notNull().defaultTo(1))
    .execute();

  await schema
    .createTable('branding')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text')
    .addColumn('accent', 'text')
    .addColumn('mark_id', 'text')
    .addColumn('mark_type', 'text')
    .addColumn('mark', 'bytea')
    .addColumn('changed_at', 'bigint')
    .addColumn('changed_by', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into branding (id, version) values (1, 1)`.execute(db);
}
