import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import fileSystem from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { addFile, removeFile } from '#features/files/server/files.store.ts';
import { replaceBuiltin } from '../../testing/builtin.ts';
import {
  engines,
  freshDatabase,
  openDatabase,
  type Engine,
  type Place,
} from '../../testing/fresh-database.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import type { Database } from '../database/database.ts';
import { createFileStore, type FileStore } from './file-store.ts';
import type { StoredContent } from './contents.ts';

const hour = 3_600_000;
const plenty = 100 * 1024 * 1024;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
/** Bytes that are alike nowhere. */
const noise = (length: number) => Buffer.from(Array.from({ length }, (_, index) => (index * 7919) >> 3));

type Stored = { store: FileStore; database: Database; place: Place; clock: ReturnType<typeof movableClock> };

async function openStore(engine: Engine, place?: Place): Promise<Stored> {
  const home = place ?? (await freshDatabase(engine));
  const clock = movableClock();
  const database = await openDatabase(home.location, clock);
  return {
    store: createFileStore({ database, dataDir: home.dataDir, clock }),
    database,
    place: home,
    clock,
  };
}

const temporary = ({ place }: Stored) => readdirSync(join(place.dataDir, 'files', 'tmp'));

/** Where SQLite keeps a content. */
const pathOf = ({ place }: Stored, { hash }: StoredContent) =>
  join(place.dataDir, 'files', hash.slice(0, 2), hash);

/** What is stored, by hash. */
async function contents(stored: Stored): Promise<string[]> {
  const { database, place } = stored;
  if (database.engine === 'postgres') {
    const rows = await database.read.selectFrom('file_chunk').select('hash').distinct().execute();
    return rows.map(({ hash }) => hash);
  }
  const folder = join(place.dataDir, 'files');
  const homes = existsSync(folder) ? readdirSync(folder).filter((name) => name !== 'tmp') : [];
  return homes.flatMap((home) => readdirSync(join(folder, home)));
}

const nameIt = ({ database, clock }: Stored, content: StoredContent) =>
  database.transaction((tx) =>
    addFile(tx, {
      ...content,
      owner: null,
      filename: 'a',
      contentType: 'text/plain',
      width: null,
      height: null,
      at: clock.now(),
    }),
  );

async function bytesOf(store: FileStore, content: StoredContent): Promise<Buffer> {
  return buffer(await store.read(content));
}

async function* inParts(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(part);
}

