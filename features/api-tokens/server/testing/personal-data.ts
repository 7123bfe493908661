import { listApiTokens, revokeApiToken } from '#features/api-tokens/contract/api-tokens.ts';
import { expect } from 'vitest';
import type { TestApp } from '#server/testing/app.ts';
import { addToken } from '#server/testing/people.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';

/** Creates a token of the person's own, and one of the command line that the person revokes. */
export async function createPersonalData(app: TestApp, person: SignedIn): Promise<void> {
  await addToken(app, { rights: ['FLAGS_READ'], createdBy: person.id });
  await addToken(app, { rights: ['FLAGS_READ'], name: 'revoked' });
  const { tokens } = (await person.call(listApiTokens, {})).body;
  const tokenId = tokens.find(({ name }) => name === 'revoked')?.id ?? '';
  expect((await person.call(revokeApiToken, { params: { tokenId } })).status).toBe(204);
}
