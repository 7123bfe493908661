import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { migrations } from '../features.ts';
import { systemClock } from '../platform/time/clock.ts';
import { lockDataFolder } from '../platform/files/data-folder.ts';
import { openDatabase, type DatabaseLocation } from '../platform/database/database.ts';

// Another process on a database, for tests: what it does, then where (JSON), then a number. It answers by
// lines.
const [task = '', place = '', count = '1'] = process.argv.slice(2);
const location = JSON.parse(place) as DatabaseLocation;

const print = (line: string): void => void writeSync(1, `${line}\n`);
const nextLine = () => once(createInterface(process.stdin), 'line');

const tasks: Record<string, () => Promise<void>> = {
  /** Opens the database, which migrates it, and closes it. */
  async open() {
    print('opening');
    await (await openDatabase(location, systemClock, migrations)).close();
    print('opened');
  },

  /** So many changes, each published, and acknowledged by its revision once it is committed. */
  async write() {
    const database = await openDatabase(location, systemClock, migrations);
    print('ready');
    for (let written = 0; written < Number(count); written += 1) {
      const revision = await database.change(async (change) => {
        const name = `written-${change.revision}`;
        await change.tx
          .insertInto('setting')
          .values({ name, value: String(process.pid) })
          .execute();
        change.publish('flags');
        change.publish('person', name);
        return change.revision;
      });
      print(String(revision));
    }
    await database.close();
  },

  /** Holds a transaction open until a line arrives. */
  async 'hold-lock'() {
    const database = await openDatabase(location, systemClock, migrations);
    await database.change(async () => {
      print('holding');
      await nextLine();
    });
    await database.close();
    print('released');
  },

  /** Holds the data folder until a line arrives. */
  async 'hold-folder'() {
    if (location.engine !== 'sqlite') throw new Error('only a folder can be held');
    const folder = lockDataFolder(location.dataDir);
    print('holding');
    await nextLine();
    folder.release();
    print('released');
  },
};

await tasks[task]?.();
// An open standard input would prevent the end of the process.
process.stdin.destroy();
