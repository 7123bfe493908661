import type { Kysely } from 'kysely';

/** Sessions at the hosts of applications: the codes by which they come there, and the secrets of their cookies. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('hand_over_code')
    .addColumn('code_hash', 'text', (column) => column.primaryKey())
    .addColumn('session_id', 'text', (column) =>
      column.notNull().references('session.id').onDelete('cascade'),
    )
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('challenge', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('hand_over_code_session').on('hand_over_code').column('session_id').execute();
  await schema.createIndex('hand_over_code_expiry').on('hand_over_code').column('expires_at').execute();
  await schema
    .createTable('host_session')
    .addColumn('secret_hash', 'text', (column) => column.primaryKey())
    .addColumn('session_id', 'text', (column) =>
      column.notNull().references('session.id').onDelete('cascade'),
    )
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('host_session_session')
    .on('host_session')
    .columns(['session_id', 'host'])
    .execute();
}
