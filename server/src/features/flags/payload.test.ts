import { describe, expect, it } from 'vitest';
import { digestOf, isOfVersion, personalVersionOf, versionOf } from './payload.ts';

describe('the version of what a client has seen', () => {
  const at = Date.UTC(2026, 10, 22, 9, 8, 7, 650);

  it('FLAG-2: is that of an event, of a payload, and of what one person got', () => {
    const seen = [
      String(at),
      versionOf(at),
      personalVersionOf(at, digestOf('{}')),
      '2026-11-22T09:08:07.65000Z',
    ];
    expect(seen.map((one) => isOfVersion(one, at))).toEqual([true, true, true, false]);
  });

  it('FLAG-2: is another for another time, and for what is no version', () => {
    const personal = personalVersionOf(at, digestOf('{}'));
    const others = [
      ...[String(at + 1), versionOf(at + 1), personalVersionOf(at - 1, digestOf('{}'))],
      ...[`${at}Z`, `1${at}`, `x${versionOf(at)}`, personal.replace('Z', ''), personal.replace('Z', 'xZ')],
      ...[`${versionOf(at)}1`, `${versionOf(at)}Z`, 'Z', '1Z', ''],
    ];
    expect(others.filter((one) => isOfVersion(one, at))).toEqual([]);
  });
});
