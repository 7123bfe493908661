import type { Kysely } from 'kysely';

/** The memberships that an outside provider lists, and what Portico stores of its sessions there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;

  await schema
    .createTable('person_group')
    .addColumn('person_id', 'text', (column) => column.notNull().references('person.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('person_group_pk', ['person_id', 'kind', 'name'])
    .execute();
  await schema.createIndex('person_group_name').on('person_group').columns(['kind', 'name']).execute();

  await schema
    .createTable('person_relink')
    .addColumn('person_id', 'text', (column) => column.primaryKey().references('person.id'))
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('person_relink_email').on('person_relink').columns(['issuer', 'email']).execute();

  await schema
    .createTable('provider_session')
    .addColumn('session_id', 'text', (column) =>
      column.primaryKey().references('session.id').onDelete('cascade'),
    )
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('sid', 'text')
    .addColumn('refresh_token', 'text')
    .addColumn('next_check_at', 'bigint')
    .addColumn('claimed_until', 'bigint')
    .addColumn('unsure_since', 'bigint')
    .addColumn('failures', 'integer', (column) => column.notNull())
    .execute();
  await schema.createIndex('provider_session_check').on('provider_session').column('next_check_at').execute();
  await schema
    .createIndex('provider_session_subject')
    .on('provider_session')
    .columns(['issuer', 'subject'])
    .execute();
  await schema
    .createIndex('provider_session_sid')
    .on('provider_session')
    .columns(['issuer', 'sid'])
    .execute();

  await schema
    .createTable('logout_token')
    .addColumn('id_hash', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('logout_token_expiry').on('logout_token').column('expires_at').execute();
}
