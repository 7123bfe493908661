import type { Kysely } from 'kysely';

/** Flags that are archived, kill switches, and client keys whose payload is encrypted. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('flag')
    .addColumn('kill_switch', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.alterTable('flag').addColumn('archived_at', 'bigint').execute();
  await schema.alterTable('client_key').addColumn('decryption_key', 'text').execute();
}
