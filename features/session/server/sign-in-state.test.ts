import { createHash } from 'node:crypto';
import { EncryptJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { movableClock } from '#server/testing/movable-clock.ts';
import { createSignInSeal, isSecondTry, isState, newState } from './sign-in-state.ts';

const signIn = {
  nonce: 'nonce',
  codeVerifier: 'verifier',
  returnTo: '/flags',
  setUpToken: null,
  proves: null,
};

describe('SES-1: the sealed cookie of a sign-in', () => {
  it('SES-1: opens for its own state, within an hour, with the installation’s secret, and whole', async () => {
    const clock = movableClock();
    const seal = createSignInSeal('secret', clock);
    const state = newState(false);
    const sealed = await seal.seal({ state, ...signIn });
    expect(await seal.open(sealed, state)).toEqual({ state, ...signIn });
    expect(await seal.open(sealed, newState(false))).toBeNull();
    expect(await createSignInSeal('another', clock).open(sealed, state)).toBeNull();
    for (const altered of ['', 'x', `${sealed}x`, sealed.slice(0, -1), sealed.replace(/.$/, '!'), '....']) {
      expect([altered, await seal.open(altered, state)]).toEqual([altered, null]);
    }
    clock.move(3_599_000);
    expect(await seal.open(sealed, state)).not.toBeNull();
    clock.move(2_000);
    expect(await seal.open(sealed, state)).toBeNull();
  });

  it('SES-1: is ignored where another version of Portico has sealed something else', async () => {
    const clock = movableClock();
    const key = createHash('sha256').update('sign-in secret').digest();
    const state = newState(false);
    const parts = { s: state, n: 'nonce', v: 'verifier', r: '/flags', u: 'a token', p: null };
    const sealed = (changed: Record<string, unknown>) =>
      new EncryptJWT({ ...parts, ...changed })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(Math.floor(clock.now() / 1000) + 60)
        .encrypt(key);
    const { open } = createSignInSeal('secret', clock);
    expect(await open(await sealed({}), state)).toEqual({ state, ...signIn, setUpToken: 'a token' });
    for (const name of ['s', 'n', 'v', 'r', 'u', 'p'])
      expect([name, await open(await sealed({ [name]: 7 }), state)]).toEqual([name, null]);
  });

  it('SES-1: a state is random, holds whether it is the second try, and fits into a cookie’s name', () => {
    const states = Array.from({ length: 100 }, (_, index) => newState(index % 2 === 1));
    expect(new Set(states).size).toBe(100);
    expect(states.map(isSecondTry)).toEqual(states.map((_, index) => index % 2 === 1));
    expect(states.every(isState)).toBe(true);
    for (const other of [null, '', 'a', 'a'.repeat(23), `${'a'.repeat(22)}.twice`, `${'a'.repeat(21)};`]) {
      expect(isState(other)).toBe(false);
    }
  });
});
