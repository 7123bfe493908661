import { setBranding } from '#features/branding/contract/branding.ts';
import { expect } from 'vitest';
import type { TestApp } from '#server/testing/app.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';

export async function createPersonalData(_app: TestApp, person: SignedIn): Promise<void> {
  const body = { name: 'Waterworks', accent: null, version: 1 };
  expect((await person.call(setBranding, { body })).status).toBe(200);
}
