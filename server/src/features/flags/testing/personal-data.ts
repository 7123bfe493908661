import { createFlag } from '@portico/contract/flags';
import type { TestApp } from '../../../testing/app.ts';
import type { SignedIn } from '../../../testing/signed-in.ts';

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
