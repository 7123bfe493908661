import {
  type OwnNotices,
  webhookArea,
  type WebhookArea,
  type WebhookEvent,
} from '#features/webhooks/contract/webhooks.ts';
import type { Kysely } from 'kysely';
import { resolveWallTime, wallTimeAt } from '#contract/rules/wall-time.ts';
import type { Change, Reader, Writer } from '#server/platform/database/database.ts';
import { changedMeanwhile, refuseStale } from '#server/platform/http/http-problem.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { removeSome } from '#server/platform/database/sql.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** What a person is told by mail. Without a row: nothing. */
    notice_choice: {
      person_id: string;
      /** With spaces between. */
      areas: string;
      daily: number;
      /** The time of the last event that they were told. */
      told_at: number;
      /** When a mail is due; null: nothing has happened since. */
      due_at: number | null;
      version: number;
    };
    /** What happened in the last days, for mails that are not written yet. */
    notice_event: { id: string; event: string; body: string; at: number };
  }
}

type Choice = Omit<OwnNotices, 'mail'>;

/** Milliseconds after a first event in which further events join it in one mail. */
const collectedMs = 60_000;
const dayMs = 86_400_000;

export async function readNotices(read: Reader, personId: string): Promise<Choice> {
  const row = await read
    .selectFrom('notice_choice')
    .selectAll()
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return { areas: areasOf(row?.areas ?? ''), daily: row?.daily === 1, version: row?.version ?? 1 };
}

/** Stores what a person chose. Earlier events are not reported. Throws VERSION_CONFLICT. */
export async function writeNotices(change: Change, personId: string, choice: Choice): Promise<Choice> {
  const before = await readNotices(change.tx, personId);
  refuseStale(before, choice.version, changedMeanwhile);
  const next = {
    areas: [...new Set(choice.areas)].join(' '),
    daily: Number(choice.daily),
    told_at: change.at,
    due_at: null,
    version: before.version + 1,
  };
  await change.tx
    .insertInto('notice_choice')
    .values({ person_id: personId, ...next })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet(next))
    .execute();
  return readNotices(change.tx, personId);
}

/**
 * Stores an event, in its transaction, for the people who chose its area, and when to notify them.
 *
 * @param now by the clock, since the time of a change runs ahead of a clock that was put back
 */
export async function collectNotice(
  change: Change,
  event: WebhookEvent,
  { body, now }: { body: string; now: number },
): Promise<void> {
  const [area = ''] = event.split('.');
  const choices = await change.tx
    .selectFrom('notice_choice')
    .innerJoin('profile', 'profile.person_id', 'notice_choice.person_id')
    .select(['notice_choice.person_id', 'daily', 'due_at', 'time_zone'])
    .where('areas', 'like', `%${area}%`)
    .execute();
  if (choices.length === 0) return;
  await change.tx.insertInto('notice_event').values({ id: newId(), event, body, at: change.at }).execute();
  for (const { person_id: id, daily, due_at: due, time_zone: zone } of choices)
    if (due === null)
      await change.tx
        .updateTable('notice_choice')
        .set({ due_at: daily === 1 ? nextMorning(now, zone ?? 'UTC') : now + collectedMs })
        .where('person_id', '=', id)
        .execute();
}

/** The next 8:00 in a time zone; where the clocks skip it, the time after. */
export function nextMorning(now: number, timeZone: string): number {
  for (const day of [0, 1, 2]) {
    const date = wallTimeAt(now + day * dayMs, timeZone)?.slice(0, 10);
    if (date === undefined) break;
    const found = resolveWallTime({ local: `${date}T08:00`, timeZone });
    const at = found.kind === 'one' ? found.at : found.kind === 'skipped' ? found.after : undefined;
    if (at !== undefined && at > now) return at;
  }
  return now + dayMs;
}

/** When the next mail is due, or null. */
export async function nextNoticeAt(read: Reader): Promise<number | null> {
  const row = await read
    .selectFrom('notice_choice')
    .select(({ fn }) => fn.min('due_at').as('at'))
    .executeTakeFirst();
  return row?.at ?? null;
}

/** Claims up to `most` people who are due; for a minute no other process claims them. */
export async function claimNotices(
  tx: Writer,
  engine: 'sqlite' | 'postgres',
  now: number,
  most: number,
): Promise<{ id: string }[]> {
  let due = tx.selectFrom('notice_choice').select('person_id').where('due_at', '<=', now).limit(most);
  if (engine === 'postgres') due = due.forUpdate().skipLocked();
  const ids = (await due.execute()).map(({ person_id: id }) => id);
  if (ids.length > 0)
    await tx
      .updateTable('notice_choice')
      .set({ due_at: now + collectedMs })
      .where('person_id', 'in', ids)
      .execute();
  return ids.map((id) => ({ id }));
}

/** Records that a person is notified now; answers when they were last notified, or null where nothing is due. */
export async function noteTold(change: Change, personId: string): Promise<number | null> {
  const row = await change.tx
    .selectFrom('notice_choice')
    .select(['told_at', 'due_at'])
    .where('person_id', '=', personId)
    .executeTakeFirst();
  if (row === undefined || row.due_at === null) return null;
  await change.tx
    .updateTable('notice_choice')
    .set({ told_at: change.at, due_at: null })
    .where('person_id', '=', personId)
    .execute();
  return row.told_at;
}

/** Events of some areas after a time and up to another, the oldest first. */
export async function eventsBetween(
  read: Reader,
  areas: readonly WebhookArea[],
  { since, until }: { since: number; until: number },
): Promise<{ body: string }[]> {
  const rows = await read
    .selectFrom('notice_event')
    .select(['event', 'body'])
    .where('at', '>', since)
    .where('at', '<=', until)
    .orderBy('at')
    .execute();
  return rows.filter(({ event }) => areas.some((area) => event.startsWith(`${area}.`)));
}

/** Removes up to `most` events of which every mail was sent or given up; answers how many went. */
export async function sweepNotices(tx: Writer, now: number, most: number): Promise<number> {
  return removeSome(tx, 'notice_event', 'id', most, (rows) => rows.where('at', '<', now - 4 * dayMs));
}

function areasOf(text: string): WebhookArea[] {
  return webhookArea.options.filter((area) => text.split(' ').includes(area));
}

export async function createNotices({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('notice_choice')
    .addColumn('person_id', 'text', (column) => column.primaryKey().references('person.id'))
    .addColumn('areas', 'text', (column) => column.notNull())
    .addColumn('daily', 'integer', (column) => column.notNull())
    .addColumn('told_at', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('notice_event')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('notice_event_at').on('notice_event').column('at').execute();
}
