import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const migrations: Record<string, Migration> = {
  '0001-first-light': { up: firstLight },
  '0002-files-and-reports': { up: filesAndReports },
};

/** Text, integers and nothing else: what SQLite and PostgreSQL share. `bigint` is INTEGER to SQLite. */
async function firstLight(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;

  await schema
    .createTable('revision')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('n', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('changed')
    .addColumn('topic', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('changed_pk', ['topic', 'key'])
    .execute();
  await schema.createIndex('changed_revision').on('changed').column('revision').execute();
  await schema
    .createTable('setting')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();

  await schema
    .createTable('person')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint')
    .addColumn('blocked_at', 'bigint')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('person_identity', ['issuer', 'subject'])
    .execute();
  await schema.createIndex('person_email').on('person').column('email').execute();
  await schema
    .createTable('profile')
    .addColumn('person_id', 'text', (column) => column.primaryKey().references('person.id'))
    .addColumn('first_name', 'text', (column) => column.notNull())
    .addColumn('last_name', 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull())
    .addColumn('phone', 'text', (column) => column.notNull())
    .addColumn('organisation', 'text', (column) => column.notNull())
    .addColumn('job_title', 'text', (column) => column.notNull())
    .addColumn('locale', 'text')
    .addColumn('time_zone', 'text')
    .addColumn('avatar', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('profile_name').on('profile').columns(['name_key', 'person_id']).execute();
  await schema
    .createTable('person_role')
    .addColumn('person_id', 'text', (column) => column.notNull().references('person.id'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('person_role_pk', ['person_id', 'role'])
    .execute();

  await schema
    .createTable('session')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
    .addColumn('person_id', 'text', (column) => column.notNull().references('person.id'))
    .addColumn('id_token', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('session_person').on('session').column('person_id').execute();
  await schema.createIndex('session_expiry').on('session').column('expires_at').execute();
  await schema
    .createTable('map_cookie')
    .addColumn('session_id', 'text', (column) =>
      column.primaryKey().references('session.id').onDelete('cascade'),
    )
    .addColumn('handle_hash', 'text', (column) => column.notNull().unique())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('api_token')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
    .addColumn('rights', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.references('person.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute();
  await schema
    .createTable('signing_key')
    .addColumn('kid', 'text', (column) => column.primaryKey())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('jwk', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  await schema
    .createTable('account')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('sign_in_guess')
    .addColumn('email_hash', 'text', (column) => column.primaryKey())
    .addColumn('guesses', 'integer', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addColumn('next_try_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('sign_in_guess_last').on('sign_in_guess').column('last_at').execute();
  await schema
    .createTable('one_time_link')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.references('account.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('oidc_record')
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('grant_id', 'text')
    .addColumn('uid', 'text')
    .addColumn('account_id', 'text')
    .addColumn('expires_at', 'bigint')
    .addColumn('consumed_at', 'bigint')
    .addPrimaryKeyConstraint('oidc_record_pk', ['model', 'id'])
    .execute();
  await schema.createIndex('oidc_record_grant').on('oidc_record').column('grant_id').execute();
  await schema.createIndex('oidc_record_account').on('oidc_record').column('account_id').execute();
  await schema.createIndex('oidc_record_uid').on('oidc_record').column('uid').execute();
  await schema.createIndex('oidc_record_expiry').on('oidc_record').column('expires_at').execute();

  await schema
    .createTable('flag')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('default_value', 'text', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('rules', 'text', (column) => column.notNull())
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_by', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('client_key')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  await schema
    .createTable('maintenance')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('severity', 'text', (column) => column.notNull())
    .addColumn('expected_end', 'bigint')
    .addColumn('since', 'bigint')
    .addColumn('changed_at', 'bigint')
    .addColumn('changed_by', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();

  await schema
    .createTable('audit')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('actor_name', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .execute();
  await schema.createIndex('audit_at').on('audit').column('at').execute();

  const insert = db as unknown as Kysely<{
    revision: { id: number; n: number; at: number };
    maintenance: { id: number; mode: string; text: string; severity: string; version: number };
  }>;
  await insert.insertInto('revision').values({ id: 1, n: 0, at: 0 }).execute();
  await insert
    .insertInto('maintenance')
    .values({ id: 1, mode: 'off', text: '', severity: 'HIGH', version: 1 })
    .execute();
}

async function filesAndReports(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;

  await schema
    .createTable('file')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text')
    .addColumn('filename', 'text', (column) => column.notNull())
    .addColumn('content_type', 'text', (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('file_owner').on('file').column('owner').execute();
  await schema.createIndex('file_hash').on('file').column('hash').execute();
  await schema
    .createTable('file_chunk')
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('bytes', 'bytea', (column) => column.notNull())
    .addColumn('stored_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('file_chunk_pk', ['hash', 'position'])
    .execute();
  await schema.createIndex('profile_avatar').on('profile').column('avatar').execute();

  await schema
    .createTable('report')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('number', 'bigint', (column) => column.notNull().unique())
    .addColumn('event_id', 'text', (column) => column.notNull().unique())
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('reporter_id', 'text', (column) => column.references('person.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('associated_event_id', 'text')
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('context', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('search_key', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('report_status').on('report').columns(['status', 'number']).execute();
  await schema.createIndex('report_reporter').on('report').columns(['reporter_id', 'number']).execute();
  await schema
    .createTable('report_history')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('report_id', 'text', (column) => column.notNull().references('report.id'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text', (column) => column.notNull())
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('actor_name', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('report_history_report')
    .on('report_history')
    .columns(['report_id', 'at'])
    .execute();
  await schema
    .createTable('report_picture')
    .addColumn('report_id', 'text', (column) => column.notNull().references('report.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('file_id', 'text', (column) => column.notNull().unique().references('file.id'))
    .addPrimaryKeyConstraint('report_picture_pk', ['report_id', 'position'])
    .execute();
}
