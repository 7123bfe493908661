import { builtInRoles, type Role } from '#features/permissions/contract/permissions.ts';
import { rightCatalogue } from '#contract/features.ts';
import {
  type GroupKind,
  type OwnRight,
  type RightSource,
  type WhyRight,
} from '#features/permissions/contract/administration.ts';

export type Group = { kind: GroupKind; name: string };

/** Roles that all people of a group get. */
export type Mapping = {
  id: string;
  kind: GroupKind;
  match: 'exact' | 'prefix';
  name: string;
  roles: readonly string[];
};

/** The rules for all people. */
export type RuleSet = {
  /** Names of the operators' own rights. */
  rights: readonly string[];
  /** The operators' own roles, and the rights in each. */
  roles: ReadonlyMap<string, readonly string[]>;
  mappings: readonly Mapping[];
};

/** What is stored about one person. */
export type PersonFacts = {
  blocked: boolean;
  roles: readonly { role: string; givenAt: number | null; givenBy: string | null }[];
  own: readonly OwnRight[];
  groups: readonly Group[];
};

/** The rules, ready to be asked about one person after the other. */
export type Rules = {
  readonly set: RuleSet;
  /** The whole catalogue: the built-in rights and the own ones. */
  readonly catalogue: ReadonlySet<string>;
  /** The rights of a role; none where there is no such role. */
  rightsOf(role: string): readonly string[];
  mappingsFor(group: Group): readonly Mapping[];
};

const noRights: readonly string[] = [];
const builtIn = new Map<string, readonly string[]>(Object.entries(builtInRoles));
const builtInRights: readonly string[] = rightCatalogue.map(({ right }) => right);

export function prepareRules(set: RuleSet): Rules {
  const exact = new Map<string, Mapping[]>();
  const prefixes: Mapping[] = [];
  for (const mapping of set.mappings) {
    if (mapping.match === 'prefix') prefixes.push(mapping);
    else {
      const key = keyOf(mapping);
      exact.set(key, [...(exact.get(key) ?? []), mapping]);
    }
  }
  return {
    set,
    catalogue: new Set([...builtInRights, ...set.rights]),
    rightsOf: (role) => builtIn.get(role) ?? set.roles.get(role) ?? noRights,
    mappingsFor: (group) => [
      ...(exact.get(keyOf(group)) ?? []),
      ...prefixes.filter((mapping) => mapping.kind === group.kind && group.name.startsWith(mapping.name)),
    ],
  };
}

function keyOf({ kind, name }: Group): string {
  return `${kind}\n${name}`;
}

/** Whether a grant or a denial has an effect at this time. */
export function isInForce({ expiresAt }: Pick<OwnRight, 'expiresAt'>, now: number): boolean {
  return expiresAt === null || now < expiresAt;
}

/**
 * The rights in force for a person at a time (RIGHT-3), sorted, without repeats: those of their roles, of the
 * roles that their groups give, and those granted to them, without those denied to them. A blocked person has
 * none, and what is not in the catalogue counts nowhere. They stay the same until `until`, when the next
 * grant or denial ends.
 */
export function decideRights(
  person: PersonFacts,
  rules: Rules,
  now: number,
): { rights: string[]; until: number } {
  const own = person.own.filter((one) => isInForce(one, now));
  const until = Math.min(...own.map(({ expiresAt }) => expiresAt ?? Infinity), Infinity);
  return { rights: [...effectiveRights({ ...person, own }, rules)].toSorted(), until };
}

/** The rights by `decideRights`, in no order, of a person whose grants and denials are all in force. */
export function effectiveRights(person: PersonFacts, rules: Rules): Set<string> {
  const held = new Set<string>();
  if (person.blocked) return held;
  for (const role of rolesOf(person, rules)) {
    for (const right of rules.rightsOf(role)) if (rules.catalogue.has(right)) held.add(right);
  }
  for (const { right, effect } of person.own)
    if (effect === 'grant' && rules.catalogue.has(right)) held.add(right);
  for (const { right, effect } of person.own) if (effect === 'denial') held.delete(right);
  return held;
}

/** The roles that a person holds, sorted: only roles that exist, and none for a blocked person. */
export function effectiveRoles(person: PersonFacts, rules: Rules): string[] {
  if (person.blocked) return [];
  return [...rolesOf(person, rules)]
    .filter((role) => builtIn.has(role) || rules.set.roles.has(role))
    .toSorted();
}

/** The roles of a person, also those by a group. */
function rolesOf(person: PersonFacts, rules: Rules): Set<string> {
  return new Set([
    ...person.roles.map(({ role }) => role),
    ...person.groups.flatMap((group) => rules.mappingsFor(group).flatMap(({ roles }) => roles)),
  ]);
}

/** The most roles and groups that are named as what would give a right. */
const mostWays = 20;

/** For every right of the catalogue, in its order, where it comes from or what is missing (RIGHT-4). */
export function explainRights(person: PersonFacts, rules: Rules, now: number): WhyRight[] {
  const sources = new Map<string, RightSource[]>();
  const add = (right: string, source: RightSource) => {
    const known = sources.get(right);
    if (known === undefined) sources.set(right, [source]);
    else known.push(source);
  };
  for (const { role, givenAt, givenBy } of person.roles) {
    for (const right of rules.rightsOf(role)) add(right, { kind: 'role', role, givenAt, givenBy });
  }
  for (const group of person.groups) {
    for (const { id, roles } of rules.mappingsFor(group)) {
      for (const role of roles) {
        for (const right of rules.rightsOf(role)) add(right, { kind: 'group', role, group, mappingId: id });
      }
    }
  }
  const denials = new Map<string, OwnRight>();
  for (const one of person.own.filter((each) => isInForce(each, now))) {
    const { right, effect, ...facts } = one;
    if (effect === 'grant') add(right, { kind: 'grant', ...facts });
    else denials.set(right, one);
  }
  const giving = waysOf(rules);
  return [...rules.catalogue].map((right) => {
    const denial = denials.get(right) ?? null;
    const found = sources.get(right) ?? [];
    return {
      right,
      held: found.length > 0 && denial === null && !person.blocked,
      sources: found,
      denial:
        denial === null
          ? null
          : {
              expiresAt: denial.expiresAt,
              reason: denial.reason,
              givenAt: denial.givenAt,
              givenBy: denial.givenBy,
            },
      blocked: person.blocked,
      ways: giving(right),
    };
  });
}

function waysOf(rules: Rules): (right: string) => WhyRight['ways'] {
  const roles = new Map<string, string[]>();
  for (const role of [...builtIn.keys(), ...rules.set.roles.keys()]) {
    for (const right of rules.rightsOf(role)) roles.set(right, [...(roles.get(right) ?? []), role]);
  }
  return (right) => {
    const giving = roles.get(right) ?? [];
    return {
      roles: giving.slice(0, mostWays),
      groups: rules.set.mappings
        .flatMap(({ kind, match, name, roles: given }) =>
          given.filter((role) => giving.includes(role)).map((role) => ({ kind, match, name, role })),
        )
        .slice(0, mostWays),
    };
  };
}

/** The roles that give a right, built-in and own. */
export function rolesThatGive(right: string, { roles }: Pick<RuleSet, 'roles'>): string[] {
  return [...builtIn, ...roles].filter(([, rights]) => rights.includes(right)).map(([role]) => role);
}

export function isBuiltInRole(name: string): name is Role {
  return builtIn.has(name);
}

export function isBuiltInRight(name: string): boolean {
  return builtInRights.includes(name);
}
