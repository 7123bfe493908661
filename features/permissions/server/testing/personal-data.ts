import { getPerson, setRoles } from '#features/people/contract/people.ts';
import { addGroupMapping, setOwnRight } from '#features/permissions/contract/administration.ts';
import { expect } from 'vitest';
import type { TestApp } from '#server/testing/app.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';

/** The person adds a mapping, and gives a role and a right to someone else. */
export async function createPersonalData(app: TestApp, person: SignedIn): Promise<void> {
  const mapped = { kind: 'group', match: 'exact', name: '/crew' } as const;
  const added = await person.call(addGroupMapping, { body: { ...mapped, roles: ['member'] } });
  expect(added.status).toBe(201);
  const { id: personId } = await app.database.read
    .selectFrom('person')
    .select('id')
    .where('id', '!=', person.id)
    .executeTakeFirstOrThrow();
  const params = { personId, right: 'MAP_VIEW', effect: 'grant' } as const;
  const grant = { params, body: { expiresAt: null, reason: '' } };
  expect((await person.call(setOwnRight, grant)).status).toBe(200);
  const { roles, version } = (await person.call(getPerson, { params: { personId } })).body;
  const given = { params: { personId }, body: { roles: [...roles, 'support'], version } };
  expect((await person.call(setRoles, given)).status).toBe(200);
}
