import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { id } from '#contract/text.ts';
import { hashSecret, newId, newSecret, sameSecret } from './ids.ts';

describe('ids and secrets', () => {
  it('SES-1: are random, safe in an address, and too long to be guessed', () => {
    const ids = Array.from({ length: 1000 }, newId);
    const secrets = Array.from({ length: 1000 }, newSecret);
    expect(new Set([...ids, ...secrets]).size).toBe(2000);
    for (const one of ids) expect(one).toMatch(/^[\w-]{16}$/);
    for (const one of secrets) expect(one).toMatch(/^[\w-]{43}$/);
    expect(ids.every((one) => id.safeParse(one).success)).toBe(true);
  });

  it('CLI-1 AUD-1: never begin with a hyphen, so that commands and spreadsheets take them as they are', () => {
    const ids = Array.from({ length: 5_000 }, newId);
    expect(ids.filter((one) => one.startsWith('-'))).toEqual([]);
  });

  it('SES-1: are stored as SHA-256', () => {
    // FIPS 180-4's example.
    expect(Buffer.from(hashSecret('abc'), 'base64url').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  it('START-6: are the same only where every letter is', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => sameSecret(one, other) === (one === other)),
    );
    fc.assert(fc.property(fc.string(), (one) => sameSecret(one, one)));
  });
});
