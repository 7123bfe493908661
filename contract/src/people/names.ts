import * as z from 'zod/mini';

/**
 * What people are called now whom an answer names by e-mail address (or as `person <id>`, where a provider
 * gave none): their full name, with the address where two of them have the same one. Left out is a person
 * without a name, one who is gone, and one whose address another person has too.
 */
export const peopleNames = z.record(z.string(), z.string());
export type PeopleNames = z.infer<typeof peopleNames>;