describe.each(engines)('the file store on %s', (engine) => {
  it('START-4: keeps bytes by their hash and gives them back', async () => {
    const stored = await openStore(engine);
    for (const length of [0, 1, 262_143, 262_144, 262_145, 1_000_000]) {
      const bytes = noise(length);
      const content = await stored.store.write(bytes, plenty);
      expect(content).toEqual({ hash: sha256(bytes), size: length });
      expect((await bytesOf(stored.store, content)).equals(bytes)).toBe(true);
    }
    expect(temporary(stored)).toEqual([]);
  });

  it('FILE-1: takes a stream as it comes, and has nothing of one that breaks or is too long', async () => {
    const stored = await openStore(engine);
    const { store } = stored;
    const parts = [noise(70_000), Buffer.alloc(0), noise(300_000), noise(5)];
    const whole = Buffer.concat(parts);
    expect(await store.write(inParts(...parts), whole.length)).toEqual({
      hash: sha256(whole),
      size: whole.length,
    });

    let asked = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (; ; asked += 1) yield await Promise.resolve(noise(1_000));
    }
    await expect(store.write(endless(), 9_999)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(asked).toBe(9);
    await expect(store.write(noise(11), 10)).rejects.toMatchObject({ code: 'TOO_LARGE' });

    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(noise(10));
      throw new Error('the client is gone');
    }
    await expect(store.write(breaking(), plenty)).rejects.toThrow('the client is gone');
    expect(await contents(stored)).toEqual([sha256(whole)]);
    expect(temporary(stored)).toEqual([]);
  });

  it('START-4: keeps the same bytes once, however often and however many at a time they come', async () => {
    const stored = await openStore(engine);
    // Another replica on the same database; SQLite has one server.
    const other = engine === 'postgres' ? await openStore(engine, stored.place) : stored;
    const bytes = noise(600_000);
    const written = await Promise.all(
      [stored, other, stored, other].map(({ store }) => store.write(bytes, plenty)),
    );
    expect(new Set(written.map(({ hash }) => hash))).toEqual(new Set([sha256(bytes)]));
    expect(await contents(stored)).toEqual([sha256(bytes)]);
    expect((await bytesOf(other.store, written[0] as StoredContent)).equals(bytes)).toBe(true);
  });

  it('FILE-1: reports when bytes are gone or incomplete, and leaves nothing hanging', async () => {
    const stored = await openStore(engine);
    const content = await stored.store.write(noise(600_000), plenty);
    await expect(stored.store.read({ hash: sha256(Buffer.from('nothing')), size: 7 })).rejects.toThrow(
      'gone',
    );
    if (engine === 'sqlite') truncateSync(pathOf(stored, content), 300_000);
    else {
      await stored.database.transaction((tx) =>
        tx.deleteFrom('file_chunk').where('position', '=', 2).execute(),
      );
    }
    await expect(bytesOf(stored.store, content)).rejects.toThrow('600000');
  });

  it('FILE-1: removes what nothing names once it is an hour old, and no sooner', async () => {
    const stored = await openStore(engine);
    const { store, clock, database } = stored;
    const [named, shared, loose] = [
      await store.write(Buffer.from('kept'), plenty),
      await store.write(Buffer.from('shared'), plenty),
      await store.write(noise(600_000), plenty),
    ];
    await nameIt(stored, named);
    const copies = [await nameIt(stored, shared), await nameIt(stored, shared)];
    const all = [named, shared, loose].map(({ hash }) => hash).toSorted();

    clock.move(hour - 1_000);
    await store.sweep();
    expect((await contents(stored)).toSorted()).toEqual(all);
    clock.move(2_000);
    await store.sweep();
    expect((await contents(stored)).toSorted()).toEqual([named, shared].map(({ hash }) => hash).toSorted());

    for (const [index, id] of copies.entries()) {
      await database.transaction((tx) => removeFile(tx, id));
      await store.sweep();
      expect((await contents(stored)).includes(shared.hash)).toBe(index === 0);
    }
    expect((await bytesOf(store, named)).toString()).toBe('kept');
  });

  it('FILE-1: bytes that come again have another hour to be named', async () => {
    const stored = await openStore(engine);
    const { store, clock } = stored;
    const content = await store.write(noise(300_000), plenty);
    clock.move(hour - 1_000);
    await store.write(noise(300_000), plenty);
    clock.move(hour - 1_000);
    await store.sweep();
    await nameIt(stored, content);
    clock.move(hour);
    await store.sweep();
    expect(await bytesOf(store, content)).toHaveLength(300_000);
  });

  it('FILE-1: no file is left without its bytes by a sweep at the moment they come again', async () => {
    const stored = await openStore(engine);
    const { store, clock } = stored;
    const other = engine === 'postgres' ? await openStore(engine, stored.place) : stored;
    for (let round = 0; round < 15; round += 1) {
      const bytes = Buffer.from(`content ${round % 3}`);
      await store.write(bytes, plenty);
      clock.move(2 * hour);
      if (other !== stored) other.clock.move(2 * hour);
      const sweeps = [store.sweep(), other.store.sweep()];
      const written = await Promise.all([store.write(bytes, plenty), other.store.write(bytes, plenty)]);
      await Promise.all(sweeps);
      await store.sweep();
      for (const content of written) expect(await bytesOf(other.store, content)).toEqual(bytes);
    }
  });

  it('RUN-5: clears away what a killed process has left, and not what is still being written', async () => {
    const stored = await openStore(engine);
    const { store, clock } = stored;
    await store.write(Buffer.from('x'), plenty);
    writeFileSync(join(stored.place.dataDir, 'files', 'tmp', 'leftover'), 'half of some');
    await store.sweep();
    expect(temporary(stored)).toEqual(['leftover']);

    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    async function* slow(): AsyncGenerator<Uint8Array> {
      begun.resolve();
      await gate.promise;
      yield Buffer.from('slow');
    }
    const writing = store.write(slow(), plenty);
    await begun.promise;
    clock.move(2 * hour);
    await store.sweep();
    expect(temporary(stored)).toHaveLength(1);
    expect(temporary(stored)).not.toContain('leftover');
    gate.resolve();
    expect((await bytesOf(store, await writing)).toString()).toBe('slow');
  });
});

