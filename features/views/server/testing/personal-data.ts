import { addView } from '#features/views/contract/views.ts';
import { expect } from 'vitest';
import type { TestApp } from '#server/testing/app.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';

/** Creates two views as the person: one of their own, and a shared one. */
export async function createPersonalData(_app: TestApp, person: SignedIn): Promise<void> {
  for (const shared of [true, false]) {
    const body = { list: 'reports', name: 'Maps', query: {}, shared } as const;
    expect((await person.call(addView, { body })).status).toBe(201);
  }
}
