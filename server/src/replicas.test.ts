import { beforeEach, describe, expect, it } from 'vitest';
import { createFlag, listClientKeys, readFeatures, switchFlag } from '@portico/contract/flags';
import { getMaintenance, getMaintenanceStatus, setMaintenance } from '@portico/contract/maintenance';
import { getPerson, listPeople, setBlocked, setRoles } from '@portico/contract/people';
import { getPermissions } from '@portico/contract/permissions';
import { getProfile } from '@portico/contract/profile';
import { signOut } from '@portico/contract/session';
import { startApp, type TestApp } from './testing/app.ts';
import { openBrowser } from './testing/browser.ts';
import { signIn, type SignedIn } from './testing/signed-in.ts';

const aSecond = { timeout: 1_000, interval: 5 };

describe('two replicas on one PostgreSQL', () => {
  let one: TestApp;
  let other: TestApp;
  let operator: SignedIn;
  let member: SignedIn;

  beforeEach(async () => {
    one = await startApp({ engine: 'postgres' });
    other = await startApp({ beside: one });
    operator = await signIn(one, { roles: ['operator'] });
    member = await signIn(one, { roles: ['support'] });
  });

  const current = { params: { userId: 'current' } };
  /** What a person is told at the other replica. */
  const atOther = async ({ accessToken }: SignedIn) => {
    const { status, problem } = await other.call(getProfile, current, { accessToken });
    return problem?.code ?? status;
  };
  const version = async (personId: string) =>
    (await operator.call(getPerson, { params: { personId } })).body.version;

  it('RUN-1: know the tokens and sessions of each other', async () => {
    expect(await atOther(member)).toBe(200);
    const moved = openBrowser(other.url, member.browser.cookies, one.config.publicUrl);
    const { accessToken } = (await moved.renew()).body;
    expect((await one.call(getProfile, current, { accessToken })).body.email).toBe(member.email);
  });

  it('RUN-1: carry a sign-in through, whichever answers which part of it', async () => {
    const browser = openBrowser(other.url, undefined, one.config.publicUrl);
    const { path } = await browser.go('/auth/login');
    const atOne = openBrowser(one.url, browser.cookies, one.config.publicUrl);
    const { next } = (await atOne.submit(path, member)).body;
    await browser.go(next);
    expect((await atOne.renew()).status).toBe(200);
  });

  it('SES-8: refuse a person at once whom the other has blocked', async () => {
    expect(await atOther(member)).toBe(200);
    const body = { blocked: true, version: await version(member.id) };
    await operator.call(setBlocked, { params: { personId: member.id }, body });
    await expect.poll(() => atOther(member), aSecond).toBe('PERSON_BLOCKED');
  });

  it('SES-7: refuse the token of a session at once that was ended at the other', async () => {
    expect(await atOther(member)).toBe(200);
    await one.call(signOut, {}, { cookies: member.browser.cookies });
    await expect.poll(() => atOther(member), aSecond).toBe('SESSION_ENDED');
  });

  it('RIGHT-3: know at once which rights the other has given and taken', async () => {
    const { accessToken } = member;
    const rights = async () => (await other.call(getPermissions, current, { accessToken })).body;
    const list = async () => (await other.call(listPeople, {}, { accessToken })).status;
    expect(await rights()).toContain('PEOPLE_READ');
    expect(await list()).toBe(200);
    const take = { roles: [], version: await version(member.id) };
    await operator.call(setRoles, { params: { personId: member.id }, body: take });
    await expect.poll(rights, aSecond).toEqual([]);
    expect(await list()).toBe(403);
  });

  it('MAINT-6: close together, and open together', async () => {
    const { accessToken } = await signIn(one, { roles: ['operator'] });
    await operator.call(setRoles, {
      params: { personId: member.id },
      body: { roles: ['member'], version: await version(member.id) },
    });
    for (const mode of ['full', 'off'] as const) {
      const { version: stored } = (await other.call(getMaintenance, {}, { accessToken })).body;
      const body = { mode, text: 'New pumps', severity: 'INFO', expectedEnd: null, version: stored } as const;
      await other.call(setMaintenance, { body }, { accessToken });
      const status = async () => (await one.call(getMaintenanceStatus, {})).body;
      await expect.poll(async () => (await status()).mode, aSecond).toBe(mode);
      expect(await status()).toMatchObject({ text: 'New pumps', severity: 'INFO' });
    }
  });

  it('FLAG-2: serve the same flags, and the same version of them', async () => {
    const { clientKeys } = (await operator.call(listClientKeys, {})).body;
    const clientKey = clientKeys.find(({ kind }) => kind === 'plain')?.key ?? '';
    const read = async (app: TestApp) => {
      const { headers, text } = await app.call(readFeatures, { params: { clientKey } });
      const { features } = JSON.parse(text) as { features: Record<string, unknown> };
      return { etag: headers.get('etag'), has: 'new-pumps' in features };
    };
    expect(await read(other)).toEqual({ ...(await read(one)), has: false });
    const flag = { type: 'boolean', enabled: true, description: '', defaultValue: true } as const;
    const body = { ...flag, key: 'new-pumps', rules: [], tags: [] };
    const { version: created } = (await operator.call(createFlag, { body })).body;
    await expect.poll(() => read(other), aSecond).toEqual({ ...(await read(one)), has: true });
    const off = { params: { flagKey: 'new-pumps' }, body: { enabled: false, version: created } };
    await operator.call(switchFlag, off);
    await expect.poll(() => read(other), aSecond).toEqual({ ...(await read(one)), has: false });
  });
});
