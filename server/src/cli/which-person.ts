import { peopleByEmail, personById, type Namesake } from '#features/directory/server/people.store.ts';
import type { Reader } from '../platform/database/database.ts';
import type { Command, Values } from './command.ts';
import { Failure, UsageError } from './failure.ts';
import { addressIn, idIn } from './values.ts';

/** How a person is named on the command line. */
export type Who = { by: 'email' | 'id'; typed: string };

/**
 * The two ways to name a person; people of some providers have no address, and some addresses are unverified.
 */
export const whichPerson: Command['options'] = {
  email: { value: 'ADDRESS', help: 'Of the person; it must be verified, and no one else’s' },
  id: { value: 'ID', help: 'Of the person, as their address in the console shows it' },
};

/** Whether a person is named by email address or by id. Throws UsageError. */
export function whoIn(values: Values): Who {
  const [email, id] = [values['email'], values['id']];
  if ((email === undefined) === (id === undefined)) throw new UsageError('Give either --email or --id.');
  return email === undefined
    ? { by: 'id', typed: idIn(values, 'id') }
    : { by: 'email', typed: addressIn(values, 'email') };
}

/**
 * Finds the person who is meant. An address is accepted only where one person has it and their provider has
 * verified it, since unverified addresses can be chosen freely. Otherwise throws Failure, which lists the people
 * who may be meant.
 *
 * @param option the option that takes the id of one of them
 * @param issuer only people who sign in there are meant, where it is given
 */
export async function personOf(
  read: Reader,
  { by, typed }: Who,
  { option = '--id', issuer }: { option?: string; issuer?: string } = {},
): Promise<Namesake> {
  if (by === 'id') {
    const person = await personById(read, typed);
    if (person === null) throw new Failure(`Nobody has the id ${typed}.`, { code: 'NO_SUCH_PERSON' });
    return person;
  }
  const found = await peopleByEmail(read, typed);
  const meant = issuer === undefined ? found : found.filter((one) => one.issuer === issuer);
  const [person] = meant;
  if (person === undefined && found.length > 0)
    throw refusal(`Nobody who signs in at ${issuer ?? ''} has the address ${typed}, but elsewhere:`, found);
  if (person === undefined) throw new Failure(`Nobody has the address ${typed}.`, { code: 'NO_SUCH_PERSON' });
  if (meant.length > 1)
    throw refusal(`${meant.length} people have the address ${typed}. Say which by ${option}:`, meant);
  if (!person.emailVerified) {
    throw refusal(
      `No provider vouches for the address ${typed}: its holder may have chosen it. If it is the right person, name them by ${option}:`,
      meant,
    );
  }
  return person;
}

/** A failure that lists the matching people, with what distinguishes them. */
export function refusal(message: string, people: readonly Namesake[]): Failure {
  const candidates = people.map(({ subject: _internal, ...one }) => one);
  return new Failure(message, { code: 'PERSON_UNCLEAR', people: candidates }, candidates.map(lineOf));
}

function lineOf({ id, name, email, emailVerified, issuer, lastSeenAt }: Omit<Namesake, 'subject'>): string {
  return [
    id,
    name === '' ? '(no name)' : JSON.stringify(name),
    email,
    emailVerified ? 'verified' : 'NOT verified',
    issuer,
    lastSeenAt === null ? 'never seen' : `last seen ${new Date(lastSeenAt).toISOString()}`,
  ].join('  ');
}
