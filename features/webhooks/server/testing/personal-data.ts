import { addWebhook, setOwnNotices } from '#features/webhooks/contract/webhooks.ts';
import { expect } from 'vitest';
import type { TestApp } from '#server/testing/app.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';

export async function createPersonalData(_app: TestApp, person: SignedIn): Promise<void> {
  const body = { url: 'https://example.org/hook', description: '', enabled: false };
  expect((await person.call(addWebhook, { body })).status).toBe(201);
  const choice = { areas: ['report' as const], daily: true, version: 1 };
  expect((await person.call(setOwnNotices, { body: choice })).status).toBe(200);
}
