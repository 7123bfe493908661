import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from './platform/time/clock.ts';
import { sqliteFile } from './platform/database/database.ts';
import { startApp, type TestApp } from './testing/app.ts';
import { startProcess } from './testing/child-process.ts';
import { environmentOf, runInside } from './testing/command-line.ts';
import { freshDatabase, type Place } from './testing/fresh-database.ts';
import { freePort } from './testing/free-port.ts';
import { movableClock, type MovableClock } from './testing/movable-clock.ts';
import { signIn } from './testing/signed-in.ts';
import { storeFiles } from './testing/stored-files.ts';
import { upload } from './testing/upload.ts';

const hour = 3_600_000;

/** The contents in a data folder, by hash. */
function contents({ dataDir }: Place): string[] {
  const files = join(dataDir, 'files');
  return readdirSync(files)
    .filter((home) => home !== 'tmp')
    .flatMap((home) => readdirSync(join(files, home)))
    .toSorted();
}

const portico = (place: Place, ...args: string[]) => runInside(args, environmentOf(place));

const warnings = (app: TestApp) =>
  app.log.filter(({ level, msg }) => level >= 40 && /kept|missing/.test(msg)).map(({ held }) => held);

describe('a start on an older database', () => {
  let place: Place;
  let clock: MovableClock;
  let older: string;

  /** Sweeps as the server does for more than an hour. */
  async function sweepOften(app: TestApp): Promise<void> {
    for (let turn = 0; turn < 4; turn += 1) {
      await app.sweep();
      clock.move(hour / 2);
    }
    await app.sweep();
  }

  beforeEach(async () => {
    place = await freshDatabase('sqlite');
    // The command line goes by the system's clock, so it comes later than all that is done here.
    clock = movableClock(systemClock.now() - 24 * hour);
    older = join((await freshDatabase('sqlite', 'nothing')).dataDir, 'older.sqlite');
    await storeFiles(place, { word: 'before', count: 40, clock });
    const app = await startApp({ on: place, clock });
    clock.move(600_000);
    await app.sweep();
    await app.stop();
    copyFileSync(sqliteFile(place.dataDir), older);
    clock.move(600_000);
  });

  const putBack = () => copyFileSync(older, sqliteFile(place.dataDir));

  it.each([1, 10])(
    'START-4: leaves %i files alone that were stored since, over sweeps and restarts',
    async (count) => {
      const since = (await storeFiles(place, { word: 'since', count, clock })).map(({ hash }) => hash);
      const all = contents(place);
      putBack();
      clock.move(600_000);
      for (let start = 0; start < 2; start += 1) {
        const app = await startApp({ on: place, clock });
        await signIn(app);
        await sweepOften(app);
        expect(contents(place)).toEqual(all);
        expect(warnings(app)).toEqual([count]);
        await app.stop();
      }
      expect(await portico(place, 'files', 'sweep')).toMatchObject({ code: 0, out: String(count) });
      expect(contents(place)).toEqual(all);
      // Only the operator's confirmation lets them be removed.
      const confirmed = await portico(place, 'files', 'sweep', '--confirm', '--json');
      expect(JSON.parse(confirmed.out)).toEqual({
        held: count,
        contents: all.length,
        confirmed: true,
      });
      const app = await startApp({ on: place, clock });
      await sweepOften(app);
      expect(contents(place)).toEqual(all.filter((hash) => !since.includes(hash)));
      expect(warnings(app)).toEqual([]);
      expect(await portico(place, 'files', 'sweep')).toMatchObject({ out: '0' });
      const actions = await app.database.read.selectFrom('audit').select('action').execute();
      expect(actions.map(({ action }) => action)).toContain('files.sweep');
    },
  );

  it('START-4: leaves files alone that came in the last hour before it', async () => {
    await storeFiles(place, { word: 'since', count: 3, clock });
    const all = contents(place);
    putBack();
    clock.move(60_000);
    const app = await startApp({ on: place, clock });
    await sweepOften(app);
    expect(contents(place)).toEqual(all);
  });

  it('START-4: leaves everything alone where most of it is of another database', async () => {
    rmSync(sqliteFile(place.dataDir));
    const all = contents(place);
    const app = await startApp({ on: place, clock });
    // Whatever the times are.
    await app.database.transaction((tx) =>
      tx
        .insertInto('setting')
        .values({ name: 'contents-agreed-at', value: String(clock.now()) })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: String(clock.now()) }))
        .execute(),
    );
    await sweepOften(app);
    expect(contents(place)).toEqual(all);
    expect(warnings(app)).toEqual([40]);
  });

  it('BUG-10: what was removed goes without a question, however much it is, also after a restart', async () => {
    const app = await startApp({ on: place, clock });
    await signIn(app);
    await app.database.change(({ tx }) => tx.deleteFrom('file').execute());
    await app.stop();
    clock.move(2 * hour);
    const next = await startApp({ on: place, clock });
    await next.sweep();
    expect(contents(place)).toEqual([]);
    expect(warnings(next)).toEqual([]);
    expect(await next.database.read.selectFrom('removed_content').selectAll().execute()).toEqual([]);
  });

  it('FILE-1: an upload that was broken off goes, also where the server was restarted in between', async () => {
    const app = await startApp({ on: place, clock });
    await app.sweep();
    clock.move(1_000);
    const [first] = await upload(app, await signIn(app), [{ filename: 'a.txt', bytes: 'a text' }]);
    // As if its row had never been written.
    await app.database.transaction(async (tx) => {
      await tx
        .deleteFrom('file')
        .where('id', '=', first?.id ?? '')
        .execute();
      await tx.deleteFrom('removed_content').execute();
    });
    clock.move(1_000);
    await app.stop();
    clock.move(2 * hour);
    const next = await startApp({ on: place, clock });
    await next.sweep();
    expect(contents(place)).toHaveLength(40);
    expect(warnings(next)).toEqual([]);
  });
});

