import { sql, type Kysely } from 'kysely';

/** People in order of when they joined and were last seen come from an index, as those by name do (CON-4). */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.createIndex('person_joined').on('person').columns(['created_at', 'id']).execute();
  await schema
    .createIndex('person_seen')
    .on('person')
    .columns([sql`(coalesce(last_seen_at, 0))`, 'id'])
    .execute();
}
