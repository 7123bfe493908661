import { rmSync } from 'node:fs';
import { embeddedIssuer } from '#features/identity-provider/server/accounts.ts';
import { clearAttempts } from '#features/identity-provider/server/accounts.store.ts';
import { deleteFactors } from '#features/identity-provider/server/factors/factors.store.ts';
import { hashSecret } from '../platform/keys/ids.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { setUpTokenFile } from '#features/identity-provider/server/set-up.ts';
import { recover } from '#features/people/server/administration.ts';
import { peopleByEmail, type Namesake } from '#features/directory/server/people.store.ts';
import { addressIn, lineIn, passwordFrom } from './values.ts';
import { personOf, refusal, whichPerson, whoIn } from './which-person.ts';
import type { Command } from './command.ts';
import { Failure } from './failure.ts';

export const operatorCreate: Command = {
  summary: 'Adds an operator',
  about:
    'Adds a person with the role operator: with the password from a file, or with a link that works once and sets one.',
  startsData: true,
  options: {
    email: {
      value: 'ADDRESS',
      help: 'Where the operator is reached; what they sign in with',
      required: true,
    },
    'first-name': { value: 'NAME', help: 'First name' },
    'last-name': { value: 'NAME', help: 'Last name' },
    'password-file': { value: 'FILE', help: 'A file that holds the password; - for standard input' },
  },
  prepare(values) {
    const email = addressIn(values, 'email');
    const names = {
      firstName: lineIn(values, 'first-name', 0, 100),
      lastName: lineIn(values, 'last-name', 0, 100),
    };
    const file = values['password-file'];
    return async ({ database, accounts, administration, actor, issuer, dataDir }) => {
      if (issuer !== embeddedIssuer)
        throw new Failure(
          `People sign in at ${issuer}, and have no password here. OPERATOR_EMAIL or the set-up link makes the first operator, "operator reset" a person who has signed in before.`,
        );
      const password =
        file === undefined ? null : await accounts.prepare(passwordFrom(file), { email, ...names });
      const outcome = await database.change(async (change) => {
        refuseTaken(email, await peopleByEmail(change.tx, email));
        const account =
          password === null
            ? await accounts.invite(change, { email })
            : { accountId: await accounts.create(change, { email, password }), link: null };
        const draft = { email, ...names, roles: ['operator'] as const };
        const person = await administration.addPerson(change, draft, account.accountId);
        await recordAudit(change, actor, {
          action: 'operator.create',
          subject: person.id,
          after: { email, ...names, roles: person.roles },
        });
        const json = { id: person.id, email, ...names };
        if (account.link === null) {
          return {
            result: person.id,
            notes: [`${email} is an operator and signs in with the password.`],
            json,
          };
        }
        const { link, expiresAt } = account;
        return { result: link, notes: linkNotes(email, expiresAt), json: { ...json, link, expiresAt } };
      });
      // A running server removes its set-up token itself; without a server the file would stay until the next start.
      rmSync(setUpTokenFile(dataDir), { force: true });
      return outcome;
    };
  },
};

export const operatorReset: Command = {
  summary: 'Gives an operator who is locked out a new link and the role again',
  about: [
    'Gives a link that works once and sets a new password, removes passkeys and one-time codes, gives the role',
    'operator back, removes a block, forgets wrong guesses and ends open sessions: with it an operator recovers an installation that no one can sign in to.',
  ].join('\n'),
  startsData: false,
  options: whichPerson,
  prepare(values) {
    const who = whoIn(values);
    return async ({ database, accounts, actor, issuer: own, dataDir }) => {
      const outcome = await database.change(async (change) => {
        const person = await personOf(change.tx, who, { issuer: own });
        if (person.issuer !== own)
          throw refusal(`People sign in at ${own} here, and this person does so elsewhere:`, [person]);
        const email = person.email === '' ? `person ${person.id}` : person.email;
        const { before, after } = await recover(change, person.id);
        // The device with the second factor may be lost too.
        if (own === embeddedIssuer) await deleteFactors(change, person.subject);
        const invitation = own === embeddedIssuer ? await accounts.renewLink(change, person.subject) : null;
        await clearAttempts(change.tx, hashSecret(person.email));
        await recordAudit(change, actor, {
          action: 'operator.reset',
          subject: person.id,
          before: { roles: before.roles, state: before.state },
          after: { roles: after.roles, state: after.state },
        });
        if (invitation === null) {
          const notes = [`${email} is an operator, and signs in at ${own}.`];
          return { result: person.id, notes, json: { id: person.id, email: person.email } };
        }
        const { link, expiresAt } = invitation;
        return {
          result: link,
          notes: linkNotes(email, expiresAt),
          json: { id: person.id, email: person.email, link, expiresAt },
        };
      });
      rmSync(setUpTokenFile(dataDir), { force: true });
      return outcome;
    };
  },
};

/**
 * Throws Failure where the address is taken; its text says how the only owner, if they sign in here, becomes operator.
 */
function refuseTaken(email: string, namesakes: readonly Namesake[]): void {
  const [person, ...others] = namesakes;
  if (person === undefined) return;
  if (others.length > 0 || person.issuer !== embeddedIssuer)
    throw refusal(`The address ${email} is taken:`, namesakes);
  throw new Failure(
    `The address ${email} is taken by a person who signs in here. "operator reset --id ${person.id}" makes them an operator.`,
    { code: 'PERSON_EXISTS', id: person.id, email },
  );
}

function linkNotes(email: string, expiresAt: number): string[] {
  return [
    `${email} is an operator. The link sets the password; it works once, until ${new Date(expiresAt).toISOString()}.`,
  ];
}
