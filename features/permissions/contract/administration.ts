import * as z from 'zod/mini';
import { reservedRightPrefix } from './permissions.ts';
import { route } from '#contract/route.ts';
import { id, instant, line, version } from '#contract/text.ts';

/** The limit of each; that of rights includes the built-in ones. */
export const most = { rights: 10_000, roles: 500, mappings: 1_000, ownRightsOfPerson: 1_000 } as const;

/** A right by its name: of the catalogue in code, or one of the operators' own (RIGHT-2). */
export const rightName = z.string().check(
  z.regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'is not in upper case letters, digits and _'),
  z.refine((name) => !name.startsWith(reservedRightPrefix), 'begins with FF_, which is kept for flags'),
);

/** A role by its name: built-in, or one of the operators' own. */
export const roleName = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]{0,47}$/, 'is not in lower case letters, digits and -'));

// ---- the catalogue

const rightFields = { label: line(1, 100), description: line(0, 300), area: line(1, 60) };

/**
 * `label` and `description` of a built-in right are empty: its texts are in the catalogues, in each language.
 */
export const catalogueRight = z.object({
  right: z.string(),
  builtIn: z.boolean(),
  area: z.string(),
  label: z.string(),
  description: z.string(),
  version: z.number(),
});
export type CatalogueRight = z.infer<typeof catalogueRight>;

const oneRight = z.object({ right: rightName });

export const listRights = route({
  method: 'GET',
  path: '/v1/rights',
  summary: 'The catalogue of rights: the built-in ones, then the own ones by area and name (RIGHT-2)',
  access: { right: 'PEOPLE_READ' },
  answer: z.object({ rights: z.array(catalogueRight), most: z.number() }),
});

export const addRight = route({
  method: 'POST',
  path: '/v1/rights',
  summary: 'Adds a right of your own, for your screens and map layers',
  access: { right: 'PEOPLE_WRITE' },
  creates: true,
  body: z.strictObject({ right: rightName, ...rightFields }),
  answer: catalogueRight,
  status: 201,
});

export const changeRight = route({
  method: 'PUT',
  path: '/v1/rights/:right',
  summary: 'Changes how a right of your own is described; its name stays',
  access: { right: 'PEOPLE_WRITE' },
  params: oneRight,
  body: z.strictObject({ ...rightFields, version }),
  answer: catalogueRight,
});

export const removeRight = route({
  method: 'DELETE',
  path: '/v1/rights/:right',
  summary: 'Removes a right of your own, from every role and every person too; ask for a preview first',
  access: { right: 'PEOPLE_WRITE' },
  params: oneRight,
  answer: 'nothing',
});

// ---- roles

const roleFields = {
  name: line(1, 60),
  description: line(0, 300),
  rights: z.array(rightName).check(z.maxLength(most.rights)),
};

/**
 * `name` and `description` of a built-in role are empty: its texts are in the catalogues, in each language.
 */
export const roleDefinition = z.object({
  role: z.string(),
  builtIn: z.boolean(),
  name: z.string(),
  description: z.string(),
  rights: z.array(z.string()),
  /** How many people were given it; those who have it by a group are not counted. */
  people: z.number(),
  version: z.number(),
});
export type RoleDefinition = z.infer<typeof roleDefinition>;

const oneRole = z.object({ role: roleName });
/** Names of 10,000 rights. */
const roleBodyLimit = 1_048_576;

export const listRoles = route({
  method: 'GET',
  path: '/v1/roles',
  summary: 'The roles and the rights in each: the built-in ones, then the own ones by name',
  access: { right: 'PEOPLE_READ' },
  answer: z.object({ roles: z.array(roleDefinition), most: z.number() }),
});

export const addRole = route({
  method: 'POST',
  path: '/v1/roles',
  summary: 'Adds a role of your own: a named set of rights (RIGHT-3)',
  access: { right: 'PEOPLE_WRITE' },
  fresh: true,
  creates: true,
  bodyLimit: roleBodyLimit,
  body: z.strictObject({ role: roleName, ...roleFields }),
  answer: roleDefinition,
  status: 201,
});

export const changeRole = route({
  method: 'PUT',
  path: '/v1/roles/:role',
  summary: 'Changes a role of your own, for everyone who has it; a built-in one is changed by a copy',
  access: { right: 'PEOPLE_WRITE' },
  fresh: true,
  bodyLimit: roleBodyLimit,
  params: oneRole,
  body: z.strictObject({ ...roleFields, version }),
  answer: roleDefinition,
});

