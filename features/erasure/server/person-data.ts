import { presentTimeZone } from '#contract/time-zones.ts';
import { authorOf } from '#features/directory/server/authors.ts';
import type { Reader } from '#server/platform/database/database.ts';
import type { StoredContent } from '#server/platform/files/contents.ts';
import { countEventsOf } from '#features/diagnostics/server/erase-from-errors.ts';
import { readPersonHash } from '#features/diagnostics/server/intake/person-hash.ts';

/** Rows that are held at once. */
const pageSize = 100;

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

/** A row as a person reads it: `given_at` as `givenAt`, an instant. */
const readable = (row: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]: [string, unknown]) => [
      column.replaceAll(/_(.)/g, (_part, letter: string) => letter.toUpperCase()),
      column.endsWith('_at') ? instant(value as number | null) : value,
    ]),
  );

/** The bounded part of a person's data, in one piece. */
export async function factsOf(read: Reader, personId: string): Promise<unknown> {
  const row = await read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .selectAll('profile')
    .select(['person.issuer', 'person.subject', 'person.email', 'person.created_at'])
    .select(['person.last_seen_at', 'person.blocked_at'])
    .where('person.id', '=', personId)
    .executeTakeFirstOrThrow();
  const account = await read
    .selectFrom('account')
    .select(['email', 'created_at'])
    .where('id', '=', row.subject)
    .executeTakeFirst();
  const passkeys = await read
    .selectFrom('passkey')
    .select(['name', 'created_at', 'used_at'])
    .where('account_id', '=', row.subject)
    .orderBy('created_at')
    .execute();
  const roles = await read
    .selectFrom('person_role')
    .select(['role', 'given_at', authorOf('person_role.given_by').as('givenBy')])
    .where('person_id', '=', personId)
    .orderBy('role')
    .execute();
  const rights = await read
    .selectFrom('person_right')
    .select(['right_name as right', 'effect', 'expires_at', 'reason', 'given_at'])
    .select(authorOf('person_right.given_by').as('givenBy'))
    .where('person_id', '=', personId)
    .orderBy('right_name')
    .execute();
  const groups = await read
    .selectFrom('person_group')
    .select(['kind', 'name'])
    .where('person_id', '=', personId)
    .orderBy('name')
    .execute();
  const sessions = await read
    .selectFrom('session')
    .select(['browser', 'system', 'created_at', 'seen_at', 'expires_at'])
    .where('person_id', '=', personId)
    .orderBy('created_at')
    .execute();
  const tokens = await read
    .selectFrom('api_token')
    .select(['name', 'rights', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'])
    .where('created_by', '=', personId)
    .orderBy('created_at')
    .execute();
  return {
    id: personId,
    email: row.email,
    identity: { issuer: row.issuer, subject: row.subject },
    createdAt: instant(row.created_at),
    lastSeenAt: instant(row.last_seen_at),
    blockedAt: instant(row.blocked_at),
    profile: {
      firstName: row.first_name,
      lastName: row.last_name,
      phone: row.phone,
      organisation: row.organisation,
      jobTitle: row.job_title,
      language: row.locale,
      timeZone: row.time_zone === null ? null : presentTimeZone(row.time_zone),
      picture: row.avatar,
    },
    account: account === undefined ? null : { ...readable(account), passkeys: passkeys.map(readable) },
    roles: roles.map(readable),
    rights: rights.map(readable),
    groups,
    // For an error that the person met, a keyed hash of their address or id is stored, and what their program sent.
    errorEvents: await errorEventsOf(read, [personId, row.email]),
    sessions: sessions.map(readable),
    apiTokens: tokens.map((token) => ({ ...readable(token), rights: parsed(token.rights) })),
  };
}

async function errorEventsOf(read: Reader, names: readonly string[]): Promise<number> {
  const hashOf = await readPersonHash(read);
  return hashOf === null ? 0 : countEventsOf(read, names.filter((name) => name !== '').map(hashOf));
}

type Pages = AsyncGenerator<unknown[], void, undefined>;

/** The reports that a person sent, the first first. */
export async function* reportPages(
  read: Reader,
  personId: string,
  { forThemself }: { forThemself: boolean },
): Pages {
  for (let last = 0; ;) {
    const rows = await read
      .selectFrom('report')
      .select(['id', 'number', 'name', 'email', 'message', 'source', 'url', 'tags', 'context', 'event_id'])
      .select(['associated_event_id', 'status', 'created_at', 'changed_at'])
      .where('reporter_id', '=', personId)
      .where('number', '>', last)
      .orderBy('number')
      .limit(pageSize)
      .execute();
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.number;
    const ids = rows.map(({ id }) => id);
    const history = await read
      .selectFrom('report_history')
      .select(['report_id', 'at', 'before', 'after', 'actor_id'])
      .select(authorOf('report_history.actor_name').as('name'))
      .where('report_id', 'in', ids)
      .where('what', '=', 'status')
      .orderBy('at')
      .execute();
    const replies = await read
      .selectFrom('report_message')
      .select(['report_id', 'at', 'side', 'text', authorOf('report_message.author_name').as('name')])
      .where('report_id', 'in', ids)
      .where('kind', '=', 'reply')
      .orderBy('at')
      .execute();
    yield rows.map((row) => ({
      ...readable(row),
      tags: parsed(row.tags),
      context: parsed(row.context),
      history: history
        .filter(({ report_id: reportId }) => reportId === row.id)
        .map(({ at, before, after, actor_id: actor, name }) => ({
          at: instant(at),
          before,
          after,
          by: forThemself && actor !== personId ? 'an operator' : name,
        })),
      replies: replies
        .filter(({ report_id: reportId }) => reportId === row.id)
        .map(({ at, side, text, name }) => ({
          at: instant(at),
          from: side,
          by: forThemself && side === 'operator' ? 'an operator' : name,
          text,
        })),
    }));
  }
}

/** The audit entries of what a person did, and of what was done to them. */
export async function* auditPages(
  read: Reader,
  personId: string,
  { forThemself }: { forThemself: boolean },
): Pages {
  for (let last = ''; ;) {
    const rows = await read
      .selectFrom('audit')
      .selectAll()
      .where((row) => row.or([row('subject', '=', personId), row('actor_id', '=', personId)]))
      .where('id', '>', last)
      .orderBy('id')
      .limit(pageSize)
      .execute();
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.id;
    yield rows.map((row) => {
      const about = row.subject === personId;
      const by = row.actor_id === personId;
      return {
        at: instant(row.at),
        through: row.actor_kind,
        ...(by ? { client: row.client, clientSystem: row.client_system } : {}),
        by: forThemself && !by ? 'an operator' : row.actor_name,
        action: row.action,
        subject: row.subject,
        // What a person did to others holds data of those others.
        ...(forThemself && !about ? {} : { before: parsed(row.before), after: parsed(row.after) }),
      };
    });
  }
}

/** A person's actions on maintenance; those without an id are found by the address. */
export async function* historyPages(read: Reader, personId: string): Pages {
  const { email } = await read
    .selectFrom('person')
    .select('email')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow();
  for (let last = ''; ;) {
    const rows = await read
      .selectFrom('maintenance_history')
      .select(['id', 'at', 'deed', 'title'])
      .where((row) =>
        row.or([
          row('by_id', '=', personId),
          row.and([row('by_id', 'is', null), row('by', '=', email), row('by', '!=', '')]),
        ]),
      )
      .where('id', '>', last)
      .orderBy('id')
      .limit(pageSize)
      .execute();
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.id;
    yield rows.map(({ at, deed, title }) => ({ at: instant(at), deed, title }));
  }
}

export type PersonFile = StoredContent & {
  id: string;
  filename: string;
  /** The number of the report whose picture the file is; null: of none. */
  report: number | null;
};

/** The files that a person uploaded, the pictures of their reports, and their own picture. */
export async function* filePages(
  read: Reader,
  personId: string,
): AsyncGenerator<PersonFile[], void, undefined> {
  for (let last = ''; ;) {
    const rows = await filesAbout(read, personId)
      .select(['file.id', 'filename', 'size', 'hash', 'report.number'])
      .where('file.id', '>', last)
      .orderBy('file.id')
      .limit(pageSize)
      .execute();
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.id;
    yield rows.map(({ number, ...file }) => ({ ...file, report: number }));
  }
}

/** Whether a file that was found before is still stored. */
export async function isStored(read: Reader, fileId: string): Promise<boolean> {
  const row = await read.selectFrom('file').select('id').where('id', '=', fileId).executeTakeFirst();
  return row !== undefined;
}

/** The bytes of all these files. */
export async function bytesAbout(read: Reader, personId: string): Promise<number> {
  const { bytes } = await filesAbout(read, personId)
    .select(({ fn }) => fn.sum<number | string | null>('size').as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

function filesAbout(read: Reader, personId: string) {
  return read
    .selectFrom('file')
    .leftJoin('report_picture', 'report_picture.file_id', 'file.id')
    .leftJoin('report', 'report.id', 'report_picture.report_id')
    .where((row) =>
      row.or([
        row('file.owner', '=', personId),
        row('report.reporter_id', '=', personId),
        row(
          'file.id',
          'in',
          row
            .selectFrom('profile')
            .select('avatar')
            .where('person_id', '=', personId)
            .$castTo<{ avatar: string }>(),
        ),
      ]),
    );
}
