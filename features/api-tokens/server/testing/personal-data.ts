import type { TestApp } from '#server/testing/app.ts';
import { addToken } from '#server/testing/people.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';

export async function createPersonalData(app: TestApp, person: SignedIn): Promise<void> {
  await addToken(app, { rights: ['FLAGS_READ'], createdBy: person.id });
}
