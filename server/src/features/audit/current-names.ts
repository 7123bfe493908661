import {
  auditActions,
  auditThrough,
  type AuditAction,
  type AuditEntry,
  type AuditSubjectKind,
} from '@portico/contract/audit';
import type { Reader } from '../../platform/database/database.ts';
import type { AuditRow } from './audit-scan.ts';

/** In lists, `before` and `after` beyond this many characters of JSON are left out. */
export const longestInLists = 6_000;

/** What the subject of an action is; null for an action of another release. */
export function subjectKindOf(action: string): AuditSubjectKind | null {
  return Object.hasOwn(auditActions, action) ? auditActions[action as keyof typeof auditActions] : null;
}

/**
 * Rows as they cross the wire, with what people and things are called now.
 *
 * @param longest characters of JSON; more is left out
 */
export async function entriesOf(
  read: Reader,
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
    const known = await namesOf(read, kind, [...ids]);
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

async function namesOf(
  read: Reader,
  kind: AuditSubjectKind,
  ids: readonly string[],
): Promise<[id: string, name: string][]> {
  switch (kind) {
    case 'person': {
      const rows = await read
        .selectFrom('person')
        .innerJoin('profile', 'profile.person_id', 'person.id')
        .select(['person.id', 'person.email', 'profile.first_name', 'profile.last_name'])
        .where('person.id', 'in', ids)
        .execute();
      // A person whose erasure is running has neither, and is shown as erased.
      return rows.flatMap((row) => {
        const name = `${row.first_name} ${row.last_name}`.trim() || row.email;
        return name === '' ? [] : [[row.id, name]];
      });
    }
    case 'report': {
      const rows = await read.selectFrom('report').select(['id', 'number']).where('id', 'in', ids).execute();
      return rows.map((row) => [row.id, `#${row.number}`]);
    }
    case 'maintenance-window': {
      const rows = await read
        .selectFrom('maintenance_window')
        .select(['id', 'title'])
        .where('id', 'in', ids)
        .execute();
      return rows.map((row) => [row.id, row.title]);
    }
    case 'webhook': {
      const rows = await read
        .selectFrom('webhook')
        .select(['id', 'description', 'url'])
        .where('id', 'in', ids)
        .execute();
      return rows.map((row) => [row.id, row.description || row.url.replace(/\?.*$/s, '')]);
    }
    case 'report-filter': {
      const rows = await read
        .selectFrom('report_filter')
        .select(['id', 'name'])
        .where('id', 'in', ids)
        .execute();
      return rows.map((row) => [row.id, row.name]);
    }
    case 'api-token': {
      const rows = await read.selectFrom('api_token').select(['id', 'name']).where('id', 'in', ids).execute();
      return rows.map((row) => [row.id, row.name]);
    }
    case 'flag': {
      const rows = await read.selectFrom('flag').select('key').where('key', 'in', ids).execute();
      return rows.map((row) => [row.key, row.key]);
    }
    case 'home-app': {
      const rows = await read
        .selectFrom('home_app')
        .select(['key', 'name'])
        .where('key', 'in', ids)
        .execute();
      return rows.map((row) => [row.key, row.name]);
    }
    case 'error': {
      const rows = await read
        .selectFrom('error_group')
        .select(['id', 'kind', 'message'])
        .where('id', 'in', ids)
        .where('status', '!=', 'deleted')
        .execute();
      return rows.map(({ id, kind, message }) => [id, `${kind}: ${message}`.slice(0, 120)]);
    }
    case 'diagnostics-project': {
      const rows = await read
        .selectFrom('diagnostic_project')
        .select(['id', 'name'])
        .where('id', 'in', ids.map(Number))
        .where('removed_at', 'is', null)
        .execute();
      return rows.map(({ id, name }) => [String(id), name]);
    }
    // There is one of it, or its name stands in the entry itself.
    case 'maintenance':
    case 'branding':
    case 'signing-keys':
    case 'client-key':
    case 'right':
    case 'role':
    case 'group-mapping':
    case 'retention':
    case 'diagnostics':
    case 'source-maps':
    case 'report-form':
    case 'report-settings':
    case 'map-layer':
    case 'map-workspace':
    case 'map-order':
    case 'home-order':
    case 'database':
      return [];
  }
}
