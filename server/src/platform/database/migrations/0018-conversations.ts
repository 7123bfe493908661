import { sql, type Kysely } from 'kysely';

/**
 * Reports as conversations (BUG-8, BUG-9): messages, assignee, labels and duplicates, saved filters, whom new
 * reports are mailed to, and mails of every kind.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
