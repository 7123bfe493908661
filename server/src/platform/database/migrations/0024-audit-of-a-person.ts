import type { Kysely } from 'kysely';

/** What a person did is found by an index in the order of time, like what was done to them. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.createIndex('audit_actor_order').on('audit').columns(['actor_id', 'at', 'id']).execute();
  await schema.dropIndex('audit_actor').execute();
}
