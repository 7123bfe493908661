import * as z from 'zod/mini';
import { roleName } from '#features/permissions/contract/administration.ts';
import { route } from '#contract/route.ts';
import { id } from '#contract/text.ts';

/** People that one call may change. */
export const mostPeopleAtOnce = 200;

/** The change to each person. People who have the role, or are in that state, stay unchanged. */
export const changeOfPeople = z.discriminatedUnion('change', [
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
