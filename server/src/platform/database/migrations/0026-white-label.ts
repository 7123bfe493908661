import type { Kysely } from 'kysely';

/** What the sign-in and the maintenance page show of an installation in addition to its name, mark and colour (CON-1). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [column, type] of [
    ['contact', 'text'],
    ['status_url', 'text'],
    ['picture_id', 'text'],
    ['picture_type', 'text'],
    ['picture', 'bytea'],
  ] as const)
    await db.schema.alterTable('branding').addColumn(column, type).execute();
}
