import type { TestApp } from '../../../testing/app.ts';
import type { SignedIn } from '../../../testing/signed-in.ts';
import { upload } from '../../../testing/upload.ts';

/** A file whose name and text name the person. */
export async function createPersonalData(app: TestApp, person: SignedIn): Promise<void> {
  await upload(app, person, [{ filename: 'unmistakable.txt', bytes: 'a text of Adalgunde' }]);
}
