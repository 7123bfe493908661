import type { Kysely } from 'kysely';

/**
 * One index answers who is in a group, which groups there are, and how many people are in each, without the
 * table.
 */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('person_group_members')
    .on('person_group')
    .columns(['kind', 'name', 'person_id'])
    .execute();
  await schema.dropIndex('person_group_name').execute();
  await schema.dropIndex('person_group_by_name').execute();
}
