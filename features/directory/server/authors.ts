import { sql, SqliteAdapter, type Kysely, type RawBuilder } from 'kysely';
import type { Actor } from '#features/audit/server/audit.store.ts';
import type { Tables } from '#server/platform/database/schema.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** What an erased person is called wherever a row still holds their id. */
    erased_person: { person_id: string; pseudonym: string };
  }
}

type Written<Column extends string, Author> = { [C in Column]: Author extends null ? null : string } & {
  [C in `${Column}_id`]: string | null;
};

/**
 * The two columns that name the author of a row: `<column>_id`, null where the author is no person, and
 * `<column>`, the name as it is now, for authors without an id and for the release before (decision 0077).
 */
export function writtenBy<const Column extends string, Author extends Actor | null>(
  column: Column,
  author: Author,
): Written<Column, Author> {
  return {
    [column]: author?.name ?? null,
    [`${column}_id`]: author?.kind === 'person' ? author.id : null,
  } as Written<Column, Author>;
}

/**
 * The author of a row as people are shown it: the current address of a person, the pseudonym of an erased person, or
 * else the stored name. Too slow for rows that every request reads.
 *
 * @param column with its table; the table also has `<column>_id`, or for `…_name` an `…_kind` and an `…_id`
 */
export function authorOf<T extends keyof Tables, Column extends keyof Tables[T] & string>(
  column: `${T}.${Column}`,
): RawBuilder<Tables[T][Column]> {
  const [, actor] = /^(.+)_name$/.exec(column) ?? [];
  const id =
    actor === undefined
      ? sql.ref(`${column}_id`)
      : sql`case when ${sql.ref(`${actor}_kind`)} = 'person' then ${sql.ref(`${actor}_id`)} end`;
  return sql`coalesce(
    (select nullif(person.email, '') from person where person.id = ${id}),
    (select pseudonym from erased_person where person_id = ${id}),
    ${sql.ref(column)})`;
}

/** The columns with an author's id next to them; columns that nothing reads have none. */
const columns = [
  'api_token.revoked_by',
  'branding.changed_by',
  'client_key.created_by',
  'client_key.revoked_by',
  'diagnostic_key.created_by',
  'diagnostic_project.created_by',
  'flag.changed_by',
  'group_mapping.created_by',
  'maintenance.changed_by',
  'maintenance_history.by',
  'maintenance_window.changed_by',
  'maintenance_window.created_by',
  'person_right.given_by',
  'person_role.given_by',
  'source_map.created_by',
  'webhook.created_by',
];

export async function addAuthorIds(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('erased_person')
    .addColumn('person_id', 'text', (column) => column.primaryKey())
    .addColumn('pseudonym', 'text', (column) => column.notNull())
    .execute();
  for (const column of columns) {
    const [table = '', name = ''] = column.split('.');
    await db.schema.alterTable(table).addColumn(`${name}_id`, 'text').execute();
    // An address that several people share identifies none of them.
    await sql`update ${sql.table(table)} set ${sql.ref(`${name}_id`)} = coalesce(
      (select min(person.id) from person where email = ${sql.ref(column)} and email <> '' having count(*) = 1),
      (select person.id from person where person.id = substr(${sql.ref(column)}, 8) and ${sql.ref(column)} like 'person %')
    )`.execute(db);
    if (/^(changed|given)_by$/.test(name)) await forgetOverwritten(db, table, name);
  }
}

/**
 * A process of the previous release that writes another author leaves the former author's id in the row. That id
 * is removed, so that the row shows the author that was written.
 */
async function forgetOverwritten(db: Kysely<unknown>, table: string, name: string): Promise<void> {
  const [on, text, id] = [sql.table(table), sql.ref(name), sql.ref(`${name}_id`)];
  const trigger = sql.ref(`${table}_${name}_alone`);
  const overwritten = sql`new.${id} = old.${id} and new.${text} is distinct from old.${text}
    and new.${text} not like 'erased person %'
    and not exists (select 1 from person where person.id = new.${id} and email = new.${text})`;
  if (db.getExecutor().adapter instanceof SqliteAdapter) {
    await sql`create trigger ${trigger} after update of ${text} on ${on} when ${overwritten}
      begin update ${on} set ${id} = null where rowid = new.rowid; end`.execute(db);
    return;
  }
  await sql`create function ${trigger}() returns trigger language plpgsql as $$
    begin if ${overwritten} then new.${id} := null; end if; return new; end $$`.execute(db);
  await sql`create trigger ${trigger} before update of ${text} on ${on}
    for each row execute function ${trigger}()`.execute(db);
}
