import type { Kysely } from 'kysely';

/**
 * Planned windows with their history, webhooks with their deliveries, and presence where several processes
 * share it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;

  await schema
    .createTable('maintenance_window')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('severity', 'text', (column) => column.notNull())
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('starts_at', 'bigint', (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .addColumn('lead_minutes', 'integer', (column) => column.notNull())
    .addColumn('ends_by_itself', 'integer', (column) => column.notNull())
    .addColumn('time_zone', 'text')
    .addColumn('phase', 'text', (column) => column.notNull())
    .addColumn('over_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('maintenance_window_over')
    .on('maintenance_window')
    .columns(['over_at', 'starts_at'])
    .execute();
  await schema
    .createTable('maintenance_history')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('deed', 'text', (column) => column.notNull())
    .addColumn('window_id', 'text')
    .addColumn('title', 'text')
    .addColumn('by', 'text')
    .addColumn('facts', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('maintenance_history_at')
    .on('maintenance_history')
    .columns(['at', 'id'])
    .execute();
  await schema
    .createIndex('maintenance_history_window')
    .on('maintenance_history')
    .columns(['window_id', 'at'])
    .execute();

  await schema
    .createTable('webhook')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('webhook_delivery')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('webhook_id', 'text', (column) =>
      column.notNull().references('webhook.id').onDelete('cascade'),
    )
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('next_try_at', 'bigint')
    .addColumn('claimed_until', 'bigint')
    .execute();
  await schema
    .createIndex('webhook_delivery_due')
    .on('webhook_delivery')
    .columns(['state', 'next_try_at'])
    .execute();
  await schema
    .createIndex('webhook_delivery_webhook')
    .on('webhook_delivery')
    .columns(['webhook_id', 'created_at', 'id'])
    .execute();
  await schema
    .createTable('webhook_attempt')
    .addColumn('delivery_id', 'text', (column) =>
      column.notNull().references('webhook_delivery.id').onDelete('cascade'),
    )
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('took', 'integer', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('failure', 'text')
    .addPrimaryKeyConstraint('webhook_attempt_pk', ['delivery_id', 'at'])
    .execute();

  await schema
    .createTable('presence_process')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('presence')
    .addColumn('connection_id', 'text', (column) => column.primaryKey())
    .addColumn('process_id', 'text', (column) => column.notNull())
    .addColumn('person_hash', 'text', (column) => column.notNull())
    .addColumn('tabs', 'integer', (column) => column.notNull())
    .addColumn('unsaved', 'integer', (column) => column.notNull())
    .execute();
  await schema.createIndex('presence_process_id').on('presence').column('process_id').execute();
}
