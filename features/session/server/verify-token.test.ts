import { decodeJwt } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { afterThisTest, openFresh } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { createAccessTokens } from './access-token.ts';

const feed = { on: () => undefined, publishedAt: () => 0, close: () => Promise.resolve() };

async function tokensOn() {
  const clock = movableClock(1_800_000_000_999);
  const database = await openFresh('sqlite', clock);
  const at = (publicUrl: string) => createAccessTokens({ database, feed, clock, publicUrl });
  return { database, clock, at, tokens: at('https://portico.example') };
}

describe('an access token', () => {
  it('SES-2: is valid for its five minutes, then refused as expired', async () => {
    const { tokens, clock } = await tokensOn();
    const { accessToken, expiresAt } = await tokens.issue('mia', 'one');
    expect(expiresAt).toBe(1_800_000_300_000);
    expect(decodeJwt(accessToken)).toMatchObject({ iat: 1_800_000_000, exp: 1_800_000_300 });
    const subject = { personId: 'mia', sessionId: 'one', expiresAt, host: null };
    expect(await tokens.verify(accessToken)).toEqual(subject);
    clock.move(299_000);
    expect(await tokens.verify(accessToken)).toEqual(subject);
    clock.move(1_001);
    await expect(tokens.verify(accessToken)).rejects.toMatchObject({
      code: 'TOKEN_EXPIRED',
      details: { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
    });
  });

  it('SES-2: of another installation opens nothing, and names no session', async () => {
    const { tokens, at } = await tokensOn();
    const { accessToken } = await at('https://another.example').issue('mia', 'one');
    for (const token of [accessToken, 'no token', '']) {
      await expect(tokens.verify(token)).rejects.toMatchObject({
        code: 'TOKEN_INVALID',
        details: { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
      });
      expect(await tokens.subjectOf(token)).toBeNull();
    }
  });

  it('SES-5: names its session, expired or not', async () => {
    const { tokens, clock } = await tokensOn();
    const { accessToken } = await tokens.issue('mia', 'one');
    expect((await tokens.subjectOf(accessToken))?.sessionId).toBe('one');
    clock.move(3_600_000);
    expect((await tokens.subjectOf(accessToken))?.sessionId).toBe('one');
  });

  it('SES-2: a database that does not answer is no fault of a token, and is asked again', async () => {
    const { tokens, at, database } = await tokensOn();
    const { accessToken } = await tokens.issue('mia', 'one');
    const other = at('https://portico.example');
    const broken = new Error('does not answer');
    vi.spyOn(database, 'transaction').mockRejectedValue(broken);
    vi.spyOn(database.read, 'selectFrom').mockImplementation(() => {
      throw broken;
    });
    await expect(other.verify(accessToken)).rejects.toBe(broken);
    await expect(other.subjectOf(accessToken)).rejects.toBe(broken);
    await expect(other.issue('mia', 'one')).rejects.toBe(broken);
    vi.restoreAllMocks();
    expect(await other.verify(accessToken)).toMatchObject({ sessionId: 'one' });
  });

  it('SES-2: the keys are read once for all who wait, and again for an unknown one after more than ten seconds', async () => {
    const { at, clock, database } = await tokensOn();
    const tokens = at('https://portico.example');
    const { accessToken } = await tokens.issue('mia', 'one');
    const reads = vi.spyOn(database.read, 'selectFrom');
    afterThisTest(() => void vi.restoreAllMocks());
    await Promise.all([tokens.verify(accessToken), tokens.verify(accessToken), tokens.publicKeys()]);
    expect(reads).not.toHaveBeenCalled();
    const [head = '', ...rest] = accessToken.split('.');
    const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, unknown>;
    const unknown = [
      Buffer.from(JSON.stringify({ ...header, kid: 'unknown' })).toString('base64url'),
      ...rest,
    ].join('.');
    const refused = () => expect(tokens.verify(unknown)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    clock.move(10_000);
    await refused();
    expect(reads).not.toHaveBeenCalled();
    clock.move(1);
    await tokens.verify(accessToken);
    expect(reads).not.toHaveBeenCalled();
    await refused();
    expect(reads).toHaveBeenCalled();
    reads.mockClear();
    await refused();
    expect(reads).not.toHaveBeenCalled();
  });
});
