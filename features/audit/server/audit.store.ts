import type { AuditAction } from '#features/audit/contract/audit.ts';
import type { Change } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { searchText } from '#server/platform/database/sql.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import type { Tables } from '#server/platform/database/schema.ts';
import { clientWords } from './client-words.ts';
import { withoutPerson, type Erasure } from './erase-texts.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** Append-only; the database itself enforces this. */
    audit: {
      id: string;
      at: number;
      /** `person`, `token`, `command-line`, `start` or `guard` */
      actor_kind: string;
      actor_id: string | null;
      actor_name: string;
      action: string;
      subject: string;
      before: string | null;
      after: string | null;
      /** All texts of the row, as they are searched. */
      search_key: string;
      /** Such as `Firefox 150`; null where no request of a client led to it */
      client: string | null;
      client_system: string | null;
    };
  }
}

/**
 * The author of an entry: a caller, the command line, the start of the server, the guard of a ramp, or a stranger
 * who tries to sign in, who has neither id nor name.
 */
export type Actor =
  | Caller
  | { kind: 'command-line' | 'start' | 'guard'; id: null; name: string }
  | { kind: 'person'; id: null; name: ''; userAgent: string | undefined };

/** What was done, as the audit records it (AUD-1). `before` and `after` are whole, without secrets. */
export type AuditEntry = {
  /** `<area>.<verb>`, such as `flag.update`. */
  action: AuditAction;
  /** What it was done to: a flag's key, a person's id, … */
  subject: string;
  before?: unknown;
  after?: unknown;
};

/** Writes an audit row in the transaction of its write: neither is stored without the other. */
export async function recordAudit(change: Change, actor: Actor, entry: AuditEntry): Promise<void> {
  const row = {
    actor_name: actor.name,
    action: entry.action,
    subject: entry.subject,
    before: asJson(entry.before),
    after: asJson(entry.after),
  };
  const client = 'userAgent' in actor ? clientWords(actor.userAgent) : null;
  await change.tx
    .insertInto('audit')
    .values({
      ...row,
      id: newId(),
      at: change.at,
      actor_kind: actor.kind,
      actor_id: actor.id,
      search_key: searchKeyOf(row),
      client: client?.program ?? null,
      client_system: client?.system ?? null,
    })
    .execute();
}

// Features pass the values that they show to people. A secret that is passed by mistake is not stored.
const secret = /^(password|secret|token|cookie|authorization)$|(Hash|Secret|Password|Token)$/;

function asJson(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(value).map(([name, field]: [string, unknown]) => [
        name,
        secret.test(name) && typeof field === 'string' ? '[removed]' : field,
      ]),
    ),
  );
}

type Texts = Pick<Tables['audit'], 'actor_name' | 'action' | 'subject' | 'before' | 'after'>;

/** How many characters of a row's texts can be searched, counted from their beginning. */
const longestKey = 20_000;

function searchKeyOf({ actor_name: name, action, subject, before, after }: Texts): string {
  return searchText([name, action, subject, before ?? '', after ?? ''].join('\n')).slice(0, longestKey);
}

/**
 * The setting that exists only inside a transaction that erases; the triggers of the migration check for it.
 */
const erasing = 'audit-erasure';

/**
 * Removes a person's texts from the audit when the person is erased (BUG-10), and leaves what was done, when,
 * and by which id. The audit allows no other write to an existing row.
 *
 * @returns the id of the last entry that was looked at, behind which more may follow; null where none do
 */
export async function erasePersonFromAudit(
  { tx }: Pick<Change, 'tx'>,
  erasure: Erasure,
  { after, most }: { after: string; most: number },
): Promise<string | null> {
  const rows = await tx
    .selectFrom('audit')
    .selectAll()
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute();
  await tx.insertInto('setting').values({ name: erasing, value: erasure.personId }).execute();
  for (const row of rows) {
    const texts = withoutPerson(row, erasure);
    if (texts === null) continue;
    await tx
      .updateTable('audit')
      .set({ ...texts, search_key: searchKeyOf({ ...row, ...texts }) })
      .where('id', '=', row.id)
      .execute();
  }
  await tx.deleteFrom('setting').where('name', '=', erasing).execute();
  return rows.length < most ? null : (rows.at(-1)?.id ?? null);
}
