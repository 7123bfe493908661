import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const migrations: Record<string, Migration> = {
  '0019-hand-over': { up: handOver },
  '0020-activity': { up: activity },
  '0021-map-layers': { up: mapLayers },
  '0022-maintenance-texts': { up: maintenanceTexts },
  '0023-home': { up: home },
  '0024-audit-of-a-person': { up: auditOfAPerson },
  '0026-white-label': { up: whiteLabel },
  '0027-audit-client': { up: auditClient },
  '0028-people-order': { up: peopleOrder },
  '0029-flags-for-signed-out': { up: flagsForSignedOut },
  '0031-stored-for-strangers': { up: storedForStrangers },
  '0036-creations': { up: creations },
  '0037-clients-by-key': { up: clientsByKey },
};

/** Sessions at the hosts of applications: the codes by which they come there, and the secrets of their cookies. */
async function handOver({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('hand_over_code')
    .addColumn('code_hash', 'text', (column) => column.primaryKey())
    .addColumn('session_id', 'text', (column) =>
      column.notNull().references('session.id').onDelete('cascade'),
    )
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('challenge', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('hand_over_code_session').on('hand_over_code').column('session_id').execute();
  await schema.createIndex('hand_over_code_expiry').on('hand_over_code').column('expires_at').execute();
  await schema
    .createTable('host_session')
    .addColumn('secret_hash', 'text', (column) => column.primaryKey())
    .addColumn('session_id', 'text', (column) =>
      column.notNull().references('session.id').onDelete('cascade'),
    )
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('host_session_session')
    .on('host_session')
    .columns(['session_id', 'host'])
    .execute();
}

/** Figures of each five minutes for the overview, a row for each process that ran in them (CON-2). */
async function activity({ schema }: Kysely<unknown>): Promise<void> {
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

/** What operators decide about the layers of the map (MAP-2): who sees them, their order and titles. */
async function mapLayers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('map_layer')
    // The name in lower case: some map servers find layers in any.
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('access', 'text', (column) => column.notNull())
    .addColumn('right_name', 'text')
    .addColumn('on_at_first', 'integer', (column) => column.notNull())
    .addColumn('title_en', 'text', (column) => column.notNull())
    .addColumn('title_de', 'text', (column) => column.notNull())
    .addColumn('title_fr', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('map_workspace')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('access', 'text', (column) => column.notNull())
    .addColumn('right_name', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('map_order')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('names', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into map_order (id, names, version) values (1, '[]', 1)`.execute(db);
}

/**
 * Texts of maintenance in each phase and language (MAINT-5), as JSON. What was planned before has none, and keeps its one
 * text.
 */
async function maintenanceTexts(db: Kysely<unknown>): Promise<void> {
  for (const table of ['maintenance', 'maintenance_window'])
    await db.schema
      .alterTable(table)
      .addColumn('texts', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute();
}

/** The applications on the home screen (HOME-1): those that operators list, and what they change about others. */
async function home(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('home_app')
    // An id, or `~` and the name of an application behind the gateway.
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_en', 'text', (column) => column.notNull())
    .addColumn('name_de', 'text', (column) => column.notNull())
    .addColumn('name_fr', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('description_en', 'text', (column) => column.notNull())
    .addColumn('description_de', 'text', (column) => column.notNull())
    .addColumn('description_fr', 'text', (column) => column.notNull())
    // Null: the configuration of the gateway has it.
    .addColumn('address', 'text')
    .addColumn('right_name', 'text')
    .addColumn('shown', 'integer', (column) => column.notNull())
    .addColumn('picture_id', 'text')
    .addColumn('picture_type', 'text')
    .addColumn('picture', 'bytea')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('home_order')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('keys', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into home_order (id, keys, version) values (1, '[]', 1)`.execute(db);
}

/** What a person did is found by an index in the order of time, like what was done to them. */
async function auditOfAPerson({ schema }: Kysely<unknown>): Promise<void> {
  await schema.createIndex('audit_actor_order').on('audit').columns(['actor_id', 'at', 'id']).execute();
  await schema.dropIndex('audit_actor').execute();
}

/** What the sign-in and the maintenance page show of an installation in addition to its name, mark and colour (CON-1). */
async function whiteLabel(db: Kysely<unknown>): Promise<void> {
  for (const [column, type] of [
    ['contact', 'text'],
    ['status_url', 'text'],
    ['picture_id', 'text'],
    ['picture_type', 'text'],
    ['picture', 'bytea'],
  ] as const)
    await db.schema.alterTable('branding').addColumn(column, type).execute();
}

/** The client with which something was done (AUD-1). Nothing is known of what was recorded before. */
async function auditClient({ schema }: Kysely<unknown>): Promise<void> {
  for (const column of ['client', 'client_system'])
    await schema.alterTable('audit').addColumn(column, 'text').execute();
}

/** People in order of when they joined and were last seen come from an index, as those by name do (CON-4). */
async function peopleOrder({ schema }: Kysely<unknown>): Promise<void> {
  await schema.createIndex('person_joined').on('person').columns(['created_at', 'id']).execute();
  await schema
    .createIndex('person_seen')
    .on('person')
    .columns([sql`(coalesce(last_seen_at, 0))`, 'id'])
    .execute();
}

/** Which flags browsers receive whose person is not signed in (FLAG-9): none before an operator marks them. */
async function flagsForSignedOut({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('flag')
    .addColumn('for_signed_out', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

/** What is stored of people who are not signed in has a bound of its own (BUG-6, DIAG-2). */
async function storedForStrangers(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.alterTable('report').addColumn('stranger_bytes', 'bigint').execute();
  await sql`
    update report set stranger_bytes = 1000 + length(message) + length(tags) + length(context) + length(url)
    where reporter_id is null`.execute(db);
  await sql`create index report_of_strangers on report (stranger_bytes) where stranger_bytes is not null`.execute(
    db,
  );
  await schema.alterTable('error_event').addColumn('from_known', 'integer').execute();
}

/** What was created under an id of a client, so that a repeated call creates nothing (API-3). */
async function creations({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('creation')
    .addColumn('key_hash', 'text', (column) => column.primaryKey())
    .addColumn('caller', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('creation_caller').on('creation').columns(['caller', 'created_at']).execute();
  await schema.createIndex('creation_created').on('creation').column('created_at').execute();
}

/** How many clients were connected with each key, so that all screens count those of all processes (CON-2). */
async function clientsByKey({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('activity')
    .addColumn('sdk_keys', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute();
}
