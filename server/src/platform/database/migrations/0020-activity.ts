import type { Kysely } from 'kysely';

/** Figures of each five minutes for the overview, a row for each process that ran in them (CON-2). */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('activity')
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('process_id', 'text', (column) => column.notNull())
    .addColumn('people', 'integer', (column) => column.notNull())
    .addColumn('sdks', 'integer', (column) => column.notNull())
    .addColumn('sdk_minutes', 'integer', (column) => column.notNull())
    .addColumn('minutes', 'integer', (column) => column.notNull())
    .addColumn('evaluations', 'bigint', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('activity_pk', ['at', 'process_id'])
    .execute();
}
