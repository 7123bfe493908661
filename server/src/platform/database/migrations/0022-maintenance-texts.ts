import type { Kysely } from 'kysely';

/**
 * Texts of maintenance in each phase and language (MAINT-5), as JSON. What was planned before has none, and keeps its one
 * text.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['maintenance', 'maintenance_window'])
    await db.schema
      .alterTable(table)
      .addColumn('texts', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute();
}
