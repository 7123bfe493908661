import { addClientKey, createFlag, revokeClientKey } from '#features/flags/contract/flags.ts';
import { expect } from 'vitest';
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
  const { key: clientKey } = (await person.call(addClientKey, { body: { name: 'site', kind: 'plain' } }))
    .body;
  expect((await person.call(revokeClientKey, { params: { clientKey } })).status).toBe(204);
}
