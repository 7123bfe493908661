import { builtInRoles, type Right, type Role } from '@portico/contract/permissions';

/**
 * The rights in force for a person (RIGHT-3): those of all their roles, sorted, without repeats. A blocked person has none.
 * A role that is not known here (of a newer program) gives nothing.
 */
export function decideRights(person: { roles: readonly string[]; blocked: boolean }): Right[] {
  if (person.blocked) return [];
  const rights = new Set(person.roles.flatMap((name) => (isRole(name) ? builtInRoles[name] : [])));
  return [...rights].toSorted();
}

/** The roles that give a right. */
export function rolesThatGive(right: Right): Role[] {
  return Object.keys(builtInRoles).filter(
    (name): name is Role => isRole(name) && decideRights({ roles: [name], blocked: false }).includes(right),
  );
}

export function isRole(name: string): name is Role {
  return Object.hasOwn(builtInRoles, name);
}
