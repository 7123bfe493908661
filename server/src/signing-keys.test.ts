import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { getProfile } from '#features/profile/contract/profile.ts';
import { signOut } from '#features/session/contract/session.ts';
import { keysRotate } from './cli/keys-commands.ts';
import { providerKeyRotation } from '#features/identity-provider/server/provider.ts';
import { accessTokenKeys } from '#features/session/server/access-token.ts';
import { startApp, type TestApp } from './testing/app.ts';
import { openBrowser } from './testing/browser.ts';
import { engines, provedOn } from './testing/fresh-database.ts';
import { movableClock, type MovableClock } from './testing/movable-clock.ts';
import { signIn, type SignedIn } from './testing/signed-in.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const current = { params: { userId: 'current' } };
const kidOf = (token: string) => decodeProtectedHeader(token).kid;
const shown = async ({ url }: TestApp) =>
  ((await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }).keys.map(
    ({ kid }) => kid,
  );

/** What the command does. */
async function rotate(
  app: TestApp,
  clock: MovableClock,
  options: Record<string, string> = {},
): Promise<void> {
  if (!('prepare' in keysRotate)) throw new Error('The command works on the installation.');
  await keysRotate.prepare(options)({
    database: app.database,
    clock,
    sessionMaxMs: app.config.sessionMaxMs,
    actor: { kind: 'command-line', id: null, name: 'a test' },
  } as never);
}

const token = async (who: SignedIn) => (await who.browser.renew()).body.accessToken;
const outcome = async (app: TestApp, accessToken: string) =>
  (await app.call(getProfile, current, { accessToken })).problem?.code ?? 'in';

describe('two replicas on one PostgreSQL', () => {
  it('SES-3: take turns with their keys together, and no one is signed out by it', async () => {
    const clock = movableClock();
    const one = await startApp({ engine: 'postgres', clock });
    const other = await startApp({ replicaOf: one, clock });
    const mia = await signIn(one);
    const before = await token(mia);
    const old = kidOf(before) ?? '';

    await rotate(one, clock);
    // The new key is shown everywhere before it signs anywhere.
    await expect.poll(async () => (await shown(other)).length).toBe(2);
    const next = (await shown(one)).find((kid) => kid !== old) ?? '';
    expect(await shown(other)).toEqual(await shown(one));
    expect(kidOf(await token(mia))).toBe(old);
    await rotate(one, clock);
    expect(await shown(one)).toHaveLength(2);

    clock.move(accessTokenKeys.leadMs - minute);
    const last = await token(mia);
    expect(kidOf(last)).toBe(old);
    clock.move(minute + 1_000);
    const atOther = openBrowser(other.url, mia.browser.cookies, one.config.publicUrl);
    const after = (await atOther.renew()).body.accessToken;
    expect(kidOf(after)).toBe(next);
    expect([
      await outcome(one, after),
      await outcome(other, after),
      await outcome(one, last),
      await outcome(other, last),
    ]).toEqual(['in', 'in', 'in', 'in']);
    // The published keys verify both.
    const published = createRemoteJWKSet(new URL(`${other.url}/.well-known/jwks.json`));
    for (const each of [after, last])
      await jwtVerify(each, published, { audience: 'portico', currentDate: new Date(clock.now()) });

    // Its last token has expired before the old key goes.
    clock.move(accessTokenKeys.keepMs - 2 * minute);
    await one.sweep();
    expect(await shown(one)).toContain(old);
    expect(await outcome(other, last)).toBe('TOKEN_EXPIRED');
    clock.move(2 * minute);
    await Promise.all([one.sweep(), other.sweep()]);
    expect(await shown(one)).toEqual([next]);
    await expect.poll(() => shown(other)).toEqual([next]);
    expect(await outcome(other, await token(mia))).toBe('in');
  });

  it('SES-3: make the next key by themselves after 90 days, one of them', async () => {
    const clock = movableClock();
    const one = await startApp({ engine: 'postgres', clock });
    const other = await startApp({ replicaOf: one, clock });
    const first = await shown(one);
    clock.move(90 * day - minute);
    await Promise.all([one.sweep(), other.sweep()]);
    expect(await shown(one)).toEqual(first);
    clock.move(2 * minute);
    await Promise.all([one.sweep(), other.sweep()]);
    await expect.poll(async () => (await shown(one)).length).toBe(2);
    await Promise.all([one.sweep(), other.sweep()]);
    expect(await shown(one)).toHaveLength(2);
    expect(one.log.concat(other.log).filter(({ level }) => level >= 50)).toEqual([]);
  });
});

describe.each(engines)('the keys on %s', (engine) => {
  const once = provedOn(engine);
  it.each(once)('SES-3, SES-7: the provider’s keys rotate too, and sessions go on', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock, config: { sessionIdleMs: 7 * day } });
    const mia = await signIn(app);
    const idKeys = async () => {
      const { keys } = (await (await fetch(`${app.url}/idp/jwks`)).json()) as { keys: { kid: string }[] };
      return keys.map(({ kid }) => kid);
    };
    const [old = ''] = await idKeys();
    await rotate(app, clock);
    expect((await idKeys())[0]).toBe(old);
    clock.move(providerKeyRotation(app.config.sessionMaxMs).leadMs + 1_000);
    const keys = await idKeys();
    expect([keys.length, keys[1]]).toEqual([2, old]);
    const again = openBrowser(app.url);
    expect((await again.signIn(mia)).problem).toBeNull();
    const tokens = await app.database.read
      .selectFrom('session')
      .select('id_token')
      .orderBy('created_at')
      .execute();
    expect(tokens.map(({ id_token }) => kidOf(id_token))).toEqual([old, keys[0]]);

    // Six days later the session still ends at the provider as well, by the ID token that it began with.
    clock.move(6 * day);
    await app.sweep();
    const { next } = (await app.call(signOut, {}, { cookies: mia.browser.cookies })).body;
    expect(next).toContain('/idp/session/end');
    expect((await fetch(next, { redirect: 'manual' })).status).toBeLessThan(400);
    clock.move(3 * day);
    await app.sweep();
    expect(await idKeys()).toEqual([keys[0]]);
  });

  it('SES-3: a key that others may know is worth nothing at once, and browsers go on', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const mia = await signIn(app);
    const before = await token(mia);
    expect(await outcome(app, before)).toBe('in');
    await rotate(app, clock, { 'at-once': 'true' });
    await expect.poll(() => outcome(app, before)).toBe('TOKEN_INVALID');
    clock.move(1_000);
    expect(await outcome(app, await token(mia))).toBe('in');
    const rows = await app.database.read.selectFrom('audit').select(['action', 'after']).execute();
    expect(rows.at(-1)?.action).toBe('signing-keys.rotate');
    expect(JSON.stringify(rows)).not.toMatch(/"d"/);
  });
});