describe('contents in a folder', () => {
  it('RUN-5: are cleared away where a full disk has let a file begin and no more', async () => {
    const stored = await openStore('sqlite');
    await stored.store.write(Buffer.from('opens the folder'), plenty);
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    replaceBuiltin(fileSystem, 'open', (open) => (path, ...rest) => {
      if (!String(path).startsWith(join(stored.place.dataDir, 'files', 'tmp'))) return open(path, ...rest);
      writeFileSync(String(path), '');
      return Promise.reject(full);
    });
    await expect(stored.store.write(Buffer.from('x'), plenty)).rejects.toThrow(full);
    expect(temporary(stored)).toHaveLength(1);
    stored.clock.move(2 * hour);
    await stored.store.sweep();
    expect(temporary(stored)).toEqual([]);
  });

  it('START-4: are on disk before a write answers, and before they have their name', async () => {
    const stored = await openStore('sqlite');
    const { dataDir } = stored.place;
    await stored.store.write(Buffer.from('opens the folder'), plenty);
    const happened: string[] = [];
    replaceBuiltin(fileSystem, 'open', (open) => async (...parameters) => {
      const handle = await open(...parameters);
      const path = String(parameters[0]).slice(dataDir.length);
      const sync = handle.sync.bind(handle);
      handle.sync = async () => {
        await sync();
        happened.push(`synced ${path.replace(/tmp\/.*/, 'tmp/it')}`);
      };
      return handle;
    });
    replaceBuiltin(fileSystem, 'rename', (rename) => async (from, to) => {
      await rename(from, to);
      happened.push(`named ${String(to).slice(dataDir.length)}`);
    });

    const bytes = Buffer.from('kept before it is named');
    const home = `/files/${sha256(bytes).slice(0, 2)}`;
    await stored.store.write(bytes, plenty).then(() => happened.push('answered'));
    const inOrder = ['synced /files/tmp/it', `named ${home}/${sha256(bytes)}`, `synced ${home}`, 'answered'];
    expect(happened).toEqual(inOrder);

    happened.length = 0;
    await stored.store.write(bytes, plenty).then(() => happened.push('answered'));
    expect(happened).toEqual(inOrder);
  });

  it('FILE-1: are not removed between the look of a sweep and its hand by a write that comes in between', async () => {
    const stored = await openStore('sqlite');
    const { store, clock } = stored;
    const bytes = Buffer.from('comes again at the wrong moment');
    const content = await store.write(bytes, plenty);
    clock.move(2 * hour);
    const again: Promise<StoredContent>[] = [];
    replaceBuiltin(fileSystem, 'rm', (rm) => async (path, options) => {
      if (path === pathOf(stored, content)) {
        again.push(store.write(bytes, plenty));
        // As long as a write needs that nothing holds up.
        for (let turn = 0; turn < 200; turn += 1) await fileSystem.stat(stored.place.dataDir);
      }
      await rm(path, options);
    });
    await store.sweep();
    expect(await Promise.all(again)).toEqual([content]);
    expect(await bytesOf(store, content)).toEqual(bytes);
  });

  it('START-4: can be read by the owner of the folder alone, and can be changed by no one else', async () => {
    const stored = await openStore('sqlite');
    const content = await stored.store.write(Buffer.from('mine'), plenty);
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(mode(pathOf(stored, content))).toBe('600');
    for (const folder of ['files', 'files/tmp', `files/${content.hash.slice(0, 2)}`])
      expect(mode(join(stored.place.dataDir, folder))).toBe('700');
    expect(readFileSync(pathOf(stored, content), 'utf8')).toBe('mine');
  });

  it('START-4: that lost their end are whole again when they come again', async () => {
    const stored = await openStore('sqlite');
    const content = await stored.store.write(Buffer.from('whole'), plenty);
    truncateSync(pathOf(stored, content), 2);
    await stored.store.write(Buffer.from('whole'), plenty);
    expect((await bytesOf(stored.store, content)).toString()).toBe('whole');
  });
});
