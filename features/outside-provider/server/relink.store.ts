import type { Change, Reader, Writer } from '#server/platform/database/database.ts';
import { nextVersion } from '#server/platform/database/sql.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** People who are found by their address at their first sign-in at another issuer (SES-8). */
    person_relink: { person_id: string; issuer: string; email: string };
  }
}

// The only SQL that writes person_relink.

export type Linked = {
  personId: string;
  email: string;
  emailVerified: boolean;
  issuer: string;
  subject: string;
};

/** All people who sign in at an issuer. */
export async function peopleOfIssuer(read: Reader, issuer: string): Promise<Linked[]> {
  const rows = await read
    .selectFrom('person')
    .select(['id', 'email', 'email_verified', 'issuer', 'subject'])
    .where('issuer', '=', issuer)
    .orderBy('email')
    .orderBy('id')
    .execute();
  return rows.map(linkedOf);
}

/** Lets a person be found by their verified address at their first sign-in at another issuer. */
export async function awaitRelink(
  tx: Writer,
  personId: string,
  wanted: { issuer: string; email: string },
): Promise<void> {
  await tx
    .insertInto('person_relink')
    .values({ person_id: personId, ...wanted })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet(wanted))
    .execute();
}

/** The people who wait to be found by an address at an issuer. */
export async function awaitedBy(
  read: Reader,
  { issuer, email }: { issuer: string; email: string },
): Promise<Linked[]> {
  const rows = await read
    .selectFrom('person_relink')
    .innerJoin('person', 'person.id', 'person_relink.person_id')
    .select(['person.id', 'person.email', 'person.email_verified', 'person.issuer', 'person.subject'])
    .where('person_relink.issuer', '=', issuer)
    .where('person_relink.email', '=', email)
    .execute();
  return rows.map(linkedOf);
}

function linkedOf({
  id,
  email_verified,
  ...row
}: {
  id: string;
  email: string;
  email_verified: number;
  issuer: string;
  subject: string;
}): Linked {
  return { personId: id, emailVerified: email_verified === 1, ...row };
}

/** Gives a person another identity, under which they sign in from now on. */
export async function writeIdentity(
  change: Change,
  personId: string,
  identity: { issuer: string; subject: string },
): Promise<void> {
  const { tx } = change;
  await tx.deleteFrom('person_relink').where('person_id', '=', personId).execute();
  await tx
    .updateTable('person')
    .set({ ...identity, version: nextVersion })
    .where('id', '=', personId)
    .execute();
  change.publish('person', personId);
}
