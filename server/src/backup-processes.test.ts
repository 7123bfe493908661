import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { describe, expect, it } from 'vitest';
import { sqliteFile } from './platform/database/database.ts';
import { startApp } from './testing/app.ts';
import { startProcess, type Child } from './testing/child-process.ts';
import { callRoute } from './testing/client.ts';
import { freshDatabase, openDatabase } from './testing/fresh-database.ts';
import { pngFile } from './testing/png.ts';
import { readFiles, storeFiles, wordIn } from './testing/stored-files.ts';
import { startServerProcess } from './testing/server-process.ts';

const portico = (dataDir: string, ...args: string[]) => startProcess('cli.ts', args, { DATA_DIR: dataDir });

async function done(command: Child): Promise<string[]> {
  const code = await command.ended;
  expect([code, code === 0 ? [] : command.errors]).toEqual([0, []]);
  return command.lines;
}

function pictureOf(writer: number, index: number): Buffer {
  const pixels = Buffer.alloc(4 * 4 * 4);
  pixels.writeUInt32BE(writer, 0);
  pixels.writeUInt32BE(index, 4);
  return pngFile({ width: 4, height: 4, pixels });
}

type Acknowledged = { id: string; message: string; picture: Buffer | null };

describe('backup and restore by the command line', () => {
  it('RUN-4: restore everything that a running server had acknowledged before the backup began', async () => {
    const place = await freshDatabase('sqlite');
    const { url, server, caller } = await startServerProcess(place, ['REPORTS_READ']);

    const acknowledged: Acknowledged[] = [];
    const writing = new AbortController();
    const write = async (writer: number): Promise<void> => {
      for (let index = 0; !writing.signal.aborted; index += 1) {
        const message = `Report ${writer} ${index}`;
        const picture = index % 2 === 0 ? pictureOf(writer, index) : null;
        const attachments =
          picture === null
            ? []
            : [{ data: picture.toString('base64'), filename: 'a.png', contentType: 'image/png' }];
        const sent = await callRoute(url, saveFeedback, { body: { message, attachments } }, caller);
        acknowledged.push({ id: sent.body.id, message, picture });
      }
    };
    const writers = [0, 1, 2, 3].map(write);
    await expect.poll(() => acknowledged.length, { interval: 1 }).toBeGreaterThan(100);

    const before = [...acknowledged];
    const to = join((await freshDatabase('sqlite', 'nothing')).dataDir, 'backup');
    expect(await done(portico(place.dataDir, 'backup', '--to', to))).toEqual([to]);
    const afterwards = acknowledged.length;
    expect(afterwards).toBeGreaterThan(before.length);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(afterwards);
    writing.abort();
    await Promise.all(writers);
    await server.kill();

    expect(await done(portico(place.dataDir, 'backup', 'check', '--from', to))).toEqual(['whole']);
    const target = await freshDatabase('sqlite', 'nothing');
    await done(portico(target.dataDir, 'restore', '--from', to));
    const app = await startApp({ on: target });
    const rows = await app.database.read
      .selectFrom('report')
      .leftJoin('report_picture', 'report_picture.report_id', 'report.id')
      .select(['report.id', 'message', 'file_id'])
      .execute();
    const stored = new Map(rows.map((row) => [row.id, row]));
    expect(before.filter(({ id, message }) => stored.get(id)?.message !== message)).toEqual([]);
    expect(rows.length).toBeLessThan(acknowledged.length);
    // Of the reports that arrived during the backup, each picture is whole or missing.
    for (const { id, picture } of acknowledged) {
      const fileId = stored.get(id)?.file_id;
      if (picture === null || fileId == null) continue;
      const answer = await fetch(`${app.url}/v1/files/${fileId}`, {
        headers: { authorization: `Bearer ${caller.accessToken}` },
      });
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(picture);
    }
    const actions = await app.database.read.selectFrom('audit').select('action').execute();
    expect(actions.map(({ action }) => action)).toContain('backup.restore');
    expect(app.log.filter(({ level }) => level >= 40)).toEqual([]);
  });

  it('RUN-4, RUN-5: leave the old data or the new, each with all of its files, wherever a restore is killed', async () => {
    const [old, other] = [await freshDatabase('sqlite'), await freshDatabase('sqlite')];
    const files = {
      old: await storeFiles(old, { word: 'old', count: 60 }),
      new: await storeFiles(other, { word: 'new', count: 60 }),
    };
    const to = join((await freshDatabase('sqlite', 'nothing')).dataDir, 'backup');
    await done(portico(other.dataDir, 'backup', '--to', to));
    const fallback = join(to, '../of-old');
    await done(portico(old.dataDir, 'backup', '--to', fallback));

    const has = (pattern: RegExp) => readdirSync(old.dataDir).some((name) => pattern.test(name));
    const staged = (name: string) => existsSync(join(old.dataDir, 'restore.partial', name));
    const inode = () => statSync(sqliteFile(old.dataDir)).ino;
    const points: Record<string, (before: number) => boolean> = {
      'copying begins': () => staged('portico.sqlite'),
      'files are copied': () => staged('files'),
      'the database is settled': () => staged('portico.sqlite-wal'),
      'the old is put aside': () => has(/^replaced-.*partial$/),
      'the old stands aside': () => has(/^replaced-[^.]*$/),
      'the database is in its place': (before) => inode() !== before,
    };
    const found: string[] = [];
    for (const [point, reached] of Object.entries(points)) {
      const before = inode();
      const restore = portico(old.dataDir, 'restore', '--from', to, '--replace');
      const over = new AbortController();
      void restore.ended.then(() => over.abort());
      while (!over.signal.aborted && !reached(before)) await new Promise((turn) => setImmediate(turn));
      await restore.kill();

      // Until the new database has its place the old one is in force, however late the kill comes.
      const wordOfPlace = inode() === before ? 'old' : 'new';
      const database = await openDatabase(old.location);
      const word = await wordIn(database);
      expect([point, word]).toEqual([point, wordOfPlace]);
      const stored = files[wordOfPlace];
      const wanted = new Map(stored.map(({ id, bytes }) => [id, bytes]));
      expect([point, await readFiles(database, old.dataDir, stored)]).toEqual([point, wanted]);
      await database.close();
      found.push(wordOfPlace);
      // What was killed is no obstacle to what comes next.
      await done(portico(old.dataDir, 'restore', '--from', fallback, '--replace'));
    }
    expect(has(/partial$/)).toBe(false);
    expect(found.at(-1)).toBe('new');
  });
});
