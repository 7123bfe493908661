import { addView } from '#features/views/contract/views.ts';
import { expect } from 'vitest';
import type { TestApp } from '#server/testing/app.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';

/** A view of the person's own and one that is shared. */
export async function createPersonalData(_app: TestApp, person: SignedIn): Promise<void> {
  for (const shared of [true, false]) {
    const body = { list: 'reports', name: 'Maps', query: {}, shared } as const;
    expect((await person.call(addView, { body })).status).toBe(201);
  }
}
