import type { Change, Reader } from '../../platform/database.ts';
import type { Actor, AuditEntry } from '../audit/audit.store.ts';
import type { Identity } from '../session/identity.ts';
import { groupsOf, replaceGroups, type Memberships } from './memberships.store.ts';

export type FollowPersonParts = {
  profileOf(
    read: Reader,
    personId: string,
  ): Promise<{ email: string; firstName: string; lastName: string } | null>;
  addressOf(read: Reader, personId: string): Promise<Address | null>;
  writeEmail(change: Change, personId: string, address: Address): Promise<void>;
  /** Also puts the person in their place in lists, which is by e-mail address where there is no name. */
  writeNames(change: Change, personId: string, names: { firstName: string; lastName: string }): Promise<void>;
  recordAudit(change: Change, actor: Actor, entry: AuditEntry): Promise<void>;
};

export type FollowPerson = {
  /** Whether the provider says anything else than what is kept. */
  isNews(read: Reader, personId: string, identity: Identity): Promise<boolean>;
  /**
   * Takes over what the provider says: the address always, the name while there is none (people change theirs here),
   * roles and groups where they are known. Each change that others may ask about later is in the audit.
   */
  follow(change: Change, personId: string, identity: Identity): Promise<void>;
};

type Address = Pick<Identity, 'email' | 'emailVerified'>;

type News = {
  email: { before: Address; after: Address } | null;
  names: { firstName: string; lastName: string } | null;
  groups: { before: Memberships; after: Memberships } | null;
};

/** Keeps people as their provider has them (SES-4). */
export function createFollowPerson(parts: FollowPersonParts): FollowPerson {
  async function newsOf(read: Reader, personId: string, identity: Identity): Promise<News> {
    const kept = await parts.profileOf(read, personId);
    if (kept === null) return { email: null, names: null, groups: null };
    const before = await groupsOf(read, personId);
    const { email, emailVerified, firstName, lastName, groups: after } = identity;
    const address = await parts.addressOf(read, personId);
    const nameless = kept.firstName === '' && kept.lastName === '';
    return {
      email:
        address !== null && isNewAddress(address, identity)
          ? { before: address, after: { email, emailVerified } }
          : null,
      names: nameless && (firstName !== '' || lastName !== '') ? { firstName, lastName } : null,
      groups: after === null || same(before, after) ? null : { before, after },
    };
  }

  return {
    async isNews(read, personId, identity) {
      return Object.values(await newsOf(read, personId, identity)).some((news) => news !== null);
    },
    async follow(change, personId, identity) {
      const { email, names, groups } = await newsOf(change.tx, personId, identity);
      const name = identity.email === '' ? identity.subject : identity.email;
      const actor = { kind: 'person', id: personId, name, sessionId: null } as const;
      if (email !== null) {
        await parts.writeEmail(change, personId, email.after);
      }
      if (email !== null && email.before.email !== email.after.email)
        await parts.recordAudit(change, actor, {
          action: 'person.follow-email',
          subject: personId,
          before: { email: email.before.email },
          after: { email: email.after.email },
        });
      if (names !== null || email !== null) {
        const kept = await parts.profileOf(change.tx, personId);
        const { firstName, lastName } = names ?? kept ?? { firstName: '', lastName: '' };
        await parts.writeNames(change, personId, { firstName, lastName });
      }
      if (groups !== null) {
        await replaceGroups(change, personId, groups.after);
        await parts.recordAudit(change, actor, {
          action: 'person.follow-groups',
          subject: personId,
          before: groups.before,
          after: groups.after,
        });
      }
    },
  };
}

/** What is missing in an answer that is not complete may be so for that reason alone. */
function isNewAddress(kept: Address, { email, emailVerified, complete }: Identity): boolean {
  if (kept.email !== email) return email !== '' || complete;
  return kept.emailVerified !== emailVerified && (emailVerified || complete);
}

function same(one: Memberships, other: Memberships): boolean {
  return JSON.stringify([one.roles, one.groups]) === JSON.stringify([other.roles, other.groups]);
}
