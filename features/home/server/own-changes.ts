import type { AuditAction } from '#features/audit/contract/audit.ts';
import type { OwnChange } from '#features/home/contract/home.ts';
import type { Reader } from '#server/platform/database/database.ts';

/** The audit entries that are reported to the person they are about, and the kind that each is reported as. */
const kinds = {
  'person.set-roles': 'roles',
  'person.follow-groups': 'groups',
  'person.grant-right': 'rights',
  'person.take-back-denial': 'rights',
  'person.deny-right': 'rights',
  'person.take-back-grant': 'rights',
  'password.change': 'password',
  'person.not-me': 'password',
  'password.remove': 'password-removed',
  'person.password-link': 'password',
  'factor.add': 'factor-added',
  'factor.remove': 'factor-removed',
  'recovery-codes.renew': 'recovery-codes',
  'person.reset-factors': 'factors-reset',
  'operator.reset': 'factors-reset',
  'person.sign-in': 'new-browser',
  'person.sign-in-failed': 'sign-in-failed',
  'person.sign-in-slowed': 'sign-in-slowed',
  'profile.update': 'profile',
  'person.follow-email': 'email',
  'person.end-session': 'signed-out',
  'person.sign-out': 'signed-out',
} as const satisfies Partial<Record<AuditAction, OwnChange['kind']>>;
type Told = keyof typeof kinds;

/** What people do to their own profile and sessions is not reported to them. */
const notByCaller: ReadonlySet<Told> = new Set(['profile.update', 'person.end-session', 'person.sign-out']);
const takes: ReadonlySet<Told> = new Set(['person.deny-right', 'person.take-back-grant']);
const byStranger: ReadonlySet<Told> = new Set(['person.sign-in-failed', 'person.sign-in-slowed']);

const most = 50;
export const ownChangesPeriod = 30 * 86_400_000;

/** What happened to a person's account since a time, without the operators who did it and without reasons. */
export async function ownChanges(read: Reader, personId: string, since: number): Promise<OwnChange[]> {
  const rows = await read
    .selectFrom('audit')
    .select(['id', 'at', 'action', 'actor_id', 'before', 'after', 'client', 'client_system'])
    .where('subject', '=', personId)
    .where('at', '>=', since)
    .where('action', 'in', Object.keys(kinds))
    .where((row) =>
      row.or([
        row('actor_id', 'is', null),
        row('actor_id', '!=', personId),
        row('action', 'not in', [...notByCaller]),
      ]),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
  const changes = rows.map(({ id, at, actor_id: by, before, after, ...row }) => {
    const action = row.action as Told;
    const byCaller = by === personId;
    const ofOperator = !byCaller && !byStranger.has(action);
    const system = row.client_system === null ? '' : ` (${row.client_system})`;
    return {
      id,
      at,
      kind: kinds[action],
      byCaller,
      client: ofOperator || row.client === null ? null : `${row.client}${system}`,
      network: valuesOf(after).network ?? null,
      ...keysOf(action, valuesOf(before), valuesOf(after)),
    };
  });
  const keys = changes.flatMap(({ given, taken }) => [...given, ...taken]);
  const names = keys.length === 0 ? new Map<string, string>() : await ownNames(read, keys);
  const named = (some: readonly string[]) => some.map((key) => ({ key, name: names.get(key) ?? null }));
  return changes.map(({ given, taken, ...change }) => ({
    ...change,
    given: named(given),
    taken: named(taken),
  }));
}

type Values = { roles?: readonly string[]; right?: string; network?: string | null };

function valuesOf(json: string | null): Values {
  return json === null ? {} : (JSON.parse(json) as Values);
}

function keysOf(action: Told, before: Values, after: Values): { given: string[]; taken: string[] } {
  const right = after.right ?? before.right;
  if (right !== undefined)
    return takes.has(action) ? { given: [], taken: [right] } : { given: [right], taken: [] };
  const [had = [], has = []] = [before.roles, after.roles];
  return {
    given: has.filter((role) => !had.includes(role)),
    taken: had.filter((role) => !has.includes(role)),
  };
}

/** The names of the installation's own roles and rights; keys of roles are lower-case, of rights upper-case. */
async function ownNames(read: Reader, keys: readonly string[]): Promise<Map<string, string>> {
  const [roles, rights] = await Promise.all([
    read.selectFrom('own_role').select(['role', 'name']).where('role', 'in', keys).execute(),
    read.selectFrom('own_right').select(['right_name', 'label']).where('right_name', 'in', keys).execute(),
  ]);
  return new Map([
    ...roles.map(({ role, name }): [string, string] => [role, name]),
    ...rights.map(({ right_name: right, label }): [string, string] => [right, label]),
  ]);
}
