import { readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { startProcess } from '../../testing/child-process.ts';
import { freshDatabase, openDatabase } from '../../testing/fresh-database.ts';
import { sqliteFile } from '../database/database.ts';
import { beginUse } from '../database/sqlite-snapshot.ts';
import { lockDataFolder } from './data-folder.ts';

const inUse = (path: string) =>
  `Another Portico server is running on the data folder ${path}. Stop it first, or set DATA_DIR`;

describe('the data folder', () => {
  it('START-4: is made for its owner only', async () => {
    const { dataDir } = await freshDatabase('sqlite', 'nothing');
    const path = join(dataDir, 'new/data');
    const { release } = lockDataFolder(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    // A full disk has no room for anything else.
    expect(readdirSync(path)).toEqual(['server.lock']);
    release();
  });

  it('START-4: refuses a second server and prints what to do, until the first has stopped', async () => {
    const app = await startApp({ engine: 'sqlite' });
    await expect(startApp({ on: app.place })).rejects.toThrow(inUse(app.place.dataDir));
    // The refused one has disturbed nothing.
    await app.database.change(() => Promise.resolve());
    await app.stop();
    await startApp({ on: app.place });
  });

  it('START-4: is free again after a kill -9 of the server that held it', async () => {
    const place = await freshDatabase('sqlite');
    const other = startProcess('testing/database-process.ts', [
      'hold-folder',
      JSON.stringify(place.location),
    ]);
    await other.line('holding');
    expect(() => lockDataFolder(place.dataDir)).toThrow(inUse(place.dataDir));
    await other.kill();
    lockDataFolder(place.dataDir).release();
  });

  it('START-4: is not written to by a start after a kill, for which a full disk has no room', async () => {
    const file = sqliteFile((await freshDatabase('sqlite')).dataDir);
    beginUse(file, false);
    const reading = new DatabaseSync(file);
    const version = () => reading.prepare('pragma data_version').get();
    const before = version();
    expect(beginUse(file, true)).toEqual({ logIsMissing: false });
    expect(version()).toEqual(before);
    reading.close();
  });

  it('START-4: that cannot be made ends the start in one line, wherever it is', async () => {
    const { dataDir } = await freshDatabase('sqlite', 'nothing');
    writeFileSync(join(dataDir, 'file'), '');
    symlinkSync(join(dataDir, 'nowhere/at/all'), join(dataDir, 'link'));
    writeFileSync(join(dataDir, 'with-nul'), `${dataDir}/a\0b`);
    const refusal = /^DATA_DIR holds ".+"; expected a folder that can be made and written to \(.+\)\.$/;
    for (const path of [
      join(dataDir, 'file/data'),
      join(dataDir, 'file'),
      join(dataDir, 'link'),
      join(dataDir, 'link/data'),
      join(dataDir, 'x'.repeat(300)),
      `${dataDir}/a\0b`,
      '/proc/portico/data',
    ])
      expect(() => lockDataFolder(path)).toThrow(refusal);

    const server = startProcess('main.ts', [], { DATA_DIR: '/proc/portico/data' });
    const command = startProcess('cli.ts', ['operator', 'create', '--email', 'ada@example.org'], {
      DATA_DIR_FILE: join(dataDir, 'with-nul'),
    });
    expect(await server.ended).toBe(1);
    await expect
      .poll(() => server.errors)
      .toEqual([expect.stringMatching(/^Portico cannot start: DATA_DIR holds/)]);
    expect(await command.ended).toBe(1);
    await expect.poll(() => command.errors).toEqual([expect.stringMatching(refusal)]);
  });

  it('START-4: lets the command line work while a server runs', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const commandLine = await openDatabase(app.place.location);
    await commandLine.transaction((tx) =>
      tx.insertInto('setting').values({ name: 'command line', value: 'yes' }).execute(),
    );
    await commandLine.close();
    const { value } = await app.database.read
      .selectFrom('setting')
      .select('value')
      .where('name', '=', 'command line')
      .executeTakeFirstOrThrow();
    expect(value).toBe('yes');
  });

  it('START-4: holds one database file once the server has stopped, and no log', async () => {
    const app = await startApp({ engine: 'sqlite' });
    await app.stop();
    expect(readdirSync(app.place.dataDir).filter((name) => name.startsWith('portico.sqlite'))).toEqual([
      'portico.sqlite',
    ]);
  });
});
