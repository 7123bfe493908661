import { type Kysely, sql } from 'kysely';
import type { SignInPolicy } from '#features/identity-provider/contract/sign-in-policy.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { nextVersion } from '#server/platform/database/sql.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { changedMeanwhile, invalid } from '#server/platform/http/http-problem.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import { peopleByEmail } from '#features/directory/server/people.store.ts';
import { deleteRegistrationsAt } from '../accounts.store.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** One row. */
    sign_in_policy: {
      id: number;
      second_factor: string;
      /** JSON. */
      roles: string;
      grace_days: number;
      remember_days: number;
      /** When the days of grace begin. */
      since: number;
      /** JSON. */
      registration_domains: string;
      version: number;
    };
  }
}

// The only SQL that writes sign_in_policy.

/** A new installation requires a second factor of operators after a week; one that has people only offers it. */
export async function createPolicy(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('sign_in_policy')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('second_factor', 'text', (column) => column.notNull())
    .addColumn('roles', 'text', (column) => column.notNull())
    .addColumn('grace_days', 'integer', (column) => column.notNull())
    .addColumn('remember_days', 'integer', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await sql`
    insert into sign_in_policy (id, second_factor, roles, grace_days, remember_days, since, version)
    select 1, case when exists (select 1 from person) then 'offered' else 'required' end, '["operator"]', 7, 30, 0, 1`.execute(
    database,
  );
}

/** No one can register until an operator allows it. */
export async function createRegistration({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('sign_in_policy')
    .addColumn('registration_domains', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
  await schema.alterTable('one_time_link').addColumn('email', 'text').execute();
}

type Stored = SignInPolicy & { since: number };

export async function readPolicy(read: Reader): Promise<Stored> {
  const row = await read.selectFrom('sign_in_policy').selectAll().executeTakeFirstOrThrow();
  return {
    secondFactor: row.second_factor as SignInPolicy['secondFactor'],
    roles: JSON.parse(row.roles) as string[],
    graceDays: row.grace_days,
    rememberDays: row.remember_days,
    registrationDomains: JSON.parse(row.registration_domains) as string[],
    since: row.since,
    version: row.version,
  };
}

/** Whether an address registers by itself now: its domain is named, and no person has it (SES-16). */
export async function mayRegister(read: Reader, email: string): Promise<boolean> {
  const { registrationDomains } = await readPolicy(read);
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return registrationDomains.includes(domain) && (await peopleByEmail(read, email)).length === 0;
}

const day = 86_400_000;

/** From when a sign-in of a person with these roles insists on a second factor; null: it does not. */
export function dueAt(
  { secondFactor, roles, graceDays, since }: Stored,
  person: { roles: readonly string[]; createdAt: number },
): number | null {
  if (secondFactor !== 'required' || !person.roles.some((role) => roles.includes(role))) return null;
  return Math.max(since, person.createdAt) + graceDays * day;
}

const policies = versionedRows({
  find: readPolicy,
  audited: ({ since: _since, version: _version, ...policy }) => policy,
  stale: changedMeanwhile,
});

/**
 * Throws VERSION_CONFLICT, and INVALID_BODY where registration is switched on without mail.
 *
 * @param sendsMail whether mail is configured
 */
export async function changePolicy(
  change: Change,
  actor: Caller,
  wanted: SignInPolicy,
  sendsMail: boolean,
): Promise<SignInPolicy> {
  const before = await policies.findAt(change, 'sign-in-policy', wanted.version);
  const roles = [...new Set(wanted.roles)];
  const domains = [...new Set(wanted.registrationDomains)];
  if (domains.length > 0 && before.registrationDomains.length === 0 && !sendsMail)
    throw invalid(
      '/registrationDomains',
      'no-mail',
      'needs a mail server: people register by a link that is mailed',
    );
  // A domain that is named again later must not revive its earlier links.
  for (const domain of before.registrationDomains)
    if (!domains.includes(domain)) await deleteRegistrationsAt(change.tx, domain);
  const demands = wanted.secondFactor === 'required';
  // People who did not need a factor before get all the days of grace.
  const isNew =
    demands && (before.secondFactor !== 'required' || roles.some((role) => !before.roles.includes(role)));
  await change.tx
    .updateTable('sign_in_policy')
    .set({
      second_factor: wanted.secondFactor,
      roles: JSON.stringify(roles),
      grace_days: wanted.graceDays,
      remember_days: wanted.rememberDays,
      since: isNew ? change.at : before.since,
      registration_domains: JSON.stringify(domains),
      version: nextVersion,
    })
    .execute();
  change.publish('sign-in-policy');
  return policies.recordWrite(change, actor, {
    action: 'sign-in-policy.change',
    subject: 'sign-in-policy',
    before,
  });
}
