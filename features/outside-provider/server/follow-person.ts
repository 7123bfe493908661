import type { Change, Reader } from '#server/platform/database/database.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { personById, writeEmail } from '#features/directory/server/people.store.ts';
import { profileOf, setProfileNames } from '#features/profile/server/profile.store.ts';
import type { Identity } from '#features/session/server/identity.ts';

type Address = Pick<Identity, 'email' | 'emailVerified'>;

type News = {
  email: { before: Address; after: Address } | null;
  names: { firstName: string; lastName: string } | null;
  groups: { before: Memberships; after: Memberships } | null;
};

async function newsOf(read: Reader, personId: string, identity: Identity): Promise<News> {
  const stored = await profileOf(read, personId);
  if (stored === null) return { email: null, names: null, groups: null };
  const before = await groupsOf(read, personId);
  const { email, emailVerified, firstName, lastName, groups: after } = identity;
  const address = await personById(read, personId);
  const nameless = stored.firstName === '' && stored.lastName === '';
  return {
    email:
      address !== null && isNewAddress(address, identity)
        ? { before: address, after: { email, emailVerified } }
        : null,
    names: nameless && (firstName !== '' || lastName !== '') ? { firstName, lastName } : null,
    groups: after === null || same(before, after) ? null : { before, after },
  };
}

/** Whether the provider's claims about a person differ from what is stored (SES-4). */
export async function isNews(read: Reader, personId: string, identity: Identity): Promise<boolean> {
  return Object.values(await newsOf(read, personId, identity)).some((news) => news !== null);
}

/**
 * Takes over the provider's claims: the address always, the name while there is none (people change theirs
 * here), roles and groups where they are known. Each such change is in the audit (SES-4).
 */
export async function follow(change: Change, personId: string, identity: Identity): Promise<void> {
  const { email, names, groups } = await newsOf(change.tx, personId, identity);
  const name = identity.email === '' ? identity.subject : identity.email;
  const actor = { kind: 'person', id: personId, name, sessionId: null } as const;
  if (email !== null) await writeEmail(change, personId, email.after);
  if (email !== null && email.before.email !== email.after.email)
    await recordAudit(change, actor, {
      action: 'person.follow-email',
      subject: personId,
      before: { email: email.before.email },
      after: { email: email.after.email },
    });
  if (names !== null || email !== null) {
    const stored = await profileOf(change.tx, personId);
    const { firstName, lastName } = names ?? stored ?? { firstName: '', lastName: '' };
    // Also updates the person's place in lists, which is by email address where there is no name.
    await setProfileNames(change, personId, { firstName, lastName });
  }
  if (groups !== null) {
    await replaceGroups(change, personId, groups.after);
    await recordAudit(change, actor, {
      action: 'person.follow-groups',
      subject: personId,
      before: groups.before,
      after: groups.after,
    });
  }
}

/** Whether the address differs from the stored one; in an incomplete answer, a missing value does not count. */
function isNewAddress(stored: Address, { email, emailVerified, complete }: Identity): boolean {
  if (stored.email !== email) return email !== '' || complete;
  return stored.emailVerified !== emailVerified && (emailVerified || complete);
}

function same(one: Memberships, other: Memberships): boolean {
  return JSON.stringify([one.roles, one.groups]) === JSON.stringify([other.roles, other.groups]);
}

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** What the provider listed at the last sign-in or check; `kind` is `role` or `group`. */
    person_group: { person_id: string; kind: string; name: string };
  }
}

// The only SQL that writes person_group.

/** A person's memberships at the last sign-in or check: names of roles and of groups, each in order. */
type Memberships = { roles: string[]; groups: string[] };

/**
 * The roles and groups that a person has at the outside provider; rights may be mapped from them (RIGHT-3).
 */
export async function groupsOf(read: Reader, personId: string): Promise<Memberships> {
  const rows = await read
    .selectFrom('person_group')
    .select(['kind', 'name'])
    .where('person_id', '=', personId)
    .execute();
  const named = (kind: string): string[] =>
    rows
      .filter((row) => row.kind === kind)
      .map((row) => row.name)
      .toSorted();
  return { roles: named('role'), groups: named('group') };
}

/** Replaces the memberships of a person, and publishes that their rights are to be decided again. */
export async function replaceGroups(change: Change, personId: string, now: Memberships): Promise<void> {
  const { tx } = change;
  await tx.deleteFrom('person_group').where('person_id', '=', personId).execute();
  const rows = [
    ...now.roles.map((name) => ({ person_id: personId, kind: 'role', name })),
    ...now.groups.map((name) => ({ person_id: personId, kind: 'group', name })),
  ];
  for (let at = 0; at < rows.length; at += 200)
    await tx
      .insertInto('person_group')
      .values(rows.slice(at, at + 200))
      .execute();
  change.publish('rights', personId);
}
