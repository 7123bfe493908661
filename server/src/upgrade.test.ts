import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { makeBackupFile, withBackupFolder } from '#features/backup/server/backup-files.ts';
import { countRows } from '#features/backup/server/make-backup.ts';
import { readManifest } from '#features/backup/server/manifest.ts';
import { moveDatabase } from '#features/backup/server/move-database.ts';
import { restoreBackup } from '#features/backup/server/restore-backup.ts';
import { commandLineActor } from './cli/installation.ts';
import { migrations } from './features.ts';
import { sqliteFile } from './platform/database/database.ts';
import { createFileStore } from './platform/files/file-store.ts';
import { startApp } from './testing/app.ts';
import { openBrowser } from './testing/browser.ts';
import { dump } from './testing/dump.ts';
import { addError } from './testing/errors.ts';
import { afterThisTest, engines, freshDatabase, openDatabase, type Place } from './testing/fresh-database.ts';
import { movableClock } from './testing/movable-clock.ts';
import { createPersonalData } from './testing/personal-data.ts';
import { signIn } from './testing/signed-in.ts';

/** What each release has left: a backup of an installation with rows of every capability, on SQLite. */
const folder = join(import.meta.dirname, 'testing/releases');
const mostBytes = 200_000;
const operator = { email: 'operator@example.org', password: 'seven green lanterns' };
/** A fixed time, so that no clock of a machine is before it. */
const madeAt = Date.UTC(2026, 0, 15, 12);

const emptyFolder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'portico-release-'));
  afterThisTest(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

const releases = readdirSync(folder).map((name) => name.replace('.tar.gz', ''));

/** The data of a release as its server left it; on PostgreSQL with the tables that it had there. */
async function dataOf(release: string, place: Place) {
  const clock = movableClock(madeAt + 60_000);
  const archive = join(emptyFolder(), 'backup.tar');
  writeFileSync(archive, gunzipSync(readFileSync(join(folder, `${release}.tar.gz`))));
  const dataDir = place.engine === 'sqlite' ? place.dataDir : emptyFolder();
  const schema = await withBackupFolder(archive, null, async (from) => {
    const settle = () => Promise.resolve(null);
    const known = Object.keys(migrations);
    const now = clock.now;
    await restoreBackup({ from, dataDir, replace: false, known, now, settle, progress: () => {} });
    return (await readManifest(from)).schema;
  });
  const file = new DatabaseSync(sqliteFile(dataDir), { readOnly: true });
  const before = countRows(file);
  file.close();
  if (place.location.engine === 'postgres') {
    await moveDatabase({
      dataDir,
      url: place.location.url,
      to: 'postgres',
      clock,
      actor: commandLineActor(),
      migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= schema)),
      progress: () => {},
    });
  }
  return { before, clock };
}

describe.each(engines)('the data of a release, on %s', (engine) => {
  it.each(releases)(
    'RUN-11: of %s is brought up to date, and everything in it can be read',
    async (release) => {
      const place = await freshDatabase(engine, 'nothing');
      const { before, clock } = await dataOf(release, place);
      expect(Object.values(before).filter((rows) => rows > 0).length).toBeGreaterThan(40);

      const database = await openDatabase(place.location, clock);
      const rows = await dump(database);
      const store = createFileStore({ database, dataDir: place.dataDir, clock });
      for (const { hash, size } of await database.read.selectFrom('file').select(['hash', 'size']).execute())
        (await store.read({ hash, size })).destroy();
      await database.close();
      const fewer = Object.keys(rows).filter((table) => (rows[table]?.length ?? 0) < (before[table] ?? 0));
      // Contents that no file names any more are not moved.
      expect(fewer.filter((table) => table !== 'removed_content')).toEqual([]);

      const app = await startApp({ on: place, clock });
      const { problem } = await openBrowser(app.url, undefined, app.config.publicUrl).signIn(operator);
      expect(problem).toBeNull();
      expect(app.log.filter(({ level }) => level >= 50)).toEqual([]);
    },
  );
});

describe('a release', () => {
  it('RUN-11: leaves its data for those after it', () => {
    expect(releases).toContain(packageJson.version);
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name)).length).toBeLessThan(mostBytes);
  });

  // RELEASE_DATA=write npx vitest run server/src/upgrade.test.ts, before a release is tagged (CONTRIBUTING.md).
  it('RUN-11: packs its data, and writes it down where that is wanted', async () => {
    const clock = movableClock(madeAt);
    const app = await startApp({ engine: 'sqlite', clock });
    await signIn(app, { email: operator.email, roles: ['operator'] });
    await createPersonalData(app, await signIn(app, { email: 'grace@example.org', roles: ['operator'] }));
    await addError(app, { events: [{ at: madeAt, sample: { message: 'a sample' } }, { at: madeAt }] });
    await app.stop();
    const to = emptyFolder();
    const { name } = await makeBackupFile({
      dataDir: app.place.dataDir,
      objectStore: null,
      place: to,
      label: 'portico-release',
      passphrase: null,
      keep: 1,
      version: packageJson.version,
      now: clock.now,
      progress: () => {},
    });
    const packed = gzipSync(readFileSync(join(to, name)), { level: 9 });
    if (process.env['RELEASE_DATA'] === 'write')
      writeFileSync(join(folder, `${packageJson.version}.tar.gz`), packed);
    expect(packed.length).toBeLessThan(mostBytes);
  });
});
