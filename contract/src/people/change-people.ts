import * as z from 'zod/mini';
import { roleName } from '../permissions/administration.ts';
import { route } from '../route.ts';
import { id } from '../text.ts';

/** People that one call may change. */
export const mostPeopleAtOnce = 200;

/** What is done to each of them. Who has the role, or is in that state, stays as they are. */
export const changeOfPeople = z.discriminatedUnion('change', [
  z.strictObject({ change: z.literal('give-role'), role: roleName }),
  z.strictObject({ change: z.literal('take-role'), role: roleName }),
  z.strictObject({ change: z.literal('block') }),
  z.strictObject({ change: z.literal('unblock') }),
  z.strictObject({ change: z.literal('sign-out') }),
]);
export type ChangeOfPeople = z.infer<typeof changeOfPeople>;

/** Each person on their own: those that cannot be changed stay as they are and are reported. */
export const changePeople = route({
  method: 'POST',
  path: '/v1/people-changes',
  summary: 'Gives or takes a role, blocks, unblocks or signs out up to 200 people (CON-4)',
  access: { right: 'PEOPLE_WRITE' },
  body: z.strictObject({
    people: z.array(id).check(z.minLength(1), z.maxLength(mostPeopleAtOnce)),
    wanted: changeOfPeople,
  }),
  answer: z.object({
    /** How many were changed; the others were so already. */
    changed: z.number(),
    refused: z.array(
      z.object({
        personId: id,
        /** The problem's code: CONFLICT, INVALID_BODY, LAST_ADMINISTRATOR or NOT_FOUND. */
        code: z.string(),
      }),
    ),
  }),
});
