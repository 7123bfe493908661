import { createApiToken } from '../features/api-tokens/api-tokens.store.ts';
import { recordAudit } from '../features/audit/audit.store.ts';
import { peopleByEmail } from '../features/people/people.store.ts';
import { readRights } from '../features/permissions/permissions.store.ts';
import type { Reader } from '../platform/database.ts';
import { Failure, type Command } from './command.ts';
import { addressIn, lineIn, rightsIn, spanIn } from './values.ts';

export const tokenCreate: Command = {
  summary: 'Makes an API token for a script',
  about: [
    'The token is shown once and kept as a hash. Scripts send it as "Authorization: Bearer". With --as it never has more',
    'rights than that person holds at the time, and ends to work while they are blocked.',
  ].join('\n'),
  startsData: false,
  options: {
    name: { value: 'NAME', help: 'What the token is for, as the audit names it', required: true },
    rights: { value: 'RIGHT,…', help: 'What it may do, such as FLAGS_READ,FLAGS_WRITE', required: true },
    expires: {
      value: 'SPAN',
      help: 'How long it works: hours, days or weeks, such as 12h, 30d, 8w',
      required: true,
    },
    as: { value: 'ADDRESS', help: 'The operator on whose behalf it acts' },
  },
  prepare(values) {
    const name = lineIn(values, 'name', 1, 100);
    const rights = rightsIn(values, 'rights');
    const span = spanIn(values, 'expires');
    const as = values['as'] === undefined ? null : addressIn(values, 'as');
    return ({ database, clock, actor }) =>
      database.change(async (change) => {
        const createdBy = as === null ? null : await personWithRights(change.tx, as, rights);
        const expiresAt = clock.now() + span;
        const { id, secret } = await createApiToken(change, { name, rights, createdBy, expiresAt });
        await recordAudit(change, actor, {
          action: 'api-token.create',
          subject: id,
          after: { name, rights, createdBy, expiresAt },
        });
        return {
          result: secret,
          notes: [
            `The token "${name}" works until ${new Date(expiresAt).toISOString()}. It is not shown again.`,
          ],
          json: { id, name, rights, createdBy, expiresAt, token: secret },
        };
      });
  },
};

/** The person behind an address, who holds all these rights: nobody hands out what they do not have (SES-9). */
async function personWithRights(read: Reader, email: string, rights: readonly string[]): Promise<string> {
  const found = await peopleByEmail(read, email);
  const [person] = found;
  if (person === undefined) throw new Failure(`Nobody has the address ${email}.`);
  if (found.length > 1) throw new Failure(`${found.length} people have the address ${email}.`);
  const held: readonly string[] = (await readRights(read, person.id)) ?? [];
  const missing = rights.filter((right) => !held.includes(right));
  if (missing.length > 0) throw new Failure(`${email} does not hold ${missing.join(', ')}.`);
  return person.id;
}
