import * as z from 'zod/mini';
import { groupName, rightName, roleName } from '#features/permissions/contract/administration.ts';
import { passwordLink } from '#features/identity-provider/contract/identity-provider.ts';
import { route } from '#contract/route.ts';
import { emailAddress } from '#contract/email-address.ts';
import { id, instant, line, version } from '#contract/text.ts';

/** `invited`: has not used the link yet. `active`: may sign in. `blocked`: is refused at the next request. */
export const personState = z.enum(['invited', 'active', 'blocked']);
export type PersonState = z.infer<typeof personState>;

/** Why an address may not be what it looks like. */
export const emailDoubt = z.object({
  /** It holds letters of several scripts in one word, or letters that cannot be seen. */
  mixedScripts: z.boolean(),
  /** People whose address looks the same; the first of them. */
  lookAlikes: z.array(z.object({ id, email: z.string() })),
});

export const person = z.object({
  id,
  email: z.string(),
  emailDoubt: z.nullable(emailDoubt),
  firstName: z.string(),
  lastName: z.string(),
  /** The file of their picture, or null. */
  avatar: z.nullable(z.string()),
  state: personState,
  /** Roles given to them, without those by a group of the provider. */
  roles: z.array(z.string()),
  /** Roles by a group of the provider. */
  groupRoles: z.array(z.string()),
  createdAt: instant,
  lastSeenAt: z.nullable(instant),
  version,
});
export type Person = z.infer<typeof person>;

/** By name, joining or last visit; people who never visited are the earliest. */
export const peopleOrder = z.enum(['name', 'joined', 'seen']);
export type PeopleOrder = z.infer<typeof peopleOrder>;

const onePerson = z.object({ personId: id });

export const listPeople = route({
  method: 'GET',
  path: '/v1/people',
  summary: 'People by name, email or group, in order of name or time',
  access: { right: 'PEOPLE_READ' },
  query: z.object({
    search: z._default(line(0, 200), ''),
    state: z.optional(personState),
    /** People who were given it, or have it from a group. */
    role: z.optional(roleName),
    /** People who have it now, from any source. */
    right: z.optional(rightName),
    /** People in the group, which is named exactly as by the provider. */
    group: z.optional(groupName),
    order: z._default(peopleOrder, 'name'),
    direction: z._default(z.enum(['ascending', 'descending']), 'ascending'),
    /** The `next` of the previous page. */
    cursor: z.optional(z.string().check(z.maxLength(1000))),
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
  }),
  answer: z.object({ people: z.array(person), total: z.number(), next: z.nullable(z.string()) }),
});

export const getPerson = route({
  method: 'GET',
  path: '/v1/people/:personId',
  summary: 'One person',
  access: { right: 'PEOPLE_READ' },
  params: onePerson,
  answer: person,
});

export const invitePerson = route({
  method: 'POST',
  path: '/v1/people',
  summary:
    'Invites a person: by a single-use link, or to be found by their verified address where people sign in at another provider (SES-3, SES-4)',
  access: { right: 'PEOPLE_WRITE' },
  fresh: true,
  creates: true,
  body: z.strictObject({
    email: emailAddress,
    firstName: line(0, 100),
    lastName: line(0, 100),
    roles: z.array(roleName).check(z.maxLength(50)),
  }),
  /** `invitation` is null where people have no password here. */
  answer: z.object({ person, invitation: z.nullable(passwordLink) }),
  status: 201,
});

export const renewInvitation = route({
  method: 'POST',
  path: '/v1/people/:personId/invitation',
  summary: 'A new link for a person who has not used theirs; the old one stops working',
  access: { right: 'PEOPLE_WRITE' },
  fresh: true,
  creates: true,
  params: onePerson,
  answer: passwordLink,
  status: 201,
});

export const setRoles = route({
  method: 'PUT',
  path: '/v1/people/:personId/roles',
  summary: 'Replaces the roles of a person (RIGHT-3)',
  access: { right: 'PEOPLE_WRITE' },
  fresh: true,
  params: onePerson,
  body: z.strictObject({ roles: z.array(roleName).check(z.maxLength(50)), version }),
  answer: person,
});

export const setBlocked = route({
  method: 'PUT',
  path: '/v1/people/:personId/blocked',
  summary: 'Blocks a person, who is refused at the next request (SES-8), or unblocks them',
  access: { right: 'PEOPLE_WRITE' },
  params: onePerson,
  body: z.strictObject({ blocked: z.boolean(), version }),
  answer: person,
});

/** People that one call may change. */
export const mostPeopleAtOnce = 200;

/** The change to each person. People who have the role, or are in that state, stay unchanged. */
const changeOfPeople = z.discriminatedUnion('change', [
  z.strictObject({ change: z.literal('give-role'), role: roleName }),
  z.strictObject({ change: z.literal('take-role'), role: roleName }),
  z.strictObject({ change: z.literal('block') }),
  z.strictObject({ change: z.literal('unblock') }),
  z.strictObject({ change: z.literal('sign-out') }),
]);
export type ChangeOfPeople = z.infer<typeof changeOfPeople>;

/** Changes each person separately: people who cannot be changed are reported. */
export const changePeople = route({
  method: 'POST',
  path: '/v1/people-changes',
  summary: 'Gives or takes a role, blocks, unblocks or signs out up to 200 people (CON-4)',
  access: { right: 'PEOPLE_WRITE' },
  fresh: true,
  body: z.strictObject({
    people: z.array(id).check(z.minLength(1), z.maxLength(mostPeopleAtOnce)),
    wanted: changeOfPeople,
  }),
  answer: z.object({
    /** How many were changed; the others needed no change. */
    changed: z.number(),
    refused: z.array(
      z.object({
        personId: id,
        /** The problem's code: CONFLICT, INVALID_BODY, LAST_ADMINISTRATOR, NOT_FOUND or RIGHT_MISSING. */
        code: z.string(),
      }),
    ),
  }),
});
