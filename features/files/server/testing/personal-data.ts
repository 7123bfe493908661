import type { TestApp } from '#server/testing/app.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';
import { upload } from '#server/testing/upload.ts';

/** A file whose name and text name the person. */
export async function createPersonalData(app: TestApp, person: SignedIn): Promise<void> {
  await upload(app, person, [{ filename: 'unmistakable.txt', bytes: 'a text of Adalgunde' }]);
}