export const removeRole = route({
  method: 'DELETE',
  path: '/v1/roles/:role',
  summary: 'Removes a role of your own, from everyone who has it; ask for a preview first',
  access: { right: 'PEOPLE_WRITE' },
  params: oneRole,
  answer: 'nothing',
});

// ---- groups of the identity provider

/** Where the provider names a group: in its list of groups, or in its list of roles. */
export const groupKind = z.enum(['group', 'role']);
export type GroupKind = z.infer<typeof groupKind>;

/** `exact`: the whole name; `prefix`: names that begin with it. Case matters, and nothing is trimmed. */
export const groupMatch = z.enum(['exact', 'prefix']);

/** As the provider writes it, whatever it holds: slashes, commas, spaces at the ends, any script. */
export const groupName = z.string().check(
  z.minLength(1),
  z.maxLength(500),
  z.refine((name) => !name.includes('\u0000') && name.isWellFormed(), 'holds what no name may hold'),
);

const mappingFields = {
  kind: groupKind,
  match: groupMatch,
  name: groupName,
  roles: z.array(roleName).check(z.minLength(1), z.maxLength(50)),
};

export const groupMapping = z.object({
  id,
  kind: groupKind,
  match: groupMatch,
  name: z.string(),
  roles: z.array(z.string()),
  createdAt: instant,
  createdBy: z.string(),
  version,
});
export type GroupMapping = z.infer<typeof groupMapping>;

const oneMapping = z.object({ mappingId: id });

export const listGroupMappings = route({
  method: 'GET',
  path: '/v1/group-mappings',
  summary: 'Which groups of the identity provider give which roles (RIGHT-3), by name',
  access: { right: 'PEOPLE_READ' },
  answer: z.object({ mappings: z.array(groupMapping), most: z.number() }),
});

export const addGroupMapping = route({
  method: 'POST',
  path: '/v1/group-mappings',
  summary: 'Gives roles to everyone in a group, at once; ask for a preview first',
  access: { right: 'PEOPLE_WRITE' },
  fresh: true,
  creates: true,
  body: z.strictObject(mappingFields),
  answer: groupMapping,
  status: 201,
});

export const changeGroupMapping = route({
  method: 'PUT',
  path: '/v1/group-mappings/:mappingId',
  summary: 'Changes which group gives which roles',
  access: { right: 'PEOPLE_WRITE' },
  fresh: true,
  params: oneMapping,
  body: z.strictObject({ ...mappingFields, version }),
  answer: groupMapping,
});

export const removeGroupMapping = route({
  method: 'DELETE',
  path: '/v1/group-mappings/:mappingId',
  summary: 'Removes the roles from everyone who has them by this group',
  access: { right: 'PEOPLE_WRITE' },
  params: oneMapping,
  answer: 'nothing',
});

/** A group that the provider has named, and how many people are in it. */
export const knownGroup = z.object({ kind: groupKind, name: z.string(), people: z.number() });
export type KnownGroup = z.infer<typeof knownGroup>;

export const listGroups = route({
  method: 'GET',
  path: '/v1/groups',
  summary: 'Groups that the identity provider named at sign-ins, by name; the first that hold the text',
  access: { right: 'PEOPLE_READ' },
  query: z.object({ search: z._default(line(0, 200), ''), kind: z.optional(groupKind) }),
  answer: z.object({ groups: z.array(knownGroup) }),
});

// ---- what a change would do

/** A change that has not been made. */
export const proposedChange = z.discriminatedUnion('change', [
  z.strictObject({ change: z.literal('remove-right'), right: rightName }),
  z.strictObject({
    change: z.literal('set-role'),
    role: roleName,
    rights: z.array(rightName).check(z.maxLength(most.rights)),
  }),
  z.strictObject({ change: z.literal('remove-role'), role: roleName }),
  z.strictObject({ change: z.literal('add-mapping'), mapping: z.strictObject(mappingFields) }),
  z.strictObject({ change: z.literal('set-mapping'), mappingId: id, mapping: z.strictObject(mappingFields) }),
  z.strictObject({ change: z.literal('remove-mapping'), mappingId: id }),
]);
export type ProposedChange = z.infer<typeof proposedChange>;

/** A person whose rights would change; of many rights only the first are listed. */
export const affectedPerson = z.object({
  id,
  name: z.string(),
  email: z.string(),
  gained: z.array(z.string()),
  lost: z.array(z.string()),
});
export type AffectedPerson = z.infer<typeof affectedPerson>;

