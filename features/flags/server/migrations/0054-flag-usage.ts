import type { Kysely } from 'kysely';

/** How often flags were evaluated and reported, and what came with each client key. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('flag_usage')
    .addColumn('step', 'integer', (column) => column.notNull())
    .addColumn('flag_key', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('client_key', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('flag_usage_key', ['step', 'flag_key', 'at', 'client_key', 'kind', 'value'])
    .execute();
  await schema.createIndex('flag_usage_at').on('flag_usage').columns(['step', 'at']).execute();
}