describe('a database file that came without its log', () => {
  async function runningServer() {
    const place = await freshDatabase('sqlite');
    const port = String(await freePort());
    const server = startProcess('main.ts', [], { PORT: port, DATA_DIR: place.dataDir, NODE_ENV: 'test' });
    await server.line(/"ready"/);
    return { place, server };
  }
  const found = async (app: TestApp) =>
    (
      await app.database.read
        .selectFrom('audit')
        .select('action')
        .where('action', '=', 'database.log-missing')
        .execute()
    ).length;

  it('START-4: is found out at the start, in the log and in the audit', async () => {
    const { place } = await runningServer();
    const copy = await freshDatabase('sqlite', 'nothing');
    copyFileSync(sqliteFile(place.dataDir), sqliteFile(copy.dataDir));
    const app = await startApp({ on: copy });
    expect(app.log.filter(({ msg }) => /its log \(portico\.sqlite-wal\) is missing/.test(msg))).toHaveLength(
      1,
    );
    expect(await found(app)).toBe(1);
    await app.stop();
    const next = await startApp({ after: app });
    expect(next.log.filter(({ msg }) => /is missing/.test(msg))).toEqual([]);
    expect(await found(next)).toBe(1);
  });

  it.each([
    ['a kill', async () => {}],
    [
      'a kill, a command and a backup',
      async (place: Place) => {
        const to = join((await freshDatabase('sqlite', 'nothing')).dataDir, 'backup');
        expect((await portico(place, 'backup', '--to', to)).code).toBe(0);
        expect((await portico(place, 'files', 'sweep')).code).toBe(0);
        expect(existsSync(`${sqliteFile(place.dataDir)}-wal`)).toBe(false);
      },
    ],
  ])('START-4: is not seen in one that has all it needs after %s', async (_what, meanwhile) => {
    const { place, server } = await runningServer();
    await server.kill();
    await meanwhile(place);
    const app = await startApp({ on: place });
    expect(app.log.filter(({ msg }) => /is missing/.test(msg))).toEqual([]);
    expect(await found(app)).toBe(0);
  });
});
