import { describe, expect, it, vi } from 'vitest';
import type { JWTPayload } from 'jose';
import { createLogger } from '#server/platform/log/logger.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { createAssertions, type Holder } from './assertion.ts';

const roles = ['clerks', 'member'];
const mia: Holder = {
  caller: { kind: 'person', id: 'mia', name: 'mia@example.org', sessionId: 'one' },
  email: 'mia@example.org',
  name: 'Mia Example',
  roles,
  rights: ['MAP_VIEW', 'ORDERS_CHANGE'],
  holds: new Set(),
  rightsVersion: 'two',
};

function assertionsHere() {
  const clock = movableClock(1_800_000_000_000);
  let forget = (): void => undefined;
  let count = 0;
  const sign = vi.fn<(claims: JWTPayload & { aud: string }, lifetime: number) => Promise<string>>(() =>
    Promise.resolve(`assertion ${(count += 1)}`),
  );
  const assertions = createAssertions({
    feed: { on: (_topic, listener) => (forget = listener as () => void) },
    clock,
    logger: createLogger('silent'),
    sign,
  });
  const valueFor = async (holder: Holder, audience = 'reports') =>
    (await assertions.headersFor(holder, audience))[0]?.[1];
  return { clock, sign, assertions, valueFor, deleteSigningKeys: () => forget() };
}

describe('an assertion', () => {
  it('GATE-1: is signed once for many requests, and again before it expires, without delaying the request', async () => {
    const { clock, sign, assertions, valueFor } = assertionsHere();
    expect(await Promise.all([valueFor(mia), valueFor({ ...mia })])).toEqual(['assertion 1', 'assertion 1']);
    clock.move(29_999);
    expect(assertions.headersFor(mia, 'reports')).not.toBeInstanceOf(Promise);
    clock.move(1);
    // The old one goes out once more, while the next is made.
    expect(assertions.headersFor(mia, 'reports')).toMatchObject([
      ['Portico-Assertion', 'assertion 1'],
      {},
      {},
      {},
      {},
      {},
      {},
    ]);
    await expect.poll(() => valueFor(mia)).toBe('assertion 2');
    clock.move(45_001);
    expect(await valueFor(mia)).toBe('assertion 3');
    expect(sign.mock.calls.map(([claims, lifetime]) => [claims.aud, lifetime])).toEqual([
      ['reports', 60],
      ['reports', 60],
      ['reports', 60],
    ]);
  });

  it('GATE-1: is another one at once for another application, person, right, role or name, and for other keys', async () => {
    const { valueFor, deleteSigningKeys } = assertionsHere();
    expect(await valueFor(mia)).toBe('assertion 1');
    expect(await valueFor(mia, 'orders')).toBe('assertion 2');
    const others: Holder[] = [
      { ...mia, rightsVersion: 'one' },
      { ...mia, roles: ['member'] },
      { ...mia, name: 'Mia Another' },
      { ...mia, email: 'another@example.org' },
      { ...mia, caller: { ...mia.caller, sessionId: 'two' } },
    ];
    for (const [index, other] of others.entries())
      expect(await valueFor(other)).toBe(`assertion ${index + 3}`);
    deleteSigningKeys();
    expect(await valueFor(mia)).toBe('assertion 8');
  });

  it('GATE-1: no name, address or list makes a header of its own or one that is refused', async () => {
    const { assertions } = assertionsHere();
    const odd: Holder = {
      ...mia,
      name: 'Zoë\r\nX-Portico-Roles: operator, \ud800 Møller 100%',
      email: 'zoë+1%\r\n@example.org',
      rights: Array.from({ length: 300 }, (_each, index) => `RIGHT_${index}`),
    };
    const headers = await assertions.headersFor(odd, 'reports');
    const value = (name: string) => headers.find(([each]) => each === name)?.[1] ?? '';
    for (const [name, text] of headers) expect(`${name}: ${text}`).toMatch(/^[ -~]*$/);
    expect(decodeURIComponent(value('X-Portico-Name'))).toBe(odd.name.toWellFormed());
    expect(value('X-Portico-Email')).toBe('zo%C3%AB+1%25%0D%0A@example.org');
    expect(decodeURIComponent(value('X-Portico-Email'))).toBe(odd.email);
    expect(value('X-Portico-Roles')).toBe('clerks,member');
  });

  it('GATE-1: names what is too long for a header, there and in the assertion, and nothing else', async () => {
    const { assertions, sign } = assertionsHere();
    const many = Array.from({ length: 38 }, (_each, index) => `RIGHT_${'OF_A_LONG_NAME_'.repeat(4)}${index}`);
    const omittedOf = async (change: Partial<Holder>) => {
      const headers = new Map(await assertions.headersFor({ ...mia, ...change }, JSON.stringify(change)));
      const claims = sign.mock.lastCall?.[0] as Record<string, unknown>;
      return {
        headers: [...headers].filter(([, value]) => value === '').map(([name]) => name),
        named: headers.get('X-Portico-Omitted'),
        claims: Object.keys(claims).filter((claim) => claim.endsWith('_omitted')),
      };
    };
    expect(await omittedOf({ rights: many, rightsVersion: 'a' })).toEqual({
      headers: ['X-Portico-Rights'],
      named: 'rights',
      claims: ['rights_omitted'],
    });
    expect(
      await omittedOf({ name: '\u{1f600}'.repeat(200), email: `${'ø'.repeat(400)}@example.org` }),
    ).toEqual({
      headers: ['X-Portico-Email', 'X-Portico-Name'],
      named: 'email,name',
      claims: ['email_omitted', 'name_omitted'],
    });
    expect(await omittedOf({ rights: many, roles: many, rightsVersion: 'b' })).toMatchObject({
      named: 'roles,rights',
      claims: ['roles_omitted', 'rights_omitted'],
    });
    expect(sign.mock.lastCall?.[0]).toMatchObject({ roles: [], rights: [] });
    // No one's rights are none, and that is not marked.
    expect(await omittedOf({ rights: [], rightsVersion: 'c' })).toEqual({
      headers: ['X-Portico-Rights', 'X-Portico-Omitted'],
      named: '',
      claims: [],
    });
  });
});
