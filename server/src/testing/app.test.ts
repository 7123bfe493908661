import { beforeAll, describe, expect, it } from 'vitest';
import { healthz, readyz } from '#features/health/contract/health.ts';
import { listPeople } from '#features/people/contract/people.ts';
import { getPermissions } from '#features/permissions/contract/own-access.ts';
import { getProfile } from '#features/profile/contract/profile.ts';
import { endApp, startApp, type TestApp } from './app.ts';
import { engines } from './fresh-database.ts';
import { signIn } from './signed-in.ts';

describe.each(engines)('the harness on %s', (engine) => {
  let shared: TestApp;
  beforeAll(async () => {
    shared = await startApp({ engine });
    return () => endApp(shared);
  });

  it('RUN-1: starts the real application on a fresh database', async () => {
    const app = await startApp({ engine });
    expect(app.database.engine).toBe(engine);
    expect((await app.call(healthz, {})).body).toEqual({ status: 'ok' });
    expect((await app.call(readyz, {})).body).toEqual({ status: 'ready' });
    expect(app.log.filter((line) => line.msg === 'request')).toHaveLength(2);
  });

  it('SES-1: signs people in by the real redirects', async () => {
    const operator = await signIn(shared, { roles: ['operator'] });
    expect((await operator.call(getPermissions, { params: { userId: 'current' } })).body).toContain(
      'PEOPLE_WRITE',
    );
    const member = await signIn(shared);
    expect((await member.call(getProfile, { params: { userId: 'current' } })).body.email).toBe(member.email);
    expect((await member.call(listPeople, {})).problem?.code).toBe('RIGHT_MISSING');
  });

  it('RUN-1: shares an application between the tests of a file', async () => {
    expect((await shared.call(readyz, {})).body).toEqual({ status: 'ready' });
  });
});
