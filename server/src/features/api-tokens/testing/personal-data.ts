import type { TestApp } from '../../../testing/app.ts';
import { addToken } from '../../../testing/people.ts';
import type { SignedIn } from '../../../testing/signed-in.ts';

export async function createPersonalData(app: TestApp, person: SignedIn): Promise<void> {
  await addToken(app, { rights: ['FLAGS_READ'], createdBy: person.id });
}
