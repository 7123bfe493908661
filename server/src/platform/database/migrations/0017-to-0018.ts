import { SqliteAdapter, sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const migrations: Record<string, Migration> = {
  '0017-diagnostics': { up: diagnostics },
  '0018-conversations': { up: conversations },
};

/** Errors that applications report with Sentry's SDKs (DIAG-2). */
async function diagnostics(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  const sqlite = db.getExecutor().adapter instanceof SqliteAdapter;

  await schema
    .createTable('diagnostic_project')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('forward_to', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text')
    .addColumn('removed_at', 'bigint')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('diagnostic_key')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull().references('diagnostic_project.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text')
    .addColumn('revoked_at', 'bigint')
    .addColumn('revoked_by', 'text')
    .execute();

  await schema
    .createTable('error_group')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull().references('diagnostic_project.id'))
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('level', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('resolved_at', 'bigint')
    .addColumn('resolved_in', 'text')
    .addColumn('returned_at', 'bigint')
    .addColumn('first_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('first_release', 'text')
    .addColumn('last_release', 'text')
    .addColumn('events', 'bigint', (column) => column.notNull())
    .addColumn('people', 'bigint', (column) => column.notNull())
    .addColumn('search_key', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('error_group_fingerprint', ['project_id', 'fingerprint'])
    .execute();
  for (const column of ['last_seen_at', 'first_seen_at', 'events', 'people']) {
    await schema
      .createIndex(`error_group_${column}`)
      .on('error_group')
      .columns(['status', column, 'id'])
      .execute();
  }

  // The number follows the order of arrival: retention, the list of one group and the search for a person's
  // errors all walk along it.
  const events = schema
    .createTable('error_event')
    .addColumn('n', sqlite ? 'integer' : 'bigserial', (column) =>
      sqlite ? column.primaryKey().autoIncrement() : column.primaryKey(),
    )
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('group_id', 'text', (column) => column.notNull().references('error_group.id'))
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('release', 'text')
    .addColumn('environment', 'text')
    .addColumn('browser', 'text')
    .addColumn('system', 'text')
    .addColumn('person_hash', 'text');
  await events.execute();
  await schema.createIndex('error_event_id').on('error_event').column('event_id').execute();
  await schema.createIndex('error_event_group').on('error_event').columns(['group_id', 'n']).execute();
  await sql`create index error_event_person on error_event (person_hash, received_at) where person_hash is not null`.execute(
    db,
  );
  await schema
    .createTable('error_sample')
    .addColumn('n', 'bigint', (column) => column.primaryKey().references('error_event.n').onDelete('cascade'))
    .addColumn('group_id', 'text', (column) => column.notNull())
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('payload', 'bytea', (column) => column.notNull())
    .execute();
  // With the size, so that all of them are summed up without reading a payload.
  await schema
    .createIndex('error_sample_group')
    .on('error_sample')
    .columns(['group_id', 'n', 'size'])
    .execute();

  await schema
    .createTable('error_count')
    .addColumn('group_id', 'text', (column) => column.notNull())
    .addColumn('hour', 'bigint', (column) => column.notNull())
    .addColumn('events', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('error_count_pk', ['group_id', 'hour'])
    .execute();
  await schema
    .createTable('project_count')
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('hour', 'bigint', (column) => column.notNull())
    .addColumn('events', 'bigint', (column) => column.notNull())
    .addColumn('refused', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('project_count_pk', ['project_id', 'hour'])
    .execute();
  await schema
    .createTable('project_release')
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('release', 'text', (column) => column.notNull())
    .addColumn('first_seen_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('project_release_pk', ['project_id', 'release'])
    .execute();
  await schema
    .createTable('error_person')
    .addColumn('group_id', 'text', (column) => column.notNull())
    .addColumn('person_hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('error_person_pk', ['group_id', 'person_hash'])
    .execute();
  await schema
    .createTable('error_facet')
    .addColumn('group_id', 'text', (column) => column.notNull())
    .addColumn('facet', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('events', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('error_facet_pk', ['group_id', 'facet', 'value'])
    .execute();
  await schema
    .createIndex('error_facet_value')
    .on('error_facet')
    .columns(['facet', 'value', 'group_id'])
    .execute();

  await schema
    .createTable('error_alert')
    .addColumn('group_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('raised_at', 'bigint', (column) => column.notNull())
    .addColumn('sent_at', 'bigint')
    .addPrimaryKeyConstraint('error_alert_pk', ['group_id', 'kind'])
    .execute();
  await schema.createIndex('error_alert_sent').on('error_alert').columns(['sent_at', 'raised_at']).execute();

  await schema
    .createTable('source_map')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull().references('diagnostic_project.id'))
    .addColumn('release', 'text', (column) => column.notNull())
    .addColumn('file', 'text', (column) => column.notNull())
    .addColumn('debug_id', 'text')
    .addColumn('file_id', 'text', (column) => column.notNull().references('file.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text')
    .addUniqueConstraint('source_map_file', ['project_id', 'release', 'file'])
    .execute();
  await schema.createIndex('source_map_shown').on('source_map').column('file_id').execute();
  await schema.createIndex('source_map_debug').on('source_map').column('debug_id').execute();

  await sql`create index report_associated on report (associated_event_id) where associated_event_id is not null`.execute(
    db,
  );

  await schema
    .createTable('diagnostic_settings')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('event_days', 'integer', (column) => column.notNull())
    .addColumn('event_megabytes', 'integer', (column) => column.notNull())
    .addColumn('alert_new', 'integer', (column) => column.notNull())
    .addColumn('alert_returned', 'integer', (column) => column.notNull())
    .addColumn('alert_events', 'integer')
    .addColumn('alert_minutes', 'integer', (column) => column.notNull())
    .addColumn('alert_mails', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'bigint')
    .addColumn('changed_by', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await sql`
    insert into diagnostic_settings
      (id, event_days, event_megabytes, alert_new, alert_returned, alert_minutes, alert_mails, version)
    values (1, 90, 1024, 1, 1, 60, '[]', 1)`.execute(db);
}

/**
 * Reports as conversations (BUG-8, BUG-9): messages, assignee, labels and duplicates, saved filters, whom new
 * reports are mailed to, and mails of every kind.
 */
async function conversations(db: Kysely<unknown>): Promise<void> {
  await extendReports(db);
  await createMessages(db);
  await createLabels(db);
  await createSettings(db);
  await extendMail(db);
}

async function extendReports(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  const report = schema.alterTable('report');
  await report.addColumn('assignee_id', 'text').execute();
  await report.addColumn('duplicate_of', 'text').execute();
  await report.addColumn('tab', 'text', (column) => column.notNull().defaultTo('open')).execute();
  await report.addColumn('replies', 'integer', (column) => column.notNull().defaultTo(0)).execute();
  await report.addColumn('notes', 'integer', (column) => column.notNull().defaultTo(0)).execute();
  await report.addColumn('last_word', 'text', (column) => column.notNull().defaultTo('reporter')).execute();
  await report.addColumn('told_at', 'bigint', (column) => column.notNull().defaultTo(0)).execute();
  await sql`update report set told_at = changed_at, tab = case
    when status in ('resolved', 'closed', 'duplicate') then 'done'
    when status = 'spam' then 'spam' else 'open' end`.execute(db);
  await schema.createIndex('report_tab').on('report').columns(['tab', 'number']).execute();
  await schema
    .createIndex('report_tab_changed')
    .on('report')
    .columns(['tab', 'changed_at', 'number'])
    .execute();
  await schema.createIndex('report_changed').on('report').columns(['changed_at', 'number']).execute();
  await sql`create index report_assignee on report (assignee_id, tab, number)
    where assignee_id is not null`.execute(db);
  await sql`create index report_duplicate on report (duplicate_of, number)
    where duplicate_of is not null`.execute(db);
  await schema
    .alterTable('report_history')
    .addColumn('what', 'text', (column) => column.notNull().defaultTo('status'))
    .execute();
  // An erasure looks for people in both.
  await sql`create index report_history_before on report_history (before) where what = 'assignee'`.execute(
    db,
  );
  await sql`create index report_history_after on report_history (after) where what = 'assignee'`.execute(db);
}

async function createMessages(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('report_message')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('report_id', 'text', (column) => column.notNull().references('report.id'))
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('side', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('search_key', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('edited_at', 'bigint')
    .addColumn('author_kind', 'text', (column) => column.notNull())
    .addColumn('author_id', 'text')
    .addColumn('author_name', 'text', (column) => column.notNull())
    .addUniqueConstraint('report_message_event', ['report_id', 'event_id'])
    .execute();
  await schema
    .createIndex('report_message_report')
    .on('report_message')
    .columns(['report_id', 'at'])
    .execute();
  await schema.createIndex('report_message_at').on('report_message').column('at').execute();
  await schema.createIndex('report_message_author').on('report_message').column('author_id').execute();
  await schema.createIndex('report_message_name').on('report_message').column('author_name').execute();
  await sql`create index report_message_lower_name on report_message (lower(author_name))`.execute(db);
}

async function createLabels({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('report_label')
    .addColumn('report_id', 'text', (column) => column.notNull().references('report.id'))
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('label_key', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('report_label_pk', ['report_id', 'label_key'])
    .execute();
  await schema
    .createIndex('report_label_key')
    .on('report_label')
    .columns(['label_key', 'report_id'])
    .execute();
}

async function createSettings(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('report_filter')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner_id', 'text')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('filter', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('report_filter_owner').on('report_filter').column('owner_id').execute();
  await schema
    .createTable('report_settings')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('notified', 'text', (column) => column.notNull())
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('tracker', 'text')
    .addColumn('changed_at', 'bigint')
    .addColumn('changed_by', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into report_settings (id, notified, language, version) values (1, '[]', 'en', 1)`.execute(
    db,
  );
}

async function extendMail({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('mail').addColumn('about', 'text').execute();
  await schema
    .createTable('mail_pause')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('mail_pause_pk', ['kind', 'email'])
    .execute();
}
