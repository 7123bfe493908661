import {
  type AuditAction,
  type AuditEntry,
  type AuditSubjectKind,
  auditThrough,
} from '#features/audit/contract/audit.ts';
import { auditActions } from '#contract/features.ts';
import type { Reader } from '#server/platform/database/database.ts';
import type { AuditRow } from './audit-scan.ts';

/** In lists, `before` and `after` beyond this many characters of JSON are left out. */
export const longestInLists = 6_000;

/** The kind of an action's subject; null for an action of another release. */
export function subjectKindOf(action: string): AuditSubjectKind | null {
  return Object.hasOwn(auditActions, action) ? auditActions[action as keyof typeof auditActions] : null;
}

/** Reads the present names of subjects of one kind; subjects that are gone are left out. */
export type NamesOf = (read: Reader, ids: readonly string[]) => Promise<[id: string, name: string][]>;

/** Readers of names by kind. For other kinds the entry itself has the name, or there is only one subject. */
export type PresentNames = { readonly [Kind in AuditSubjectKind]?: NamesOf };

/** What the audit is read with. */
export type AuditReader = { read: Reader; names: PresentNames };

/**
 * Rows as they cross the wire, with what people and things are called now.
 *
 * @param longest characters of JSON; more is left out
 */
export async function entriesOf(
  { read, names: present }: AuditReader,
  rows: readonly AuditRow[],
  longest: number = Number.POSITIVE_INFINITY,
): Promise<AuditEntry[]> {
  const wanted = new Map<AuditSubjectKind, Set<string>>();
  const want = (kind: AuditSubjectKind | null, id: string | null) => {
    if (kind === null || id === null) return;
    wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
  };
  for (const row of rows) {
    want(subjectKindOf(row.action), row.subject);
    want('person', row.actor_kind === 'person' ? row.actor_id : null);
  }
  const names = new Map<string, string>();
  const there = new Set<string>();
  for (const [kind, ids] of wanted) {
    const known = (await present[kind]?.(read, [...ids])) ?? [];
    for (const [id, name] of known) {
      names.set(`${kind} ${id}`, name);
      there.add(`${kind} ${id}`);
    }
    const gone = [...ids].filter((id) => !there.has(`${kind} ${id}`));
    for (const [id, name] of await namesOfGone(read, kind, gone)) names.set(`${kind} ${id}`, name);
  }
  return rows.map((row): AuditEntry => {
    const kind = subjectKindOf(row.action);
    const cut = (row.before?.length ?? 0) + (row.after?.length ?? 0) > longest;
    return {
      id: row.id,
      at: row.at,
      through: auditThrough.parse(row.actor_kind),
      client: row.client === null ? null : { program: row.client, system: row.client_system },
      actor: {
        id: row.actor_id,
        name: row.actor_name,
        nameNow: row.actor_kind === 'person' ? (names.get(`person ${row.actor_id}`) ?? null) : null,
      },
      action: row.action,
      subject: {
        kind,
        id: row.subject,
        nameNow: kind === null ? null : (names.get(`${kind} ${row.subject}`) ?? null),
        there: there.has(`${kind} ${row.subject}`),
      },
      before: cut ? null : valueOf(row.before),
      after: cut ? null : valueOf(row.after),
      cut,
    };
  });
}

/** The value of a column with JSON. */
export function valueOf(json: string | null): unknown {
  return json === null ? null : (JSON.parse(json) as unknown);
}

/** Names of removed subjects, as far as the entry of their removal has them. */
async function namesOfGone(
  read: Reader,
  kind: AuditSubjectKind,
  ids: readonly string[],
): Promise<[id: string, name: string][]> {
  const removal = removals[kind];
  if (ids.length === 0 || removal === undefined) return [];
  const rows = await read
    .selectFrom('audit')
    .select(['subject', 'before', 'after'])
    .where('subject', 'in', ids)
    .where('action', '=', removal)
    .execute();
  return rows.flatMap(({ subject, before, after }): [id: string, name: string][] => {
    const gone = (valueOf(kind === 'person' ? after : before) ?? {}) as Record<string, unknown>;
    if (kind === 'report') return typeof gone['number'] === 'number' ? [[subject, `#${gone['number']}`]] : [];
    const name = kind === 'error' ? gone['error'] : gone['name'];
    return typeof name === 'string' ? [[subject, name]] : [];
  });
}

/** The actions that remove a thing; its name is in their entry. */
const removals: Partial<Record<AuditSubjectKind, AuditAction>> = {
  person: 'person.erase',
  report: 'report.delete',
  error: 'error.delete',
  'diagnostics-project': 'diagnostics-project.delete',
  'home-app': 'home-app.delete',
};
