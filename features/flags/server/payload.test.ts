import { describe, expect, it } from 'vitest';
import { compilePayload, digestOf, isOfVersion, personalVersionOf, plainFor, versionOf } from './payload.ts';

describe('the version of what a client has seen', () => {
  const at = Date.UTC(2026, 10, 22, 9, 8, 7, 650);

  it('FLAG-2: is that of an event, of a payload, and of what one person got', () => {
    const seen = [String(at), versionOf(at), personalVersionOf(at, digestOf('{}'))];
    expect(seen.map((one) => isOfVersion(one, at))).toEqual([true, true, true]);
  });

  it('FLAG-2: is another for another time, and for what is no version', () => {
    const personal = personalVersionOf(at, digestOf('{}'));
    const late = [String(at + 1), versionOf(at + 1), personalVersionOf(at - 1, digestOf('{}'))];
    const around = [`${at}Z`, `1${at}`, `x${versionOf(at)}`, `${versionOf(at)}1`, `${versionOf(at)}Z`];
    const others = [
      ...late,
      ...around,
      personal.replace('Z', ''),
      personal.replace('Z', 'xZ'),
      'Z',
      '1Z',
      '',
    ];
    expect(others.filter((one) => isOfVersion(one, at))).toEqual([]);
  });
});

it('FLAG-12: lists are written out for older SDKs up to 32 MB, and travel by reference beyond', async () => {
  const rule = { condition: { id: { $inGroup: 'grp_all' } }, force: true };
  const prepared = async (rules: number, length: number) => {
    const parts = {
      lists: { grp_all: ['x'.repeat(length)] },
      forSignedOut: [],
      keys: [{ key: 'sdk-old', olderSdks: true, decryptionKey: null }],
    };
    const definitions = { A: { defaultValue: false, rules: Array.from({ length: rules }, () => rule) } };
    const payload = await compilePayload(definitions, 1, parts);
    return [payload.olderIsTooLarge, String(plainFor(payload, 'sdk-old').identity).includes('$inGroup')];
  };
  expect(await prepared(2, 100)).toEqual([false, false]);
  expect(await prepared(200, 200_000)).toEqual([true, true]);
});
