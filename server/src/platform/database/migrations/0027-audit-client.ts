import type { Kysely } from 'kysely';

/** The client with which something was done (AUD-1). Nothing is known of what was recorded before. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  for (const column of ['client', 'client_system'])
    await schema.alterTable('audit').addColumn(column, 'text').execute();
}
