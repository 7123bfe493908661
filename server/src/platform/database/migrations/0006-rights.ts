import { sql, type Kysely } from 'kysely';
import { emailSkeleton } from '../email-skeleton.ts';

/**
 * Own rights and roles, grants and denials of single rights, groups that give roles, and what a list of
 * 20,000 people is searched by.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;

  await schema
    .createTable('own_right')
    .addColumn('right_name', 'text', (column) => column.primaryKey())
    .addColumn('area', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('own_role')
    .addColumn('role', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('own_role_right')
    .addColumn('role', 'text', (column) => column.notNull().references('own_role.role').onDelete('cascade'))
    .addColumn('right_name', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('own_role_right_pk', ['role', 'right_name'])
    .execute();
  await schema.createIndex('own_role_right_name').on('own_role_right').column('right_name').execute();

  await schema
    .createTable('person_right')
    .addColumn('person_id', 'text', (column) => column.notNull().references('person.id').onDelete('cascade'))
    .addColumn('right_name', 'text', (column) => column.notNull())
    .addColumn('effect', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('expiry_told', 'integer', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('given_at', 'bigint', (column) => column.notNull())
    .addColumn('given_by', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('person_right_pk', ['person_id', 'right_name', 'effect'])
    .execute();
  await schema
    .createIndex('person_right_name')
    .on('person_right')
    .columns(['right_name', 'effect', 'person_id'])
    .execute();
  await schema
    .createIndex('person_right_expiry')
    .on('person_right')
    .columns(['expiry_told', 'expires_at'])
    .execute();

  await schema.alterTable('person_role').addColumn('given_at', 'bigint').execute();
  await schema.alterTable('person_role').addColumn('given_by', 'text').execute();
  await schema.createIndex('person_role_role').on('person_role').columns(['role', 'person_id']).execute();

  await schema
    .createTable('group_mapping')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('match', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('group_mapping_name', ['kind', 'match', 'name'])
    .execute();
  await schema
    .createTable('group_mapping_role')
    .addColumn('mapping_id', 'text', (column) =>
      column.notNull().references('group_mapping.id').onDelete('cascade'),
    )
    .addColumn('role', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('group_mapping_role_pk', ['mapping_id', 'role'])
    .execute();

  // The memberships that a provider lists; an installation without one has the table too.
  await schema
    .createTable('person_group')
    .ifNotExists()
    .addColumn('person_id', 'text', (column) => column.notNull().references('person.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('person_group_pk', ['person_id', 'kind', 'name'])
    .execute();
  await schema.createIndex('person_group_by_name').on('person_group').columns(['name', 'kind']).execute();

  await schema.alterTable('person').addColumn('email_skeleton', 'text').execute();
  await keepSkeletons(db);
  await schema.createIndex('person_email_skeleton').on('person').column('email_skeleton').execute();
}

async function keepSkeletons(db: Kysely<unknown>): Promise<void> {
  const people = db as Kysely<{ person: { id: string; email: string; email_skeleton: string | null } }>;
  for (let after = ''; ;) {
    const some = await people
      .selectFrom('person')
      .select(['id', 'email'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(500)
      .execute();
    const last = some.at(-1);
    if (last === undefined) return;
    after = last.id;
    const cases = some.map(({ id, email }) => sql`when ${id} then ${emailSkeleton(email)}`);
    await people
      .updateTable('person')
      .set({ email_skeleton: sql<string>`case id ${sql.join(cases, sql` `)} end` })
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .execute();
  }
}
