import * as z from 'zod/mini';
import { id, line } from '#contract/text.ts';

/**
 * The current full names of the people in an answer, by what the answer names them with: the email address, or
 * `person <id>` without one. Of two people with the same full name, the address is added to it. People are left out
 * who have no name, were erased, or share their address with another person.
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
  /** Each word has to occur in the name or the email address. */
  search: z._default(line(0, 200), ''),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
});
export const foundAssignees = z.array(z.object({ id, name: z.string(), email: z.string() }));
