import { linkSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterThisTest } from '../../testing/fresh-database.ts';
import { isFull, isStorageFailure, nullUnlessStorageFailed, StorageFailure } from './storage-failure.ts';

const withCode = (code: string, syscall?: string) => Object.assign(new Error(code), { code, syscall });

function caught(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
}

describe('a failure of the storage', () => {
  it('RUN-5: is a file or a folder that may not be read or written any more', () => {
    for (const code of ['EACCES', 'EPERM'])
      for (const syscall of ['open', 'mkdir', 'rename', 'unlink', 'scandir', 'write', 'fsync'])
        expect([code, syscall, isStorageFailure(withCode(code, syscall))]).toEqual([code, syscall, true]);
    expect(isFull(withCode('EACCES', 'open'))).toBe(false);
    const folder = mkdtempSync(join(tmpdir(), 'portico-denied-'));
    afterThisTest(() => rmSync(folder, { recursive: true }));
    const denied = caught(() => linkSync(folder, join(folder, 'self')));
    expect(denied).toMatchObject({ code: 'EPERM' });
    expect(isStorageFailure(new Error('around it', { cause: denied }))).toBe(true);
  });

  it('RUN-5: is no connection, port or process that is denied, nor what only carries such a code', () => {
    for (const syscall of ['connect', 'listen', 'bind', 'kill', 'spawn', undefined])
      expect([syscall, isStorageFailure(withCode('EACCES', syscall))]).toEqual([syscall, false]);
    expect(isStorageFailure(withCode('ENOENT', 'open'))).toBe(false);
  });

  it('RUN-5: is no refusal, and passes where a refusal means null', () => {
    expect(nullUnlessStorageFailed(new Error('no session'))).toBeNull();
    expect(() => nullUnlessStorageFailed(new StorageFailure('gone'))).toThrow('gone');
  });

  const sqlite = (errcode: unknown) => ({ code: 'ERR_SQLITE_ERROR', errcode });
  const postgres = (code: string, severity: string | undefined = 'ERROR') => ({ code, severity });

  it.each<[what: string, error: unknown, isFailure: boolean, isFullToo: boolean]>([
    ['a full disk under SQLite', sqlite(13), true, true],
    ['the same with the details', sqlite(13 + 256 * 3), true, true],
    ['an error of the disk under SQLite', sqlite(10 + 256 * 2), true, false],
    ['a lock that was waited for', sqlite(5), true, false],
    ['a rule of a table', sqlite(19 + 256 * 8), false, false],
    ['a mistake in a statement', sqlite(1), false, false],
    ['no number at all', sqlite('13'), false, false],
    ['a full disk', withCode('ENOSPC', 'write'), true, true],
    ['a full share', withCode('EDQUOT', 'write'), true, true],
    ['a disk that may only be read', withCode('EROFS', 'open'), true, false],
    ['too many open files', withCode('EMFILE'), true, false],
    ['a full disk under PostgreSQL', postgres('53100'), true, true],
    ['too many connections', postgres('53300'), true, false],
    ['a lost connection', postgres('08006'), true, false],
    ['an operator who stops it', postgres('57P01'), true, false],
    ['a row that is there already', postgres('23505'), false, false],
    ['what only looks like a code of PostgreSQL', { code: '53100' }, false, false],
    ['a code that is a number', { code: 53_100, severity: 'ERROR' }, false, false],
    ['nothing', null, false, false],
    ['a text', 'ENOSPC', false, false],
    ['nothing of all that', new Error('ENOSPC'), false, false],
  ])('RUN-5: is distinguished from what is none: %s', (_what, error, isFailure, isFullToo) => {
    expect([isStorageFailure(error), isFull(error)]).toEqual([isFailure, isFullToo]);
  });

  it('RUN-5: is found behind seven others, and a circle ends', () => {
    const around = (depth: number): unknown =>
      depth === 0 ? withCode('ENOSPC') : new Error('around it', { cause: around(depth - 1) });
    expect([isFull(around(7)), isFull(around(8))]).toEqual([true, false]);
    const circle: { cause?: unknown } = {};
    circle.cause = circle;
    expect(isStorageFailure(circle)).toBe(false);
    expect(new StorageFailure('gone', { cause: circle })).toMatchObject({
      name: 'StorageFailure',
      cause: circle,
    });
  });
});
