import type { Change, Reader } from '#server/platform/database/database.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** What the provider listed at the last sign-in or check; `kind` is `role` or `group`. */
    person_group: { person_id: string; kind: string; name: string };
  }
}

// The only SQL that writes person_group.

/** A person's memberships at the last sign-in or check: names of roles and of groups, each in order. */
export type Memberships = { roles: string[]; groups: string[] };

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