export const preview = z.object({
  /** People whose rights would change, all of them and how many of them gain and lose something. */
  touched: z.number(),
  gaining: z.number(),
  losing: z.number(),
  /** The first of them by name. */
  people: z.array(affectedPerson),
  /** For a removal: the roles that hold the right, or how many mappings give the role. */
  roles: z.array(z.string()),
  mappings: z.number(),
  /** Whether the change would be refused: no person would be left who can manage people. */
  lastAdministrator: z.boolean(),
});
export type Preview = z.infer<typeof preview>;

export const previewChange = route({
  method: 'POST',
  path: '/v1/rights-preview',
  summary: 'What a change of a right, a role or a mapping would do, and to whom; nothing is changed',
  access: { right: 'PEOPLE_READ' },
  closed: 'read',
  bodyLimit: roleBodyLimit,
  body: proposedChange,
  answer: preview,
});

// ---- a person's own, and why

/** A denial wins over whatever gives the right. */
export const ownEffect = z.enum(['grant', 'denial']);
export type OwnEffect = z.infer<typeof ownEffect>;

const given = { givenAt: z.nullable(instant), givenBy: z.nullable(z.string()) };
const ownFields = { expiresAt: z.nullable(instant), reason: z.string(), ...given };

/** A grant or denial of a single right to a single person. From `expiresAt` on it has no effect. */
export const ownRight = z.object({ right: z.string(), effect: ownEffect, ...ownFields });
export type OwnRight = z.infer<typeof ownRight>;

/** What gives a person a right. */
export const rightSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('role'), role: z.string(), ...given }),
  z.object({
    kind: z.literal('group'),
    role: z.string(),
    group: z.object({ kind: groupKind, name: z.string() }),
    mappingId: id,
  }),
  z.object({ kind: z.literal('grant'), ...ownFields }),
]);
export type RightSource = z.infer<typeof rightSource>;

/** Where a right comes from, or what is missing (RIGHT-4). */
export const whyRight = z.object({
  right: z.string(),
  held: z.boolean(),
  /** What gives the right, also where a denial or the block takes it away again. */
  sources: z.array(rightSource),
  /** The denial in force. */
  denial: z.nullable(z.object(ownFields)),
  /** Whether the person is blocked, and so has no right at all. */
  blocked: z.boolean(),
  /** What would give the right: the first roles, and the first groups that give such a role. */
  ways: z.object({
    roles: z.array(z.string()),
    groups: z.array(z.object({ kind: groupKind, match: groupMatch, name: z.string(), role: z.string() })),
  }),
});
export type WhyRight = z.infer<typeof whyRight>;

const onePersonsRight = z.object({ personId: id, right: rightName });

export const whyHasRight = route({
  method: 'GET',
  path: '/v1/people/:personId/rights/:right/why',
  summary: 'Where a right of a person comes from, or what is missing (RIGHT-4)',
  access: { right: 'PEOPLE_READ' },
  params: onePersonsRight,
  answer: whyRight,
});

export const rightsOfPerson = z.object({
  /** In the order of the catalogue. */
  rights: z.array(whyRight),
  own: z.array(ownRight),
  roles: z.array(z.object({ role: z.string(), ...given })),
  groups: z.array(z.object({ kind: groupKind, name: z.string(), roles: z.array(z.string()) })),
});

export const listRightsOfPerson = route({
  method: 'GET',
  path: '/v1/people/:personId/rights',
  summary:
    'Every right of the catalogue with why a person has it or not, their own grants and denials, roles and groups',
  access: { right: 'PEOPLE_READ' },
  params: z.object({ personId: id }),
  answer: rightsOfPerson,
});

const oneOwnRight = z.object({ personId: id, right: rightName, effect: ownEffect });

export const setOwnRight = route({
  method: 'PUT',
  path: '/v1/people/:personId/own-rights/:right/:effect',
  summary: 'Grants or denies a person a single right, without an end or until a time',
  access: { right: 'PEOPLE_WRITE' },
  fresh: true,
  params: oneOwnRight,
  body: z.strictObject({ expiresAt: z.nullable(instant), reason: line(0, 300) }),
  answer: ownRight,
});

export const removeOwnRight = route({
  method: 'DELETE',
  path: '/v1/people/:personId/own-rights/:right/:effect',
  summary: 'Takes a grant or a denial back',
  access: { right: 'PEOPLE_WRITE' },
  params: oneOwnRight,
  answer: 'nothing',
});
