import { createHash } from 'node:crypto';
import fs, {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import fileSystem from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { replaceBuiltin } from '#server/testing/builtin.ts';
import { startProcess } from '#server/testing/child-process.ts';
import { freshDatabase, openDatabase, type Place } from '#server/testing/fresh-database.ts';
import { migrations } from '#server/features.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { readFiles, storeFiles, wordIn, type Stored } from '#server/testing/stored-files.ts';
import { systemClock } from '#server/platform/time/clock.ts';
import { lockDataFolder } from '#server/platform/files/data-folder.ts';
import { sqliteFile } from '#server/platform/database/database.ts';
import { createFileStore } from '#server/platform/files/file-store.ts';
import { checkBackup } from './check-backup.ts';
import { makeBackup } from './make-backup.ts';
import { contentPath } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';

const known = Object.keys(migrations);

/** A folder next to the data of a test, for backups. */
async function folder(): Promise<string> {
  return (await freshDatabase('sqlite', 'nothing')).dataDir;
}

function back(place: Pick<Place, 'dataDir'>, to: string, progress: (text: string) => void = () => {}) {
  const { now } = systemClock;
  return makeBackup({ dataDir: place.dataDir, objectStore: null, to, version: '0.0.0', now, progress });
}

function put(
  from: string,
  dataDir: string,
  replace = false,
  parts: Partial<Parameters<typeof restoreBackup>[0]> = {},
) {
  return restoreBackup<unknown>({
    from,
    dataDir,
    replace,
    known,
    now: systemClock.now,
    settle: () => Promise.resolve(null),
    progress: () => {},
    ...parts,
  });
}

const open = ({ location }: Pick<Place, 'location'>) => openDatabase(location);

/** What a data folder answers of these files. */
async function contentsOf(dataDir: string, files: readonly Stored[]) {
  const database = await openDatabase({ engine: 'sqlite', dataDir });
  const [word, read] = [await wordIn(database), await readFiles(database, dataDir, files)];
  await database.close();
  return { word, read };
}

const whole = (files: readonly Stored[]) => new Map(files.map(({ id, bytes }) => [id, bytes]));
const check = async (backup: string) => (await checkBackup(backup, () => {})).faults;

async function installation(count = 5) {
  const place = await freshDatabase('sqlite');
  const files = await storeFiles(place, { word: 'old', count });
  const to = join(await folder(), 'backup');
  return { place, files, to };
}

describe('a backup', () => {
  it('RUN-4: holds the database and every file, for its owner alone, and nothing that is still in use', async () => {
    const { place, files, to } = await installation();
    const progress: string[] = [];
    const { folder: made, manifest } = await back(place, to, (text) => progress.push(text));
    expect(made).toBe(to);
    expect(readdirSync(to).toSorted()).toEqual(['files', 'manifest.json', 'portico.sqlite']);
    expect(manifest).toMatchObject({ format: 1, portico: '0.0.0', schema: known.at(-1), missing: [] });
    expect(manifest.contents.map(({ sha256 }) => sha256)).toEqual(files.map(({ hash }) => hash).toSorted());
    expect(progress.at(-1)).toBe('Copying files: 5 of 5');
    expect(await check(to)).toEqual([]);
    const mode = (path: string) => (statSync(join(to, path)).mode & 0o777).toString(8);
    const [hash = ''] = files.map((file) => file.hash);
    const modes = ['', 'files', `files/${hash.slice(0, 2)}`].map(mode);
    expect([...modes, ...['manifest.json', 'portico.sqlite', contentPath('', hash)].map(mode)]).toEqual([
      ...Array(3).fill('700'),
      ...Array(3).fill('600'),
    ]);
    const target = join(await folder(), 'data');
    await put(to, target);
    expect(await contentsOf(target, files)).toEqual({ word: 'old', read: whole(files) });
  });

  it('RUN-4: has what stands in the log of the database, which a copy of the file alone has not', async () => {
    const { place, to } = await installation(0);
    const database = await open(place);
    await database.transaction((tx) =>
      tx.updateTable('setting').set({ value: 'in the log' }).where('name', '=', 'word').execute(),
    );
    await back(place, to);
    const target = join(await folder(), 'data');
    await put(to, target);
    expect((await contentsOf(target, [])).word).toBe('in the log');
    const copy = await folder();
    await fileSystem.copyFile(sqliteFile(place.dataDir), sqliteFile(copy));
    expect((await contentsOf(copy, [])).word).toBe('old');
  });

  it('RUN-4: leaves no log behind in a folder that no server uses', async () => {
    const { place, to } = await installation(0);
    await back(place, to);
    expect(readdirSync(place.dataDir).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
  });

  it('RUN-4: is refused where something is, in the data folder, where no folder is, and without data', async () => {
    const { place, to } = await installation(0);
    mkdirSync(to);
    await back(place, to);
    await expect(back(place, to)).rejects.toThrow(`${to} is there already.`);
    await expect(back(place, join(place.dataDir, 'backup'))).rejects.toThrow('in the data folder itself');
    await expect(back(place, place.dataDir)).rejects.toThrow('in the data folder itself');
    await expect(back(place, join(to, 'no/where'))).rejects.toThrow(`There is no folder ${to}/no`);
    const empty = await folder();
    await expect(back({ dataDir: empty }, join(to, '../other'))).rejects.toThrow(
      'There is no data of Portico',
    );
    expect(readdirSync(join(to, '..')).toSorted()).toEqual(['backup']);
    expect(readdirSync(empty)).toEqual([]);
  });

  it('RUN-4: without enough room leaves nothing behind and reports it in a line', async () => {
    const { place, to } = await installation(2);
    replaceBuiltin(
      fileSystem,
      'statfs',
      () => (() => Promise.resolve({ bavail: 1, bsize: 4096 })) as unknown as typeof fileSystem.statfs,
    );
    await expect(back(place, to)).rejects.toThrow(
      /not enough room .* 4\.1 kB are free\. Nothing was written\.$/,
    );
    expect(readdirSync(join(to, '..'))).toEqual([]);
  });

  it('RUN-4: that finds the disk full halfway leaves nothing behind and reports it in a line', async () => {
    const { place, to } = await installation(3);
    let written = 0;
    replaceBuiltin(fileSystem, 'open', (original) => async (...parameters) => {
      if (String(parameters[0]).includes('.partial/files') && (written += 1) === 2)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      return original(...parameters);
    });
    await expect(back(place, to)).rejects.toThrow(`There is no room left in ${join(to, '..')}.`);
    expect(readdirSync(join(to, '..'))).toEqual([]);
  });

  it('RUN-4: that was interrupted is none, and the next one starts from the beginning', async () => {
    const { place, files, to } = await installation();
    mkdirSync(join(`${to}.partial`, 'files'), { recursive: true });
    writeFileSync(join(`${to}.partial`, 'portico.sqlite'), 'half of it');
    await expect(checkBackup(`${to}.partial`, () => {})).rejects.toThrow('no whole backup');
    await expect(put(`${to}.partial`, await folder())).rejects.toThrow('no whole backup');
    await expect(checkBackup(`${to}.nowhere`, () => {})).rejects.toThrow('There is no folder');
    await back(place, to);
    expect(existsSync(`${to}.partial`)).toBe(false);
    expect(await check(to)).toEqual([]);
    expect(readdirSync(join(to, 'files'))).toHaveLength(
      new Set(files.map(({ hash }) => hash.slice(0, 2))).size,
    );
  });

  it('RUN-4: to a place where another one is under way is refused', async () => {
    const { place, to } = await installation(0);
    const other = startProcess('testing/database-process.ts', [
      'hold-folder',
      JSON.stringify({ engine: 'sqlite', dataDir: `${to}.partial` }),
    ]);
    await other.line('holding');
    await expect(back(place, to)).rejects.toThrow('under way');
    await other.kill();
    await back(place, to);
  });

  it('RUN-4: names what was lost before, and holds all the rest', async () => {
    const { place, files, to } = await installation();
    const [gone, short, ...rest] = files;
    rmSync(contentPath(place.dataDir, gone?.hash ?? ''));
    truncateSync(contentPath(place.dataDir, short?.hash ?? ''), 10);
    const { manifest } = await back(place, to);
    expect(manifest.missing).toEqual(
      [gone, short].map((file) => file?.hash ?? '').toSorted((a, b) => (a < b ? -1 : 1)),
    );
    expect(manifest.contents).toHaveLength(rest.length);
    expect(await check(to)).toEqual([]);
  });

  it('RUN-4: has each file that its snapshot names, whatever is removed and swept during it', async () => {
    const { place, files, to } = await installation();
    const clock = movableClock();
    const database = await openDatabase(place.location, clock);
    const store = createFileStore({ database, dataDir: place.dataDir, clock });
    clock.move(7_200_000);
    let swept: Promise<unknown> | null = null;
    const sweep = async () => {
      await database.change(({ tx }) => tx.deleteFrom('file').execute());
      return store.sweep();
    };
    replaceBuiltin(fileSystem, 'open', (original) => async (...parameters) => {
      // The snapshot has been taken, and no file has been copied yet.
      if (String(parameters[0]).startsWith(join(place.dataDir, 'files'))) await (swept ??= sweep());
      return original(...parameters);
    });
    const { manifest } = await back(place, to);
    expect(swept).not.toBeNull();
    expect([manifest.contents.length, manifest.missing]).toEqual([files.length, []]);
    await store.sweep();
    expect([...(await readFiles(database, place.dataDir, files)).values()]).toEqual(
      files.map(({ hash }) => `The content ${hash} is gone.`),
    );
  });
});

describe('a backup that cannot be made', () => {
  it('RUN-4: of a database that is damaged, of another program or no database at all is refused and leaves nothing behind', async () => {
    const { place, to } = await installation(0);
    const file = sqliteFile(place.dataDir);
    const good = readFileSync(file);
    const spoilt = (change: (bytes: Buffer) => void) => {
      const bytes = Buffer.from(good);
      change(bytes);
      writeFileSync(file, bytes);
    };
    spoilt((bytes) => bytes.fill(0xff, 0, 16));
    await expect(back(place, to)).rejects.toThrow(
      `${file} cannot be read as a database of Portico (file is not a database).`,
    );
    // A page of a table, which `vacuum into` stumbles over.
    spoilt((bytes) => bytes.fill(0x5a, 4096 * 3));
    await expect(back(place, to)).rejects.toThrow(/cannot be read as a database of Portico|is damaged/);
    rmSync(file);
    const other = new DatabaseSync(file);
    other.exec('create table something (x)');
    other.close();
    await expect(back(place, to)).rejects.toThrow(/cannot be read as a database of Portico \(no such table/);
    rmSync(file);
    mkdirSync(file);
    await expect(back(place, to)).rejects.toThrow('unable to open database file');
    expect(readdirSync(join(to, '..'))).toEqual([]);
  });

  it('RUN-4: without the lock against the removal of files names the user as whom it is to be run', async () => {
    const { place, to } = await installation(0);
    mkdirSync(join(place.dataDir, 'backup.lock'));
    await expect(back(place, to)).rejects.toThrow(
      `${place.dataDir} cannot be locked against the removal of files. Run the backup as the user of the server.`,
    );
    expect(readdirSync(join(to, '..'))).toEqual([]);
  });

  it('RUN-4: where a file has its name already, and where the room is enough for the database but not for the files', async () => {
    const { place, to } = await installation(2);
    writeFileSync(to, 'a file');
    await expect(back(place, to)).rejects.toThrow(`${to} is there already.`);
    rmSync(to);
    let asked = 0;
    replaceBuiltin(
      fileSystem,
      'statfs',
      () =>
        (() =>
          Promise.resolve({
            bavail: (asked += 1) === 1 ? 10_000_000 : 1_999,
            bsize: 1,
          })) as unknown as typeof fileSystem.statfs,
    );
    await expect(back(place, to)).rejects.toThrow('2.0 kB are needed, 2.0 kB are free');
    expect(readdirSync(join(to, '..'))).toEqual([]);
  });
});

describe('what is on disk', () => {
  /** What is synced, and what is renamed, in order. */
  function watchDisk(): string[] {
    const steps: string[] = [];
    replaceBuiltin(fileSystem, 'open', (original) => async (...parameters) => {
      const handle = await original(...parameters);
      const sync = handle.sync.bind(handle);
      handle.sync = () => {
        steps.push(`sync ${String(parameters[0])}`);
        return sync();
      };
      return handle;
    });
    replaceBuiltin(fileSystem, 'rename', (original) => (from, to) => {
      steps.push(`name ${String(to)}`);
      return original(from, to);
    });
    return steps;
  }

  it('RUN-4: is all of a backup before it has its name, and its name before it is answered', async () => {
    const { place, files, to } = await installation(2);
    const steps = watchDisk();
    await back(place, to);
    const partial = `${to}.partial`;
    const before = steps.slice(0, steps.indexOf(`name ${to}`));
    for (const { hash } of files) {
      expect(before).toContain(`sync ${contentPath(partial, hash)}`);
      expect(before).toContain(`sync ${join(contentPath(partial, hash), '..')}`);
    }
    expect(before).toContain(`sync ${join(partial, 'files')}`);
    expect(before).toContain(`sync ${partial}`);
    expect(steps.slice(before.length)).toEqual([`name ${to}`, `sync ${join(to, '..')}`]);
  });

  it('RUN-4: is all that a restore has copied, and the old data aside, before the restored database is in force', async () => {
    const { place, files, to } = await installation(2);
    await back(place, to);
    const target = await freshDatabase('sqlite');
    const own = await storeFiles(target, { word: 'own', count: 1 });
    const steps = watchDisk();
    const { aside } = await put(to, target.dataDir, true);
    const inForce = `name ${sqliteFile(target.dataDir)}`;
    const before = steps.slice(0, steps.indexOf(inForce));
    const staging = join(target.dataDir, 'restore.partial');
    for (const { hash } of files) {
      expect(before).toContain(`sync ${contentPath(staging, hash)}`);
      expect(before).toContain(`sync ${join(contentPath(target.dataDir, hash), '..')}`);
    }
    expect(before).toContain(`sync ${join(staging, 'portico.sqlite')}`);
    expect(before).toContain(`sync ${join(target.dataDir, 'files')}`);
    expect(before.slice(before.indexOf(`name ${aside}`))[1]).toBe(`sync ${target.dataDir}`);
    expect(steps.slice(before.length)).toEqual([inForce, `sync ${target.dataDir}`]);
    expect(own).toHaveLength(1);
  });
});

describe('the check of a backup', () => {
  it('RUN-4: reports its progress, and finds a database that was damaged before it was copied', async () => {
    const { place, to } = await installation(3);
    await back(place, to);
    const progress: string[] = [];
    const { manifest } = await checkBackup(to, (text) => progress.push(text));
    expect(progress).toEqual([
      'Checking the database…',
      ...[1, 2, 3].map((count) => `Checking files: ${count} of 3`),
    ]);
    const file = join(to, 'portico.sqlite');
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 4096 * 3);
    writeFileSync(file, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const database = { bytes: bytes.length, sha256 };
    writeFileSync(join(to, 'manifest.json'), JSON.stringify({ ...manifest, database }));
    expect(await check(to)).toEqual([expect.stringMatching(/portico\.sqlite is damaged: .+\.$/)]);
  });

  it.each([
    ['a file that is missing', (path: string) => rmSync(path), 'is missing'],
    ['a file that lost its end', (path: string) => truncateSync(path, 3), 'has 3 bytes instead of 1000'],
    [
      'a changed byte',
      (path: string) => {
        const bytes = readFileSync(path);
        bytes[500] = (bytes[500] ?? 0) ^ 1;
        writeFileSync(path, bytes);
      },
      'has other bytes than when it was written',
    ],
  ])('RUN-4: finds %s, and a restore of it changes nothing', async (_fault, spoil, words) => {
    const { place, files, to } = await installation();
    await back(place, to);
    const path = contentPath(to, files[2]?.hash ?? '');
    spoil(path);
    expect(await check(to)).toEqual([`${path} ${words}.`]);
    const target = await freshDatabase('sqlite');
    const own = await storeFiles(target, { word: 'own', count: 2 });
    await expect(put(to, target.dataDir, true)).rejects.toThrow(words);
    expect(await contentsOf(target.dataDir, own)).toEqual({ word: 'own', read: whole(own) });
    expect(readdirSync(target.dataDir).filter((name) => /partial|replaced/.test(name))).toEqual([]);
  });

  it('RUN-4: finds a changed database and a spoiled manifest', async () => {
    const { place, to } = await installation(0);
    await back(place, to);
    appendFileSync(join(to, 'portico.sqlite'), 'x');
    expect(await check(to)).toEqual([
      expect.stringMatching(/portico\.sqlite has \d+ bytes instead of \d+\.$/),
    ]);
    truncateSync(join(to, 'manifest.json'), 40);
    await expect(check(to)).rejects.toThrow('manifest.json is damaged');
    writeFileSync(join(to, 'manifest.json'), '{"format":2}');
    await expect(check(to)).rejects.toThrow('made by a newer Portico');
    const contents = [{ sha256: '../../../etc/passwd', bytes: 1 }];
    writeFileSync(join(to, 'manifest.json'), JSON.stringify({ format: 1, contents }));
    await expect(check(to)).rejects.toThrow('manifest.json is damaged');
  });
});

describe('a restore', () => {
  it('RUN-4: is refused while a server runs, and over data unless that is put aside', async () => {
    const { place, files, to } = await installation();
    await back(place, to);
    const target = await freshDatabase('sqlite');
    const own = await storeFiles(target, { word: 'own', count: 3 });
    const server = lockDataFolder(target.dataDir);
    await expect(put(to, target.dataDir, true)).rejects.toThrow('A Portico server is running');
    server.release();
    await expect(put(to, target.dataDir)).rejects.toThrow('holds data already');
    expect(await contentsOf(target.dataDir, own)).toEqual({ word: 'own', read: whole(own) });

    const { aside } = await put(to, target.dataDir, true);
    expect(await contentsOf(target.dataDir, files)).toEqual({ word: 'old', read: whole(files) });
    // Nothing of the old data is left among the new, and all of it is put aside as its own data folder.
    expect([...(await contentsOf(target.dataDir, own)).read.values()]).toEqual(
      own.map(({ hash }) => `The content ${hash} is gone.`),
    );
    expect(await contentsOf(aside ?? '', own)).toEqual({ word: 'own', read: whole(own) });
  });

  it('RUN-4: takes the log of the old database along, so that none is next to the new one', async () => {
    const { place, to } = await installation(0);
    await back(place, to);
    const target = await freshDatabase('sqlite');
    const killed = startProcess('testing/database-process.ts', [
      'write',
      JSON.stringify(target.location),
      '100000',
    ]);
    const last = await killed.line(/^\d+$/);
    await killed.kill();
    expect(existsSync(`${sqliteFile(target.dataDir)}-wal`)).toBe(true);
    const { aside } = await put(to, target.dataDir, true);
    expect((await contentsOf(target.dataDir, [])).word).toBe('old');
    const old = await openDatabase({ engine: 'sqlite', dataDir: aside ?? '' });
    const written = await old.read
      .selectFrom('setting')
      .select('name')
      .where('name', '=', `written-${last}`)
      .execute();
    await old.close();
    expect(written).toHaveLength(1);
  });

  it('RUN-4: is refused while a command has the database open', async () => {
    const { place, to } = await installation(0);
    await back(place, to);
    const target = await freshDatabase('sqlite');
    const command = await open(target);
    await command.transaction((tx) => tx.insertInto('setting').values({ name: 'a', value: 'b' }).execute());
    await expect(put(to, target.dataDir, true)).rejects.toThrow('Another process uses the database');
    expect(readdirSync(target.dataDir).filter((name) => /partial|replaced/.test(name))).toEqual([]);
  });

  it('RUN-4: puts a database aside that cannot be read any more, with its log', async () => {
    const { place, files, to } = await installation();
    await back(place, to);
    const target = await freshDatabase('sqlite');
    writeFileSync(sqliteFile(target.dataDir), 'this was a database once, and is none any more');
    writeFileSync(`${sqliteFile(target.dataDir)}-wal`, 'a log');
    const { aside } = await put(to, target.dataDir, true);
    expect(await contentsOf(target.dataDir, files)).toEqual({ word: 'old', read: whole(files) });
    expect(readFileSync(sqliteFile(aside ?? ''), 'utf8')).toMatch(/^this was a database once/);
    expect(readFileSync(`${sqliteFile(aside ?? '')}-wal`, 'utf8')).toBe('a log');
  });

  it('RUN-4: is not restored next to the log of a database that is not there, which SQLite would read into it', async () => {
    const { place, to } = await installation();
    await back(place, to);
    const target = await folder();
    writeFileSync(`${sqliteFile(target)}-wal`, 'a log');
    await expect(put(to, target)).rejects.toThrow('belongs to a database that is not there');
  });

  it('RUN-4, RUN-3: of a newer schema is refused', async () => {
    const { place, to } = await installation(0);
    await back(place, to);
    const manifest = JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8')) as object;
    writeFileSync(join(to, 'manifest.json'), JSON.stringify({ ...manifest, schema: '9001-later' }));
    const target = await folder();
    await expect(put(to, target)).rejects.toThrow('newer Portico (0.0.0, 9001-later)');
    expect(readdirSync(target)).toEqual([]);
  });

  it('RUN-4: over files without their database is refused as well', async () => {
    const { place, files, to } = await installation(1);
    await back(place, to);
    const target = await freshDatabase('sqlite');
    const own = await storeFiles(target, { word: 'own', count: 1 });
    rmSync(sqliteFile(target.dataDir));
    await expect(put(to, target.dataDir)).rejects.toThrow('holds data already');
    const { aside } = await put(to, target.dataDir, true);
    expect(existsSync(contentPath(aside ?? '', own[0]?.hash ?? ''))).toBe(true);
    expect(existsSync(sqliteFile(aside ?? ''))).toBe(false);
    expect(await contentsOf(target.dataDir, files)).toEqual({ word: 'old', read: whole(files) });
  });

  it('RUN-4: hands on the last change of what was there, and leaves neither copies nor what was left by one that was killed', async () => {
    const { place, files, to } = await installation(2);
    const { manifest } = await back(place, to);
    const target = await folder();
    for (const left of ['restore.partial', 'replaced-x.partial']) {
      mkdirSync(join(target, left, 'files'), { recursive: true });
      writeFileSync(join(target, left, 'portico.sqlite'), 'half of it');
    }
    mkdirSync(join(target, 'files', 'tmp'), { recursive: true });
    writeFileSync(join(target, 'files', 'tmp', 'a'), 'half of an upload');
    const progress: string[] = [];
    const seen: unknown[] = [];
    const request = {
      now: () => Date.parse('2030-01-02T03:04:05.678Z'),
      settle: (staging: string, of: unknown, previous: unknown) => {
        seen.push(of, previous);
        writeFileSync(join(staging, 'portico.sqlite.before-0001'), 'a copy');
        return Promise.resolve('settled');
      },
      progress: (text: string) => void progress.push(text),
    };
    expect(await put(to, target, false, request)).toEqual({ manifest, settled: 'settled', aside: null });
    expect(progress).toEqual(['Copying the database…', 'Copying files: 1 of 2', 'Copying files: 2 of 2']);
    const left = readdirSync(target).toSorted();
    expect(left).toEqual(['files', 'portico.sqlite', 'replaced-x.partial', 'server.lock']);
    // As old as the backup: a sweep does not take them for new.
    for (const { hash } of files)
      expect(statSync(contentPath(target, hash)).mtime.toISOString()).toBe(manifest.createdAt);

    const database = await openDatabase({ engine: 'sqlite', dataDir: target });
    const last = await database.change(({ revision, at }) => Promise.resolve({ revision, at }));
    await database.close();
    const { aside } = await put(to, target, true, request);
    expect(aside).toBe(join(target, 'replaced-2030-01-02T03-04-05-678Z'));
    expect(seen).toEqual([manifest, null, manifest, last]);
    expect(readdirSync(target).toSorted()).toEqual([
      'files',
      'portico.sqlite',
      'replaced-2030-01-02T03-04-05-678Z',
      'server.lock',
    ]);
    expect(readdirSync(aside ?? '').toSorted()).toEqual(['files', 'portico.sqlite']);
    expect((statSync(aside ?? '').mode & 0o777).toString(8)).toBe('700');
  });

  it('RUN-4: without enough room, or that could not be settled, changes nothing and leaves nothing behind', async () => {
    const { place, to } = await installation(2);
    await back(place, to);
    const target = await freshDatabase('sqlite');
    const own = await storeFiles(target, { word: 'own', count: 2 });
    const before = readdirSync(target.dataDir).toSorted();
    const unsettled = { settle: () => Promise.reject(new Error('not to be settled')) };
    await expect(put(to, target.dataDir, true, unsettled)).rejects.toThrow('not to be settled');
    const { manifest } = await checkBackup(to, () => {});
    const needed = manifest.database.bytes + 2_000;
    replaceBuiltin(
      fileSystem,
      'statfs',
      () => (() => Promise.resolve({ bavail: needed - 1, bsize: 1 })) as unknown as typeof fileSystem.statfs,
    );
    await expect(put(to, target.dataDir, true)).rejects.toThrow('not enough room');
    const now = readdirSync(target.dataDir).filter((name) => name !== 'server.lock');
    expect(now.toSorted()).toEqual(before.filter((name) => name !== 'server.lock'));
    expect(await contentsOf(target.dataDir, own)).toEqual({ word: 'own', read: whole(own) });
  });

  it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EIO'])(
    'RUN-4: copies the old data where the file system answers %s to a link, unless the disk fails',
    async (code) => {
      const { place, files, to } = await installation(1);
      await back(place, to);
      const target = await freshDatabase('sqlite');
      const own = await storeFiles(target, { word: 'own', count: 2 });
      replaceBuiltin(fs, 'linkSync', () => () => {
        throw Object.assign(new Error(`${code}: link`), { code });
      });
      const outcome = await put(to, target.dataDir, true).then(
        ({ aside }) => aside ?? '',
        (error: Error) => error.message,
      );
      const failed = code === 'EIO';
      const replaced = join(target.dataDir, 'replaced-');
      expect([outcome === 'EIO: link', outcome.startsWith(replaced)]).toEqual([failed, !failed]);
      const [old, now] = failed ? [target.dataDir, own] : [outcome, files];
      expect(await contentsOf(old, own)).toEqual({ word: 'own', read: whole(own) });
      expect((await contentsOf(target.dataDir, now)).read).toEqual(whole(now));
      expect(readdirSync(target.dataDir).filter((name) => name.endsWith('.partial'))).toEqual([]);
    },
  );
});
