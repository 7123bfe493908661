import * as z from 'zod/mini';
import { id, line } from '#contract/text.ts';

/**
 * The present full names of the people that an answer names, by what the answer names them with: the email
 * address, or `person <id>` where there is none. Where two of them have the same full name, the address
 * stands behind it. A person is left out who has no name, who was erased, or whose address another person has
 * too.
 */
export const peopleNames = z.record(z.string(), z.string());
export type PeopleNames = z.infer<typeof peopleNames>;

/** The person who works on something. */
export const assignee = z.object({
  id,
  /** The full name, or the email address where there is none. */
  name: z.string(),
  /** False once they do not hold the right of the work any more, or are blocked: another one should be found. */
  active: z.boolean(),
});
export type Assignee = z.infer<typeof assignee>;

/** People to whom something can be assigned, found by words. */
export const assigneeSearch = z.object({
  /** Words that each stand somewhere in the name or the email address. */
  search: z._default(line(0, 200), ''),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
});
export const foundAssignees = z.array(z.object({ id, name: z.string(), email: z.string() }));
