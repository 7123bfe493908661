import { addFactor, beginFactor } from '#features/identity-provider/contract/factors.ts';
import type { TestApp } from '#server/testing/app.ts';
import { createAuthenticator } from '#server/testing/authenticator.ts';
import { insertLink } from '#features/identity-provider/server/accounts.store.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';

/**
 * A passkey with a name of the person's, recovery codes, one-time codes that wait for the first one, and a link that
 * would have registered the address.
 */
export async function createPersonalData(app: TestApp, person: SignedIn): Promise<void> {
  const { passkey } = (await person.call(beginFactor, { body: { kind: 'passkey' } })).body;
  const answer = createAuthenticator(app.config.publicUrl).create(passkey as Record<string, unknown>);
  const name = 'Adalgunde’s telephone';
  await person.call(addFactor, { body: { passkey: { name, answer }, code: null } });
  await person.call(beginFactor, { body: { kind: 'code' } });
  const link = { tokenHash: 'a'.repeat(64), purpose: 'registration', accountId: null } as const;
  await app.database.change((change) =>
    insertLink(change, { ...link, email: person.email, expiresAt: change.at + 3_600_000 }),
  );
}
