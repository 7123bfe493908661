import { sql, type Kysely } from 'kysely';

/**
 * That an installation has been set up is a fact of its own, which no change of roles undoes (START-6), and
 * whether the provider vouches for a person's address is stored with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('person')
    .addColumn('email_verified', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // Of other providers it is unknown until the next sign-in. Addresses of the embedded one are given by
  // operators.
  await sql`update person set email_verified = 1 where issuer = 'embedded' and email <> ''`.execute(db);

  // Nothing but a first operator brings accounts, group mappings or given roles about, and the audit forgets
  // nothing.
  await sql`insert into setting (name, value)
    select 'first-operator', 'before 0012' where exists (select 1 from person_role where role = 'operator')
      or exists (select 1 from person_role where given_by is not null)
      or exists (select 1 from account)
      or exists (select 1 from group_mapping)
      or exists (select 1 from audit where action in ('set-up.claim', 'set-up.unattended', 'operator.create', 'operator.reset'))`.execute(
    db,
  );
}
