import { linkSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterThisTest } from '../testing/fresh-database.ts';
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
});
