import { createFlag } from '#features/flags/contract/flags.ts';
import type { TestApp } from '#server/testing/app.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';

export async function createPersonalData(_app: TestApp, person: SignedIn): Promise<void> {
  await person.call(createFlag, {
    body: {
      key: 'a-flag',
      type: 'boolean',
      enabled: true,
      description: '',
      defaultValue: true,
      rules: [],
      tags: [],
    },
  });
}
