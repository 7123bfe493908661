import { listOwnChanges } from '#features/home/contract/home.ts';
import { getPerson, setRoles } from '#features/people/contract/people.ts';
import { addRole, setOwnRight } from '#features/permissions/contract/administration.ts';
import { endSessionsOfPerson } from '#features/session/contract/sessions.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endApp, startApp, type TestApp } from '#server/testing/app.ts';
import { movableClock, type MovableClock } from '#server/testing/movable-clock.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { ownChanges } from './own-changes.ts';

let app: TestApp;
let clock: MovableClock;
let operator: SignedIn;
beforeAll(async () => {
  clock = movableClock(Date.now());
  app = await startApp({ engine: 'sqlite', clock });
  operator = await signIn(app, { roles: ['operator'] });
});
afterAll(() => endApp(app));

it('HOME-2: people read what happened to their account in the last 30 days, and nobody else’s', async () => {
  const [mia, ada] = [await signIn(app, { roles: ['member'] }), await signIn(app, { roles: ['member'] })];
  const body = { role: 'dispatch', name: 'Dispatch', description: '', rights: [] };
  await operator.call(addRole, { body });
  const params = { personId: mia.id };
  const { version } = (await operator.call(getPerson, { params })).body;
  const roles = ['dispatch', 'support'];
  expect((await operator.call(setRoles, { params, body: { roles, version } })).status).toBe(200);
  clock.move(1000);
  const right = { params: { ...params, right: 'MAP_VIEW', effect: 'denial' } } as const;
  await operator.call(setOwnRight, { ...right, body: { expiresAt: null, reason: 'They left Dispatch' } });
  const told = (await mia.call(listOwnChanges, {})).body;
  expect(told.map(({ kind }) => kind)).toEqual(['rights', 'roles']);
  clock.move(1000);
  await operator.call(endSessionsOfPerson, { params });
  const changes = await ownChanges(app.database.read, mia.id, 0);
  const none = { given: [], taken: [], byCaller: false, client: null, network: null };
  expect(changes.map(({ id: _id, at: _at, ...change }) => change)).toEqual([
    { ...none, kind: 'signed-out' },
    { ...none, kind: 'rights', taken: [{ key: 'MAP_VIEW', name: null }] },
    {
      ...none,
      kind: 'roles',
      given: [
        { key: 'support', name: null },
        { key: 'dispatch', name: 'Dispatch' },
      ],
      taken: [{ key: 'member', name: null }],
    },
  ]);
  expect(JSON.stringify(changes)).not.toMatch(/They left|operator/);
  expect((await ada.call(listOwnChanges, {})).body).toEqual([]);
  clock.move(31 * 86_400_000);
  await mia.browser.signIn(mia);
  const later = { accessToken: (await mia.browser.renew()).body.accessToken };
  expect((await app.call(listOwnChanges, {}, later)).body).toEqual([]);
});
