import {
  createApiToken,
  readApiTokens,
  revokeApiTokens,
  type ListedApiToken,
} from '#features/api-tokens/server/api-tokens.store.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { readRights } from '#features/permissions/server/permissions.store.ts';
import { unknownRights } from '#features/permissions/server/rules.store.ts';
import type { Reader } from '../platform/database/database.ts';
import type { Command, Values } from './command.ts';
import { Failure } from './failure.ts';
import { addressIn, idIn, lineIn, rightsIn, spanIn } from './values.ts';
import { personOf, type Who } from './which-person.ts';

export const tokenCreate: Command = {
  summary: 'Makes an API token for a script',
  about: [
    'The token is shown once and stored as a hash. Scripts send it as "Authorization: Bearer". With --as it never has more',
    'rights than that person holds at the time, and does not work while they are blocked.',
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
    as: {
      value: 'ADDRESS|ID',
      help: 'The operator on whose behalf it acts: their verified address, or their id',
    },
  },
  prepare(values) {
    const name = lineIn(values, 'name', 1, 100);
    const rights = rightsIn(values, 'rights');
    const span = spanIn(values, 'expires');
    const as = values['as'] === undefined ? null : operatorIn(values);
    return ({ database, clock, actor }) =>
      database.change(async (change) => {
        const unknown = await unknownRights(change.tx, rights);
        if (unknown.length > 0) throw new Failure(`There is no right ${unknown.join(', ')}.`);
        const createdBy = as === null ? null : await personWithRights(change.tx, as, rights, clock.now());
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

/** The person whom `--as` names: by address if it has an `@`, which no id has, else by id. Throws UsageError. */
function operatorIn(values: Values): Who {
  return values['as']?.includes('@') === true
    ? { by: 'email', typed: addressIn(values, 'as') }
    : { by: 'id', typed: idIn(values, 'as') };
}

/** The named person, who holds all these rights: no one hands out a right that they lack (SES-9). */
async function personWithRights(
  read: Reader,
  who: Who,
  rights: readonly string[],
  now: number,
): Promise<string> {
  const person = await personOf(read, who, { option: '--as' });
  const held: readonly string[] = (await readRights(read, person.id, now)) ?? [];
  const missing = rights.filter((right) => !held.includes(right));
  if (missing.length > 0) throw new Failure(`${who.typed} does not hold ${missing.join(', ')}.`);
  return person.id;
}

export const tokenList: Command = {
  summary: 'Lists the API tokens',
  about:
    'The newest first. Their secrets are stored nowhere. Those that ended more than 90 days ago are removed.',
  startsData: false,
  options: { all: { value: null, help: 'Also those that were revoked or have expired' } },
  prepare(values) {
    const all = values['all'] !== undefined;
    return async ({ database, clock }) => {
      const now = clock.now();
      const listed = (await readApiTokens(database.read)).map((token) => ({
        ...token,
        state: stateOf(token, now),
      }));
      const tokens = listed.filter(({ state }) => all || state === 'active');
      return {
        result: tokens.map(lineOf).join('\n'),
        notes: tokens.length === 0 ? ['There are none.'] : [],
        json: { tokens },
      };
    };
  },
};

export const tokenRevoke: Command = {
  summary: 'Ends an API token at once',
  about: 'Also ends those that were created with it. A running server refuses them within a second.',
  startsData: false,
  options: { id: { value: 'ID', help: 'Which one, as token list shows it', required: true } },
  prepare(values) {
    const id = lineIn(values, 'id', 1, 64);
    return ({ database, actor }) =>
      database.change(async (change) => {
        const revoked = await revokeApiTokens(change, id, actor);
        if (revoked === null) throw new Failure(`There is no token ${id}.`);
        for (const { rights, ...token } of revoked) {
          await recordAudit(change, actor, {
            action: 'api-token.revoke',
            subject: token.id,
            before: { name: token.name, rights },
          });
        }
        return {
          result: revoked.map((token) => token.id).join('\n'),
          notes:
            revoked.length === 0
              ? ['It had been revoked before.']
              : revoked.map(({ name }) => `The token "${name}" no longer works.`),
          json: { revoked: revoked.map((token) => ({ id: token.id, name: token.name })) },
        };
      });
  },
};

function stateOf(token: ListedApiToken, now: number): 'active' | 'expired' | 'revoked' {
  if (token.revokedAt !== null) return 'revoked';
  return now >= token.expiresAt ? 'expired' : 'active';
}

function lineOf(token: ListedApiToken & { state: string }): string {
  const until = `${token.state === 'active' ? 'until' : token.state} ${new Date(token.revokedAt ?? token.expiresAt).toISOString()}`;
  return [token.id, until, JSON.stringify(token.name), token.rights.join(',')].join('  ');
}
