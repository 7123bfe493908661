import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { systemClock } from '../platform/clock.ts';
import { holdDataFolder } from '../platform/data-folder.ts';
import { openDatabase, type DatabaseLocation } from '../platform/database.ts';

// Another process on a database, for tests: what it does, then where (JSON), then a number. It answers by lines.
const [task = '', place = '', count = '1'] = process.argv.slice(2);
const location = JSON.parse(place) as DatabaseLocation;

const say = (line: string): void => void writeSync(1, `${line}\n`);
const nextLine = () => once(createInterface(process.stdin), 'line');

const tasks: Record<string, () => Promise<void>> = {
  /** Opens the database, which migrates it, and closes it. */
  async open() {
    say('opening');
    await (await openDatabase(location, systemClock)).close();
    say('opened');
  },

  /** So many changes, each told and acknowledged by its revision once it is committed. */
  async write() {
    const database = await openDatabase(location, systemClock);
    say('ready');
    for (let written = 0; written < Number(count); written += 1) {
      const revision = await database.change(async (change) => {
        const name = `written-${change.revision}`;
        await change.tx
          .insertInto('setting')
          .values({ name, value: String(process.pid) })
          .execute();
        change.tell('flags');
        change.tell('person', name);
        return change.revision;
      });
      say(String(revision));
    }
    await database.close();
  },

  /** Keeps a transaction open until it is told to end it. */
  async 'hold-lock'() {
    const database = await openDatabase(location, systemClock);
    await database.change(async () => {
      say('holding');
      await nextLine();
    });
    await database.close();
    say('released');
  },

  /** Holds the data folder until it is told to let it go. */
  async 'hold-folder'() {
    if (location.engine !== 'sqlite') throw new Error('only a folder can be held');
    const folder = holdDataFolder(location.dataDir);
    say('holding');
    await nextLine();
    folder.release();
    say('released');
  },
};

await tasks[task]?.();
// Standard input would keep it alive.
process.stdin.destroy();
