import { getProfile, updateProfile } from '#features/profile/contract/profile.ts';
import type { TestApp } from '#server/testing/app.ts';
import { pictureFile } from '#server/testing/pictures.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';
import { upload } from '#server/testing/upload.ts';

/** Every field of the profile, and a picture. */
export async function createPersonalData(app: TestApp, person: SignedIn): Promise<void> {
  const [picture] = await upload(app, person, [
    { filename: 'Adalgunde.png', bytes: pictureFile('png', 9, 9) },
  ]);
  const { locale: _locale, ...profile } = (await person.call(getProfile, { params: { userId: 'current' } }))
    .body;
  const { id: _id, email: _email, createdAt: _createdAt, ...fields } = profile;
  await person.call(updateProfile, {
    params: { userId: 'current' },
    body: { ...fields, locale: 'de', avatar: picture?.id ?? null, phone: 'unmistakable' },
  });
}
