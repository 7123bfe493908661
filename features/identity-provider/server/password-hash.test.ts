import { argon2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashPassword, isOutdated, verifyPassword } from './password-hash.ts';

describe('SES-3: password hashes', () => {
  it('SES-3: stores argon2id with one of OWASP’s parameter sets, a salt of its own, and only that password opens it', async () => {
    const [one, other] = await Promise.all([
      hashPassword('wobbly-kettle-9-harbour'),
      hashPassword('wobbly-kettle-9-harbour'),
    ]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=7168,t=5,p=1\$/);
    expect(one).not.toBe(other);
    expect(await verifyPassword('wobbly-kettle-9-harbour', one)).toBe(true);
    expect(await verifyPassword('wobbly-kettle-9-harbouR', one)).toBe(false);
    expect(await verifyPassword('', one)).toBe(false);
  });

  it('SES-3: verifies a hash made with other parameters and reports that it is outdated', async () => {
    const nonce = Buffer.alloc(16, 7);
    const hash = argon2Sync('argon2id', {
      message: 'an older password',
      nonce,
      parallelism: 1,
      tagLength: 32,
      memory: 19_456,
      passes: 2,
    });
    const bare = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
    const encoded = `$argon2id$v=19$m=19456,t=2,p=1$${bare(nonce)}$${bare(hash)}`;
    expect(await verifyPassword('an older password', encoded)).toBe(true);
    expect(await verifyPassword('another password', encoded)).toBe(false);
    expect(isOutdated(encoded)).toBe(true);
    expect(isOutdated(await hashPassword('an older password'))).toBe(false);
  });

  it('SES-3: never accepts where there is nothing to compare with', async () => {
    expect(await verifyPassword('wobbly-kettle-9-harbour', null)).toBe(false);
  });

  it('SES-3: composed and decomposed letters are the same password', async () => {
    expect(
      await verifyPassword('Stra\u0301sse-nach-Bern', await hashPassword('Str\u00e1sse-nach-Bern')),
    ).toBe(true);
  });

  it('SES-3: refuses work that would wait for long', async () => {
    const quick = '$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA';
    const results = await Promise.allSettled(
      Array.from({ length: 104 }, () => verifyPassword('wobbly-kettle', quick)),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(2);
    expect(refused[0]?.reason).toMatchObject({ code: 'UNAVAILABLE', details: { retryAfter: 5 } });
    expect(await verifyPassword('wobbly-kettle', quick)).toBe(false);
  });
});
