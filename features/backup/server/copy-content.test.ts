import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import fileSystem from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceBuiltin } from '#server/testing/builtin.ts';
import { freshDatabase } from '#server/testing/fresh-database.ts';
import { difference } from './check-backup.ts';
import { copySummed, forEachOf, inWords, requireFreeSpace, sumOf } from './copy-content.ts';

it('RUN-4: works through a list, four at a time', async () => {
  const [begun, open] = [[] as number[], [] as (() => void)[]];
  const done = forEachOf([1, 2, 3, 4, 5, 6], (item) => {
    begun.push(item);
    return new Promise((resolve) => open.push(resolve));
  });
  expect(begun).toEqual([1, 2, 3, 4]);
  for (const next of [5, 6]) {
    open.shift()?.();
    await expect.poll(() => begun.at(-1)).toBe(next);
  }
  for (const finish of open) finish();
  await done;
});

it('RUN-4: after a failure begins nothing more, and fails once what was under way has ended', async () => {
  const begun: number[] = [];
  const slow = Promise.withResolvers<void>();
  let isOver = false;
  const outcome = forEachOf([1, 2, 3, 4, 5, 6], async (item) => {
    begun.push(item);
    if (item === 2) throw new Error('of the second');
    await slow.promise;
  }).then(
    () => 'done',
    (error: Error) => {
      isOver = true;
      return error.message;
    },
  );
  await expect.poll(() => begun.length).toBe(4);
  expect(isOver).toBe(false);
  slow.resolve();
  expect(await outcome).toBe('of the second');
  expect(begun).toEqual([1, 2, 3, 4]);
});

it('RUN-4: sums and copies a file of several pieces for its owner alone, and never over another one', async () => {
  const { dataDir } = await freshDatabase('sqlite', 'nothing');
  const bytes = randomBytes(2 * 1024 * 1024 + 7);
  const [from, to] = [join(dataDir, 'from'), join(dataDir, 'a/new/folder/to')];
  writeFileSync(from, bytes);
  const summed = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  expect(await sumOf(from)).toEqual(summed);
  expect(await copySummed(from, to)).toEqual(summed);
  expect(readFileSync(to).equals(bytes)).toBe(true);
  expect([to, join(dataDir, 'a')].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual([
    '600',
    '700',
  ]);
  writeFileSync(from, 'something else');
  await expect(copySummed(from, to)).rejects.toThrow('EEXIST');
  expect(readFileSync(to).equals(bytes)).toBe(true);
});

it('RUN-4: of a file that is missing there is nothing; one that cannot be read is a failure, which leaves nothing behind', async () => {
  const { dataDir } = await freshDatabase('sqlite', 'nothing');
  const [gone, folder, to] = ['gone', 'folder', 'to'].map((name) => join(dataDir, name)) as [
    string,
    string,
    string,
  ];
  expect([await sumOf(gone), await copySummed(gone, to)]).toEqual([null, null]);
  mkdirSync(folder);
  await expect(sumOf(folder)).rejects.toThrow('EISDIR');
  await expect(copySummed(folder, to)).rejects.toThrow('EISDIR');
  writeFileSync(gone, 'a file');
  await expect(sumOf(join(gone, 'below'))).rejects.toThrow('ENOTDIR');
  expect(existsSync(to)).toBe(false);
});

it('RUN-4: needs as much room as there is, to the byte', async () => {
  const { dataDir } = await freshDatabase('sqlite', 'nothing');
  replaceBuiltin(
    fileSystem,
    'statfs',
    () => (() => Promise.resolve({ bavail: 3, bsize: 1_000 })) as unknown as typeof fileSystem.statfs,
  );
  await requireFreeSpace(dataDir, 3_000);
  await expect(requireFreeSpace(dataDir, 3_001)).rejects.toThrow(
    `There is not enough room in ${dataDir}: 3.0 kB are needed, 3.0 kB are free. Nothing was written.`,
  );
});

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [1_550_000, '1.6 MB'],
  [999_900_000, '999.9 MB'],
  [2e12, '2.0 TB'],
  [3e15, '3000.0 TB'],
])('RUN-4: %i bytes are written as %s', (bytes, words) => {
  expect(inWords(bytes)).toBe(words);
});

it('RUN-4: reports how what was read differs from what was written', () => {
  const expected = { bytes: 3, sha256: 'abc' };
  expect(difference(expected, { ...expected })).toBeNull();
  expect(difference(null, expected)).toBe('is missing');
  expect(difference({ ...expected, bytes: 4 }, expected)).toBe('has 4 bytes instead of 3');
  expect(difference({ ...expected, sha256: 'abd' }, expected)).toBe(
    'has other bytes than when it was written',
  );
});
