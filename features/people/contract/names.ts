import * as z from 'zod/mini';

/**
 * The present full names of the people that an answer names, by what the answer names them with: the email
 * address, or `person <id>` where there is none. Where two of them have the same full name, the address
 * stands behind it. A person is left out who has no name, who was erased, or whose address another person has
 * too.
 */
export const peopleNames = z.record(z.string(), z.string());
export type PeopleNames = z.infer<typeof peopleNames>;
