import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../../testing/fresh-database.ts';
import { createFolders } from './folders.ts';

async function setUp() {
  const { dataDir } = await freshDatabase('sqlite', 'nothing');
  return { root: dataDir, folders: createFolders(dataDir) };
}

describe('folders under the data folder', () => {
  it('START-4: are made for their owner alone, with those above them', async () => {
    const { root, folders } = await setUp();
    const path = join(root, 'files', 'tmp', 'a');
    await Promise.all([folders.make(path), folders.make(path)]);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    await folders.makeAll(join(root, 'files'), ['00', '01']);
    expect(existsSync(join(root, 'files', '01'))).toBe(true);
  });

  it('START-4: that were removed since are made again for what is below them', async () => {
    const { root, folders } = await setUp();
    await folders.make(join(root, 'files', 'tmp'));
    rmSync(join(root, 'files'), { recursive: true });
    await folders.make(join(root, 'files', 'tmp', 'b'));
    expect(existsSync(join(root, 'files', 'tmp', 'b'))).toBe(true);
  });

  it('BUG-5: are made once nothing else has their name any more', async () => {
    const { root, folders } = await setUp();
    const file = join(root, 'files');
    writeFileSync(file, '');
    await expect(folders.make(join(file, 'tmp'))).rejects.toThrow('EEXIST');
    rmSync(file);
    await folders.make(join(file, 'tmp'));
    expect(existsSync(join(file, 'tmp'))).toBe(true);
  });
});
