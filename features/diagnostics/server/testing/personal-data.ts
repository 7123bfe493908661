import { addErrorComment } from '#features/diagnostics/contract/diagnostics.ts';
import { addProject } from '#features/diagnostics/contract/projects.ts';
import { expect } from 'vitest';
import { addError } from '#server/testing/errors.ts';
import type { TestApp } from '#server/testing/app.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';
import { uploadMap } from '#server/testing/source-map.ts';

export async function createPersonalData(app: TestApp, person: SignedIn): Promise<void> {
  expect((await uploadMap(app.url, person.accessToken)).status).toBe(201);
  expect((await person.call(addProject, { body: { name: 'Pumps' } })).status).toBe(201);
  const { id: errorId } = await addError(app, {});
  await person.call(addErrorComment, { params: { errorId }, body: { text: 'Seen' } });
}
