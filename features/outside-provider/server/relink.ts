import type { Change, Reader } from '#server/platform/database/database.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { invitedIssuer } from '#features/directory/server/people.store.ts';
import type { Identity } from '#features/session/server/identity.ts';
import { endSessionsOf } from '#features/session/server/session.store.ts';
import { awaitedBy, awaitRelink, peopleOfIssuer, writeIdentity, type Linked } from './relink.store.ts';

/** People are recognized by a table of subjects, or by their address at the first sign-in. */
export type RelinkBy =
  | { by: 'email'; /** Also people whose address no provider has verified. */ unverifiedToo: boolean }
  | { by: 'subject'; subjects: ReadonlyMap<string, string> };

export type RelinkPlan = {
  /** `subject` null: found by the address at their first sign-in. */
  relinked: (Linked & { toSubject: string | null })[];
  /** People who are not relinked, and why. */
  left: (Linked & { reason: 'not-in-map' | 'no-email' | 'email-unverified' | 'email-shared' | 'taken' })[];
};

/** What would happen to all people of the old issuer; changes nothing. */
export async function planRelink(read: Reader, from: string, to: string, way: RelinkBy): Promise<RelinkPlan> {
  const people = await peopleOfIssuer(read, from);
  const there = await peopleOfIssuer(read, to);
  const plan: RelinkPlan = { relinked: [], left: [] };
  for (const person of people) {
    const toSubject = way.by === 'subject' ? (way.subjects.get(person.subject) ?? null) : null;
    const reason = reasonToLeave(person, toSubject, way, people, there);
    if (reason === null) plan.relinked.push({ ...person, toSubject });
    else plan.left.push({ ...person, reason });
  }
  return plan;
}

function reasonToLeave(
  person: Linked,
  toSubject: string | null,
  way: RelinkBy,
  people: readonly Linked[],
  there: readonly Linked[],
): RelinkPlan['left'][number]['reason'] | null {
  if (way.by === 'subject') {
    if (toSubject === null) return 'not-in-map';
    return there.some(({ subject }) => subject === toSubject) ? 'taken' : null;
  }
  if (person.email === '') return 'no-email';
  if (!person.emailVerified && !way.unverifiedToo) return 'email-unverified';
  if (people.some(({ personId, email }) => personId !== person.personId && email === person.email))
    return 'email-shared';
  return there.some(({ email }) => email === person.email) ? 'taken' : null;
}

/** Carries out the plan, with an audit row for each person. */
export async function relink(change: Change, actor: Actor, plan: RelinkPlan, to: string): Promise<void> {
  for (const { personId, email, issuer, subject, toSubject } of plan.relinked) {
    const before = { issuer, subject };
    if (toSubject === null) {
      await awaitRelink(change.tx, personId, { issuer: to, email });
      const after = { issuer: to, email };
      await recordAudit(change, actor, {
        action: 'person.await-relink',
        subject: personId,
        before,
        after,
      });
    } else {
      await writeIdentity(change, personId, { issuer: to, subject: toSubject });
      await endSessionsOf(change, personId, 'operator');
      const after = { issuer: to, subject: toSubject };
      await recordAudit(change, actor, { action: 'person.relink', subject: personId, before, after });
    }
  }
}

/**
 * Links an identity to the person who waits for it after a change of provider or an invitation. The address
 * must be the same, character by character, and verified by the provider.
 *
 * @returns the id of the person, or null if no account waits for this identity
 */
export async function takeRelinked(change: Change, identity: Identity): Promise<string | null> {
  const { issuer, subject, email } = identity;
  if (!identity.emailVerified) return null;
  const [person, another] = await awaitedBy(change.tx, { issuer, email });
  if (person === undefined || another !== undefined) return null;
  await writeIdentity(change, person.personId, { issuer, subject });
  await endSessionsOf(change, person.personId, 'operator');
  const actor: Actor = { kind: 'person', id: person.personId, name: email, sessionId: null };
  await recordAudit(change, actor, {
    ...(person.issuer === invitedIssuer
      ? { action: 'invitation.accept' }
      : { action: 'person.relink', before: { issuer: person.issuer, subject: person.subject } }),
    subject: person.personId,
    after: { issuer, subject },
  });
  return person.personId;
}
