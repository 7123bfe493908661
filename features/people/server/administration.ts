import type { Person } from '#features/people/contract/people.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { HttpProblem, invalid, orNotFound, refuseStale, taken } from '#server/platform/http/http-problem.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import { deleteDenialsOf, setRolesOf, unknownRoles } from '#features/permissions/server/permissions.store.ts';
import { endSessionsOf } from '#features/session/server/session.store.ts';
import { requireGivableAgain, requireRolesGivable } from '#features/permissions/server/given-by-token.ts';
import { requireAdministrator } from '#features/permissions/server/last-administrator.ts';
import { createPerson } from '#features/directory/server/directory.ts';
import {
  bumpVersion,
  identityOf,
  invitedIssuer,
  peopleByEmail,
  writeBlocked,
} from '#features/directory/server/people.store.ts';
import { readPerson } from './person-list.ts';

/** A link that works once; `expiresAt` in milliseconds. */
export type OneTimeLink = { link: string; expiresAt: number };

/** The provider in use: where the people who are invited sign in. */
export type AdministrationParts = {
  /** The embedded provider's accounts. */
  accounts: {
    /** The `person.issuer` of people with such an account; their subject is the account's id. */
    issuer: string;
    /** Adds an account without a password, and a link to set it. */
    invite(change: Change, account: { email: string }): Promise<OneTimeLink & { accountId: string }>;
    /** A new link; the old ones of this account stop working. */
    renewLink(change: Change, accountId: string): Promise<OneTimeLink>;
  };
  /** Lets a person be found by address at the outside provider; null with the embedded one. */
  awaitPerson: ((change: Change, personId: string, email: string) => Promise<void>) | null;
  /** Notifies a person that their roles have changed. */
  notifyPerson(change: Change, personId: string): Promise<void>;
};

export type PersonDraft = { email: string; firstName: string; lastName: string; roles: readonly string[] };

/**
 * Operators' changes of people, each with its audit entry. All functions run inside a guarded change, and
 * these are serialized: two operators who act at the same time cannot remove the last person who can manage
 * people (RIGHT-3).
 *
 * PEOPLE_WRITE is enough for a person to give any role (docs/decisions/0006); an API token gives what it holds.
 */
export type Administration = {
  /** Adds the person of a new account at the embedded provider. CONFLICT for a taken address. */
  addPerson(change: Change, draft: PersonDraft, accountId: string): Promise<Person>;
  invite(
    change: Change,
    actor: Actor,
    draft: PersonDraft,
  ): Promise<{ person: Person; invitation: OneTimeLink | null }>;
  renewInvitation(change: Change, actor: Actor, personId: string): Promise<OneTimeLink>;
  setRoles(
    change: Change,
    actor: Actor,
    personId: string,
    wanted: { roles: readonly string[]; version: number },
  ): Promise<Person>;
  setBlocked(
    change: Change,
    actor: Actor,
    personId: string,
    wanted: { blocked: boolean; version: number },
  ): Promise<Person>;
};

const stalePerson = 'Somebody changed this person meanwhile. Look again, then repeat it.';
const rolesOfPeople = versionedRows({
  find: existing,
  audited: ({ roles }) => ({ roles }),
  stale: stalePerson,
});
const statesOfPeople = versionedRows({ find: existing, audited: ({ state }) => ({ state }) });

