import { addFactor, beginFactor } from '#features/identity-provider/contract/factors.ts';
import type { TestApp } from '#server/testing/app.ts';
import { createAuthenticator } from '#server/testing/authenticator.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';

/** A passkey with a name of the person's, recovery codes, and one-time codes that wait for the first one. */
export async function createPersonalData(app: TestApp, person: SignedIn): Promise<void> {
  const { passkey } = (await person.call(beginFactor, { body: { kind: 'passkey' } })).body;
  const answer = createAuthenticator(app.config.publicUrl).create(passkey as Record<string, unknown>);
  const name = 'Adalgunde’s telephone';
  await person.call(addFactor, { body: { passkey: { name, answer }, code: null } });
  await person.call(beginFactor, { body: { kind: 'code' } });
}
