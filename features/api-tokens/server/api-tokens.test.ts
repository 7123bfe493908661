import { describe, expect, it, vi } from 'vitest';
import { getPermissions } from '#features/permissions/contract/own-access.ts';
import { listRoles } from '#features/permissions/contract/administration.ts';
import { listPeople } from '#features/people/contract/people.ts';
import { StorageFailure } from '#server/platform/database/storage-failure.ts';
import { hashSecret } from '#server/platform/keys/ids.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addPerson, addToken } from '#server/testing/people.ts';
import { writeBlocked } from '#features/directory/server/people.store.ts';
import { setRolesOf } from '#features/permissions/server/permissions.store.ts';

describe.each(engines)('API tokens on %s', (engine) => {
  const once = provedOn(engine);
  async function statusOf(app: TestApp, accessToken: string): Promise<[number, string | undefined]> {
    const answer = await app.call(listRoles, {}, { accessToken });
    return [answer.status, answer.problem?.code];
  }

  it('SES-9: opens what its rights open, and nothing else', async () => {
    const app = await startApp({ engine });
    const accessToken = await addToken(app, { rights: ['PEOPLE_READ'] });
    expect(await statusOf(app, accessToken)).toEqual([200, undefined]);
    expect(await statusOf(app, await addToken(app, { rights: ['FLAGS_READ'] }))).toEqual([
      403,
      'RIGHT_MISSING',
    ]);
    // A token is no person: it has no profile and no list of rights of its own.
    const current = await app.call(getPermissions, { params: { userId: 'current' } }, { accessToken });
    expect(current.status).toBe(404);
  });

  it('SES-9: is stored as a hash alone, and a made-up one opens nothing', async () => {
    const app = await startApp({ engine });
    const secret = await addToken(app, { rights: ['PEOPLE_READ'] });
    expect(secret).toMatch(/^portico_pat_[\w-]{43}$/);
    const [row] = await app.database.read.selectFrom('api_token').selectAll().execute();
    expect(row?.secret_hash).toBe(hashSecret(secret));
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(JSON.stringify(app.log)).not.toContain(secret);
    for (const other of [
      `${secret}x`,
      secret.slice(0, -1),
      'portico_pat_',
      'portico_pat_x',
      row?.secret_hash ?? '',
    ]) {
      expect(await statusOf(app, other)).toEqual([401, 'TOKEN_INVALID']);
    }
  });

  it.each(once)('SES-9: ends at its expiry, also while it is in use', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const accessToken = await addToken(app, { rights: ['PEOPLE_READ'], lifetimeMs: 60_000, clock });
    clock.move(59_999);
    expect(await statusOf(app, accessToken)).toEqual([200, undefined]);
    clock.move(1);
    expect(await statusOf(app, accessToken)).toEqual([401, 'TOKEN_EXPIRED']);
  });

  it.each(once)('SES-9: never has more than its creator holds at the time', async () => {
    const app = await startApp({ engine });
    const createdBy = await addPerson(app, { roles: ['operator'] });
    const accessToken = await addToken(app, { rights: ['PEOPLE_READ'], createdBy });
    expect(await statusOf(app, accessToken)).toEqual([200, undefined]);
    await app.database.change((change) => setRolesOf(change, createdBy, ['member']));
    expect(await statusOf(app, accessToken)).toEqual([403, 'RIGHT_MISSING']);
    await app.database.change((change) => setRolesOf(change, createdBy, ['support']));
    expect(await statusOf(app, accessToken)).toEqual([200, undefined]);
  });

  it.each(once)('SES-8: opens nothing while its creator is blocked, or has not been here yet', async () => {
    const app = await startApp({ engine });
    const createdBy = await addPerson(app, { roles: ['operator'] });
    const accessToken = await addToken(app, { rights: ['PEOPLE_READ'], createdBy });
    await app.database.change((change) => writeBlocked(change, createdBy, change.at));
    expect(await statusOf(app, accessToken)).toEqual([403, 'PERSON_BLOCKED']);
    await app.database.change((change) => writeBlocked(change, createdBy, null));
    expect(await statusOf(app, accessToken)).toEqual([200, undefined]);

    const invited = await addPerson(app, { roles: ['operator'], password: null });
    const early = await addToken(app, { rights: ['PEOPLE_READ'], createdBy: invited });
    expect(await statusOf(app, early)).toEqual([403, 'PERSON_BLOCKED']);
  });

  it('SES-9: its last use is recorded, at most once a minute', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const accessToken = await addToken(app, { rights: ['PEOPLE_READ'], clock });
    const lastUse = async (): Promise<number | null | undefined> =>
      (await app.database.read.selectFrom('api_token').select('last_used_at').executeTakeFirst())
        ?.last_used_at;
    const start = clock.now();
    expect(await lastUse()).toBeNull();
    await app.call(listPeople, {}, { accessToken });
    expect(await lastUse()).toBe(start);
    clock.move(59_999);
    await app.call(listPeople, {}, { accessToken });
    expect(await lastUse()).toBe(start);
    clock.move(1);
    await app.call(listPeople, {}, { accessToken });
    expect(await lastUse()).toBe(start + 60_000);
    clock.move(60_000);
    // A full disk does not prevent reading.
    const full = vi.spyOn(app.database, 'transaction').mockRejectedValueOnce(new StorageFailure('full'));
    expect((await app.call(listPeople, {}, { accessToken })).status).toBe(200);
    expect(full).toHaveBeenCalledOnce();
    full.mockRestore();
  });
});
