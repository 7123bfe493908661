import { randomBytes } from 'node:crypto';
import { existsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { addFile, removeFile } from '#features/files/server/files.store.ts';
import {
  afterThisTest,
  engines,
  freshDatabase,
  openDatabase,
  type Engine,
} from '../../testing/fresh-database.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { startAsObjectStore, startObjectStore } from '../../testing/object-store-server.ts';
import { createObjectStore } from '../object-store/object-store.ts';
import { confirmSweep, type StoredContent } from './contents.ts';
import { nameOf, resetObjectContents, waitingContents, type Moved } from './contents-in-objects.ts';
import { createFileStore } from './file-store.ts';

const hour = 3_600_000;
const plenty = 100 * 1024 * 1024;
const on = () => true;

async function start(engine: Engine) {
  const place = await freshDatabase(engine);
  const clock = movableClock();
  const database = await openDatabase(place.location, clock);
  let server = await startObjectStore();
  afterThisTest(() => server.stop());
  const objects = createObjectStore(server.location);
  const parts = { database, dataDir: place.dataDir, clock };
  const open = (objectStore = server.location) => createFileStore({ ...parts, objectStore });
  const store = open();
  const remote = store.objects;
  if (remote === null) throw new Error('There is an object store.');

  return {
    database,
    clock,
    objects,
    store,
    location: server.location,
    /** The same place as another process has it. */
    open,
    /** Without the object store. */
    local: createFileStore(parts),
    remote,
    async pause() {
      const resume = await server.pause();
      return async () => void (server = await resume());
    },
    name: ({ hash, size }: StoredContent) =>
      database.change(({ tx, at }) =>
        addFile(tx, {
          hash,
          size,
          at,
          owner: null,
          filename: 'a',
          contentType: 'text/plain',
          width: null,
          height: null,
        }),
      ),
    remove: (id: string) => database.change(({ tx }) => removeFile(tx, id)),
    /** Where a folder has a content. */
    pathOf: (hash: string) => join(place.dataDir, 'files', hash.slice(0, 2), hash),
    async inStore(): Promise<string[]> {
      const names: string[] = [];
      for await (const { name } of objects.list()) names.push(name);
      return names;
    },
  };
}

type Started = Awaited<ReturnType<typeof start>>;

/** So many named contents, as an installation without an object store has them. */
async function writeLocally({ local, name }: Started, count: number) {
  const written: { content: StoredContent; bytes: Buffer; id: string }[] = [];
  for (let n = 0; n < count; n += 1) {
    const bytes = randomBytes(1_000 + n);
    const content = await local.write(bytes, plenty);
    written.push({ content, bytes, id: await name(content) });
  }
  return written.toSorted((one, other) => (one.content.hash < other.content.hash ? -1 : 1));
}

const readBy = ({ store }: Pick<Started, 'store'>, content: StoredContent) =>
  store.read(content).then(
    (stream) => buffer(stream),
    (error: Error) => error.message,
  );
const names = (contents: { content: StoredContent }[]) => contents.map(({ content }) => nameOf(content.hash));
const nothingMoved: Moved = { moved: 0, bytes: 0, faults: [] };

describe.each(engines)('contents in an object store, on %s', (engine) => {
  it('STORE-2: are stored there alone and given back, and altered ones are not taken for whole', async () => {
    const started = await start(engine);
    const { store, local, inStore, objects } = started;
    const bytes = randomBytes(300_000);
    const content = await store.write(Readable.from([bytes.subarray(0, 5), bytes.subarray(5)]), plenty);
    expect(await inStore()).toEqual([nameOf(content.hash)]);
    await expect(local.read(content)).rejects.toThrow('gone');
    expect(await readBy(started, content)).toEqual(bytes);

    await objects.put(
      nameOf(content.hash),
      Readable.from([Buffer.concat([bytes.subarray(1), Buffer.of(0)])]),
    );
    let received = 0;
    const reading = (async () => {
      for await (const part of await store.read(content)) received += (part as Buffer).length;
    })();
    await expect(reading).rejects.toMatchObject({ code: 'CHANGED' });
    expect(received).toBeLessThan(bytes.length);
    await objects.delete(nameOf(content.hash));
    expect(await readBy(started, content)).toMatch('gone');
  });

  it('STORE-3: that may come later wait here while the store is away, across processes, and are sent then', async () => {
    const started = await start(engine);
    const { store, remote, database, local, pause, name, inStore } = started;
    const resume = await pause();
    const bytes = randomBytes(70_000);
    await expect(store.write(randomBytes(9), plenty)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    const content = await store.write(bytes, plenty, { later: true });
    await name(content);
    expect(await readBy(started, content)).toEqual(bytes);
    await expect(remote.send(on)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect((await waitingContents(database.read)).count).toBe(1);

    await resume();
    expect(await started.open().objects?.send(on)).toEqual({ moved: 1, bytes: 70_000, faults: [] });
    expect(await waitingContents(database.read)).toEqual({ count: 0, since: null });
    expect(await inStore()).toContain(nameOf(content.hash));
    await expect(local.read(content)).rejects.toThrow('gone');
    expect(await readBy(started, content)).toEqual(bytes);
  });

  it('STORE-4: move to the store and back, stopped in between, and each is read at any time', async () => {
    const started = await start(engine);
    const { open, remote, inStore, local, database } = started;
    const written = await writeLocally(started, 7);
    const allRead = async () => {
      for (const { content, bytes } of written) expect(await readBy(started, content)).toEqual(bytes);
    };
    // The same bytes come again before they are moved.
    for (const { bytes } of written.slice(0, 1)) await started.store.write(bytes, plenty);
    await remote.move('store', ({ moved }) => moved < 3);
    expect(await inStore()).toEqual(names(written.slice(0, 3)));
    await allRead();
    expect(await open().objects?.move('store', on)).toMatchObject({ moved: 4, faults: [] });
    expect(await inStore()).toEqual(names(written));
    for (const { content } of written) await expect(local.read(content)).rejects.toThrow('gone');
    await allRead();
    expect(await remote.move('store', on)).toEqual(nothingMoved);

    await remote.move('local', ({ moved }) => moved < 2);
    expect(await inStore()).toEqual(names(written.slice(2)));
    await allRead();
    const since = await started.store.write(randomBytes(50), plenty);
    expect(await open().objects?.move('local', on)).toMatchObject({ moved: 5, faults: [] });
    expect(await inStore()).toEqual([]);
    expect(await database.read.selectFrom('object_content').selectAll().execute()).toEqual([]);
    for (const { content, bytes } of written) expect(await readBy({ store: local }, content)).toEqual(bytes);
    expect(await readBy({ store: local }, since)).toHaveLength(50);
  });

  it('STORE-4: leave what is altered or lost where it is, name it, and move all others', async () => {
    const started = await start(engine);
    const { remote, objects, inStore } = started;
    const written = await writeLocally(started, 4);
    const [altered, longer, lost, good] = written.map(({ content }) => content.hash) as [
      string,
      string,
      string,
      string,
    ];
    await remote.move('store', on);
    await objects.put(nameOf(altered), Readable.from([Buffer.from('another')]));
    await objects.put(nameOf(longer), Readable.from([randomBytes(200_000)]));
    await objects.delete(nameOf(lost));
    expect(await remote.move('local', on)).toMatchObject({
      moved: 1,
      faults: [
        `The content ${altered} has other bytes in the store than were written.`,
        `The content ${longer} has other bytes in the store than were written.`,
        `The content ${lost} is gone.`,
      ],
    });
    expect(await inStore()).toEqual([nameOf(altered), nameOf(longer)]);
    expect(good).not.toBe(altered);
  });

  it('STORE-5: go from the store an hour after nothing names them any more, and no others', async () => {
    const started = await start(engine);
    const { store, clock, inStore, name, remove, pause } = started;
    const [kept, gone, early] = [
      await store.write(randomBytes(5), plenty),
      await store.write(randomBytes(6), plenty),
      await store.write(randomBytes(7), plenty, { later: true }),
    ];
    await name(kept);
    const id = await name(gone);
    clock.move(2 * hour);
    await store.sweep();
    expect(await inStore()).toEqual([nameOf(kept.hash), nameOf(gone.hash)].toSorted());
    expect(await readBy(started, early)).toMatch('gone');

    await remove(id);
    const resume = await pause();
    await expect(store.sweep()).rejects.toMatchObject({ code: 'UNREACHABLE' });
    await resume();
    await store.sweep();
    expect(await inStore()).toEqual([nameOf(kept.hash)]);
  });

  it('STORE-5: that come again while they are being removed wait until that is over, and stay', async () => {
    const started = await start(engine);
    const { store, clock, remote, name, pause, inStore, database } = started;
    const bytes = randomBytes(9);
    const content = await store.write(bytes, plenty);
    clock.move(2 * hour);
    const resume = await pause();
    await store.sweep().catch(() => undefined);
    expect(await database.read.selectFrom('object_content').select('state').execute()).toEqual([
      { state: 'removing' },
    ]);
    await store.write(bytes, plenty);
    await name(content);
    await resume();
    expect(await remote.send(on)).toEqual(nothingMoved);
    await store.sweep();
    clock.move(121_000);
    expect(await remote.send(on)).toMatchObject({ moved: 1, faults: [] });
    expect(await inStore()).toEqual([nameOf(content.hash)]);
    expect(await readBy(started, content)).toEqual(bytes);
  });

  it('STORE-5: that the database does not know are held until that is confirmed', async () => {
    const { store, objects, database, clock, inStore } = await start(engine);
    const stray = nameOf('ab'.repeat(32));
    await objects.put(stray, Readable.from([Buffer.from('of a later state')]));
    await objects.put(nameOf('notes.txt'), Readable.from([Buffer.from('of someone else')]));
    clock.move(2 * hour);
    expect(await store.count()).toEqual({ held: 1, contents: 0 });
    expect(await store.sweep()).toEqual({ held: 1, contents: 0 });
    expect(await inStore()).toHaveLength(2);
    await confirmSweep(database, Date.now() + hour);
    expect(await store.sweep()).toMatchObject({ held: 0 });
    expect(await inStore()).toEqual([nameOf('notes.txt')]);
  });

  it('STORE-6: of a restored database wait for the store, whatever was there', async () => {
    const started = await start(engine);
    const { database, remote, inStore } = started;
    const written = await writeLocally(started, 2);
    await database.transaction((tx) => resetObjectContents(tx, null));
    expect((await waitingContents(database.read)).count).toBe(0);
    await database.transaction((tx) => resetObjectContents(tx, 0));
    expect(await remote.send(on)).toMatchObject({ moved: 2 });
    expect(await inStore()).toEqual(names(written));
  });
});

describe('contents of a folder', () => {
  it('STORE-4: stay there where the store has other bytes than it was sent', async () => {
    const started = await start('sqlite');
    const [one] = await writeLocally(started, 1);
    const { endpoint } = started.location;
    const altering = await startAsObjectStore((incoming, answer) => {
      void buffer(incoming).then(async (body) => {
        if (incoming.method === 'PUT') body.writeUInt8(body.readUInt8(0) ^ 1, 0);
        const headers = { ...(incoming.headers as Record<string, string>), host: new URL(endpoint).host };
        const parts = { method: incoming.method ?? '', headers };
        const response = await fetch(endpoint + incoming.url, body.length > 0 ? { ...parts, body } : parts);
        const bytes = Buffer.from(await response.arrayBuffer());
        answer.writeHead(response.status, Object.fromEntries(response.headers)).end(bytes);
      });
    });
    afterThisTest(altering.stop);
    const { objects } = started.open(altering.location);
    await expect(objects?.move('store', on)).rejects.toMatchObject({ code: 'CHANGED' });
    expect(existsSync(started.pathOf(one?.content.hash ?? ''))).toBe(true);
  });

  it('STORE-4: that are cut off or altered stay there, and are named', async () => {
    const started = await start('sqlite');
    const { remote, pathOf, inStore } = started;
    const [cut, altered, good] = (await writeLocally(started, 3)).map(({ content }) => content) as [
      StoredContent,
      StoredContent,
      StoredContent,
    ];
    truncateSync(pathOf(cut.hash), 5);
    writeFileSync(pathOf(altered.hash), randomBytes(altered.size));
    expect(await remote.move('store', on)).toMatchObject({
      moved: 1,
      faults: [
        `The content ${cut.hash} has 5 bytes, not ${cut.size}.`,
        `The content ${altered.hash} has other bytes than were written.`,
      ],
    });
    expect(await inStore()).toEqual([nameOf(good.hash)]);
    expect([cut, altered, good].map(({ hash }) => existsSync(pathOf(hash)))).toEqual([true, true, false]);
  });
});
