import { normalizedAddress } from '#contract/email-address.ts';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { AuditThrough } from '#features/audit/contract/audit.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/schema.ts';
import { contains, searchText } from '#server/platform/database/sql.ts';

export type AuditFilter = {
  /** Words, each of which has to occur in the row; empty: every row. */
  search: string;
  actor?: string | undefined;
  action?: string | undefined;
  area?: string | undefined;
  subject?: string | undefined;
  /** The id of a person or token: selects what they did and what was done to them. */
  about?: string | undefined;
  through?: AuditThrough | undefined;
  /** Milliseconds, both included. */
  from?: number | undefined;
  until?: number | undefined;
};

/** A place in the audit: an entry, by its time and, among those of the same time, its id. */
export type Place = { at: number; id: string };

export type AuditRow = Tables['audit'];

/** A stretch of the audit: the rows found, how many were read, where it ended; null: at the audit's beginning. */
export type Stretch = { rows: AuditRow[]; looked: number; reached: Place | null };

/** Rows of the audit that are read in one stretch, and milliseconds that this should take. */
const fewest = 20;
const most = 5_000;
const rightTimeMs = 5;

/**
 * Scans the audit, the latest first, in stretches short enough for other requests to run in between: a read
 * of SQLite blocks the whole process, and a word without a match would otherwise be searched in all rows at
 * once.
 *
 * @param behind begins behind this entry; null: with the latest
 * @param largest rows in one stretch
 */
export async function* scanAudit(
  read: Reader,
  filter: AuditFilter,
  behind: Place | null,
  largest: number = most,
): AsyncGenerator<Stretch, void, undefined> {
  const subjects = await subjectsNamed(read, filter.search);
  let place = behind;
  let size = Math.min(fewest * 3, largest);
  for (;;) {
    const begun = performance.eventLoopUtilization();
    const reached = await endOfStretch(read, filter, place, size);
    const rows = await rowsBetween(read, filter, subjects, place, reached);
    // Only what blocked this event loop counts: waiting for PostgreSQL does not.
    const took = performance.eventLoopUtilization(begun).active;
    yield { rows, looked: size, reached };
    if (reached === null) return;
    place = reached;
    size = Math.round(Math.min(largest, Math.max(fewest, size * Math.min(2, rightTimeMs / took))));
    await yieldToEventLoop();
  }
}

/** The last of `size` entries behind a place; null where fewer are left. */
async function endOfStretch(
  read: Reader,
  filter: AuditFilter,
  behind: Place | null,
  size: number,
): Promise<Place | null> {
  const end = await stretchOf(read, filter, { behind, reached: null, size })
    .select(['at', 'id'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .offset(size - 1)
    .limit(1)
    .executeTakeFirst();
  return end ?? null;
}

type Bounds = { behind: Place | null; reached: Place | null; size: number | null };

/** The rows of a stretch, narrowed by what an index can find; the search then reads them. */
function stretchOf(read: Reader, filter: AuditFilter, bounds: Bounds) {
  const { subject, about } = filter;
  const within = isWithin(filter, bounds);
  let query = read.selectFrom('audit').where(within);
  if (subject !== undefined) query = query.where('subject', '=', subject);
  if (about !== undefined) query = query.where(sql<boolean>`id in (${idsAbout(about, within, bounds.size)})`);
  return query;
}

function isWithin(
  { from, until }: Pick<AuditFilter, 'from' | 'until'>,
  { behind, reached }: Bounds,
): RawBuilder<boolean> {
  const conditions = [sql`1 = 1`];
  if (behind !== null) conditions.push(sql`(at, id) < (${behind.at}, ${behind.id})`);
  if (reached !== null) conditions.push(sql`(at, id) >= (${reached.at}, ${reached.id})`);
  if (from !== undefined) conditions.push(sql`at >= ${from}`);
  if (until !== undefined) conditions.push(sql`at <= ${until}`);
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

/** Entries by a person and entries about them, each from its own index: with "or" an engine would sort all. */
function idsAbout(about: string, within: RawBuilder<boolean>, size: number | null): RawBuilder<unknown> {
  const limit = size === null ? sql`` : sql`limit ${size}`;
  const part = (column: string) => sql`select id from (
    select id from audit where ${sql.ref(column)} = ${about} and ${within}
    order by at desc, id desc ${limit}) as ${sql.ref(`by_${column}`)}`;
  return sql`${part('subject')} union ${part('actor_id')}`;
}

function rowsBetween(
  read: Reader,
  filter: AuditFilter,
  subjects: readonly string[][],
  behind: Place | null,
  reached: Place | null,
): Promise<AuditRow[]> {
  let query = stretchOf(read, filter, { behind, reached, size: null }).selectAll();
  const { actor, action, area, through } = filter;
  if (actor !== undefined)
    query = query.where((row) => row.or([row('actor_id', '=', actor), row('actor_name', '=', actor)]));
  if (action !== undefined) query = query.where('action', '=', action);
  if (area !== undefined) query = query.where('action', 'like', `${area}.%`);
  if (through !== undefined) query = query.where('actor_kind', '=', through);
  for (const [index, word] of wordsOf(filter.search).entries()) {
    const named = subjects[index] ?? [];
    query = query.where((row) => {
      const inTexts = contains(row.ref('search_key'), searchText(word));
      return named.length === 0 ? inTexts : row.or([inTexts, row('subject', 'in', named)]);
    });
  }
  return query.orderBy('at', 'desc').orderBy('id', 'desc').execute();
}

function wordsOf(search: string): string[] {
  return search.split(/\s+/).filter((word) => word !== '');
}

/** The most people that a search word may match by current name or address; the rows hold only their ids. */
const mostNamed = 200;

function subjectsNamed(read: Reader, search: string): Promise<string[][]> {
  return Promise.all(
    wordsOf(search).map(async (word) => {
      const number = /^#(\d{1,15})$/.exec(word)?.[1];
      if (number !== undefined) {
        const found = await read
          .selectFrom('report')
          .select('id')
          .where('number', '=', Number(number))
          .execute();
        return found.map(({ id }) => id);
      }
      const people = await read
        .selectFrom('person')
        .innerJoin('profile', 'profile.person_id', 'person.id')
        .select('person.id')
        .where((row) =>
          row.or([
            contains(row.ref('profile.name_key'), searchText(word)),
            contains(row.ref('person.email'), normalizedAddress(word)),
          ]),
        )
        .limit(mostNamed)
        .execute();
      return people.map(({ id }) => id);
    }),
  );
}