export function createAdministration(parts: AdministrationParts): Administration {
  const { accounts } = parts;

  async function add(
    change: Change,
    draft: PersonDraft,
    identity: { issuer: string; subject: string },
    givenBy: Actor | null,
  ): Promise<Person> {
    const { email, firstName, lastName, roles } = draft;
    if ((await peopleByEmail(change.tx, email)).length > 0)
      throw taken('/email', 'Somebody has this email address already.', 'belongs to somebody already');
    // An address that an operator enters counts as verified if the person signs in with it.
    const emailVerified = identity.issuer === accounts.issuer;
    const personId = await createPerson(change, { ...identity, email, emailVerified, firstName, lastName });
    await setRolesOf(change, personId, roles, givenBy);
    return existing(change.tx, personId);
  }

  async function refuseUnknownRoles(change: Change, roles: readonly string[]): Promise<void> {
    const [unknown] = await unknownRoles(change.tx, roles);
    if (unknown !== undefined) throw invalid(`/roles/${roles.indexOf(unknown)}`, 'unknown', 'is no role');
  }

  /** Adds an invited person: with a link to set a password, or waiting to be found at another provider. */
  async function addInvited(
    change: Change,
    draft: PersonDraft,
    givenBy: Actor,
  ): Promise<{ person: Person; invitation: OneTimeLink | null }> {
    if (parts.awaitPerson !== null) {
      const person = await add(change, draft, { issuer: invitedIssuer, subject: newId() }, givenBy);
      await parts.awaitPerson(change, person.id, person.email);
      return { person, invitation: null };
    }
    const { accountId, ...invitation } = await accounts.invite(change, { email: draft.email });
    const identity = { issuer: accounts.issuer, subject: accountId };
    return { person: await add(change, draft, identity, givenBy), invitation };
  }

  return {
    addPerson: (change, draft, accountId) =>
      add(change, draft, { issuer: accounts.issuer, subject: accountId }, null),

    async invite(change, actor, draft) {
      await refuseUnknownRoles(change, draft.roles);
      await requireRolesGivable(change, actor, draft.roles);
      const { person, invitation } = await addInvited(change, draft, actor);
      const { email, firstName, lastName, roles } = person;
      await recordAudit(change, actor, {
        action: 'person.invite',
        subject: person.id,
        after: { email, firstName, lastName, roles },
      });
      return { person, invitation };
    },

    async renewInvitation(change, actor, personId) {
      const person = await existing(change.tx, personId);
      const identity = await identityOf(change.tx, personId);
      if (person.state === 'invited' && (parts.awaitPerson !== null || identity?.issuer === invitedIssuer)) {
        throw new HttpProblem('CONFLICT', {
          detail: 'This person signs in at another provider, and needs no link.',
        });
      }
      if (person.state !== 'invited' || identity?.issuer !== accounts.issuer) {
        throw new HttpProblem('CONFLICT', {
          detail:
            person.state === 'blocked'
              ? 'This person is blocked. Let them in again first.'
              : 'This person has signed up already and needs no invitation.',
        });
      }
      await requireGivableAgain(change, actor, personId);
      const { link, expiresAt } = await accounts.renewLink(change, identity.subject);
      await recordAudit(change, actor, {
        action: 'person.renew-invitation',
        subject: personId,
        after: { expiresAt },
      });
      return { link, expiresAt };
    },

    async setRoles(change, actor, personId, { roles, version }) {
      const person = await rolesOfPeople.findAt(change, personId, version);
      const wanted = [...new Set(roles)];
      if (sameRoles(person.roles, wanted)) return person;
      await refuseUnknownRoles(change, wanted);
      await requireRolesGivable(change, actor, wanted, person.roles);
      await requireAdministrator(change, () => setRolesOf(change, personId, wanted, actor));
      await bumpVersion(change, personId);
      const written = { action: 'person.set-roles', subject: personId, before: person } as const;
      const changed = await rolesOfPeople.recordWrite(change, actor, written);
      if (actor.id !== personId) await parts.notifyPerson(change, personId);
      return changed;
    },

    async setBlocked(change, actor, personId, { blocked, version }) {
      const person = await existing(change.tx, personId);
      if (blocked && actor.id === personId) {
        throw new HttpProblem('CONFLICT', { detail: 'Nobody can block themselves. Ask another operator.' });
      }
      refuseStale(person, version, stalePerson);
      if (blocked === (person.state === 'blocked')) return person;
      if (!blocked) await requireGivableAgain(change, actor, personId);
      await requireAdministrator(change, () => writeBlocked(change, personId, blocked ? change.at : null));
      if (blocked) await endSessionsOf(change, personId, 'blocked');
      const action = blocked ? 'person.block' : 'person.unblock';
      return statesOfPeople.recordWrite(change, actor, { action, subject: personId, before: person });
    },
  };
}

/** Gives the role operator, and changes nothing else. The caller writes the audit. */
export async function makeOperator(change: Change, personId: string): Promise<void> {
  const { roles } = await existing(change.tx, personId);
  await setRolesOf(change, personId, [...roles, 'operator']);
  await bumpVersion(change, personId);
}

/**
 * Makes a locked-out person an operator again: gives the role, and removes denials, block and sessions. For
 * the command line only, whose user can write the database anyway. The caller writes the audit entry.
 */
export async function recover(change: Change, personId: string): Promise<{ before: Person; after: Person }> {
  const before = await existing(change.tx, personId);
  await setRolesOf(change, personId, [...before.roles, 'operator']);
  await deleteDenialsOf(change, personId);
  await writeBlocked(change, personId, null);
  await endSessionsOf(change, personId, 'operator');
  return { before, after: await existing(change.tx, personId) };
}

async function existing(read: Reader, personId: string): Promise<Person> {
  return orNotFound(await readPerson(read, personId), 'There is no such person.');
}

function sameRoles(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((role) => other.includes(role));
}
