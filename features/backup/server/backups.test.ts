import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  getBackups,
  setBackups,
  startBackup,
  verifyStoredBackup,
} from '#features/backup/contract/backups.ts';
import { getOverview } from '#features/overview/contract/overview.ts';
import { readyz } from '#features/health/contract/health.ts';
import { lockFolder } from '#server/platform/files/data-folder.ts';
import { startObjectStore } from '#server/testing/object-store-server.ts';
import { freePort } from '#server/testing/free-port.ts';
import { migrations } from '#server/features.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { startProcess } from '#server/testing/child-process.ts';
import { callRoute } from '#server/testing/client.ts';
import { afterThisTest, freshDatabase, openDatabase } from '#server/testing/fresh-database.ts';
import { movableClock, type MovableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';
import { storeFiles } from '#server/testing/stored-files.ts';
import { describe, expect, it } from 'vitest';
import { makeBackupFile } from './backup-files.ts';
import { contentPath } from './manifest.ts';
import { slotsAround } from './schedule.ts';
import { verifyBackup } from './verify-backup.ts';

const passphrase = 'a long enough passphrase';
const hour = 3_600_000;
const noneFixed = { folder: null, time: null, zone: null, keep: null, verifyWeekly: null, passphrase: null };
const known = Object.keys(migrations);
const nothing = (): Promise<null> => Promise.resolve(null);

async function emptyFolder(): Promise<string> {
  const { dataDir } = await freshDatabase('sqlite', 'nothing');
  mkdirSync(dataDir, { recursive: true });
  return dataDir;
}

/** A data folder with three files, and one backup of it as a file. */
async function backedUp(secret: string | null = null, version = '0.0.0') {
  const { dataDir, location } = await freshDatabase('sqlite');
  await storeFiles({ dataDir, location }, { word: 'one', count: 3 });
  const folder = await emptyFolder();
  let at = Date.parse('2026-11-28T03:00:00Z');
  const make = (keep = 5) =>
    makeBackupFile({
      dataDir,
      objectStore: null,
      place: folder,
      keep,
      version,
      label: 'portico-x',
      passphrase: secret,
      now: () => (at += 1_000),
      progress: () => {},
    });
  const { name } = await make();
  return { folder, dataDir, make, name, path: join(folder, name) };
}

/** What verifying says: lines, or the message of the failure. */
const said = (path: string, secret: string | null = null, all = known): Promise<string> =>
  verifyBackup({ path, passphrase: secret, known: all, settle: nothing, progress: () => {} }).then(
    ({ faults }) => faults.join('\n'),
    (error: Error) => error.message,
  );

function alter(path: string, change: (bytes: Buffer) => Buffer): string {
  const altered = `${path}.altered`;
  writeFileSync(altered, change(readFileSync(path)));
  return altered;
}

const flipped = (at: number) => (bytes: Buffer) => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};

describe('a backup in one file', () => {
  it.each([null, passphrase])('RUN-7: is restored and compared, with the passphrase %s', async (secret) => {
    const { path, folder } = await backedUp(secret);
    expect(await said(path, secret)).toBe('');
    expect(readFileSync(path).includes('SQLite format 3')).toBe(secret === null);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('RUN-7: is refused where it is cut anywhere or altered anywhere, encrypted or not', async () => {
    for (const secret of [null, passphrase]) {
      const { path } = await backedUp(secret);
      const { length } = readFileSync(path);
      // An encrypted backup only in its head and its first, second and last frame: each try derives a key from the
      // passphrase.
      const places = [0, 7, 9, 40, 60, 70_000, length - 20];
      if (secret === null) places.push(600, Math.floor(length / 2), length - 1_500);
      for (const at of places) {
        expect([
          secret,
          'cut',
          at,
          await said(
            alter(path, (bytes) => bytes.subarray(0, at)),
            secret,
          ),
        ]).toEqual([secret, 'cut', at, expect.stringMatching(/cut off|is no backup|passphrase/)]);
      }
      // Without a passphrase the words of the manifest, its padding and the end of the archive prove nothing.
      for (const at of secret === null ? [0, 100, 516, 70_000] : places)
        expect([secret, at, await said(alter(path, flipped(at)), secret)]).toEqual([
          secret,
          at,
          expect.stringMatching(/altered|is no backup|damaged|other bytes|passphrase/),
        ]);
      // Two swapped frames of an encrypted backup, and a frame that is there twice.
      const frame = 65_552;
      const swapped = (bytes: Buffer) =>
        Buffer.concat([
          bytes.subarray(0, 50),
          bytes.subarray(50 + frame, 50 + 2 * frame),
          bytes.subarray(50, 50 + frame),
          bytes.subarray(50 + 2 * frame),
        ]);
      expect(await said(alter(path, swapped), secret)).not.toBe('');
    }
  });

  it('RUN-7: is refused with another passphrase or none, and where it is of another product', async () => {
    const { path, folder } = await backedUp(passphrase);
    expect(await said(path, 'another passphrase')).toContain('another passphrase than BACKUP_PASSPHRASE');
    expect(await said(path)).toContain('Set BACKUP_PASSPHRASE');
    const zip = join(folder, 'other.zip');
    writeFileSync(zip, Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(5_000, 7)]));
    expect(await said(zip)).toContain('is no backup of Portico');
    writeFileSync(zip, '');
    expect(await said(zip)).toContain('is no backup of Portico');
    expect(await said(join(folder, 'nothing'))).toContain('There is no folder');
  });

  it('RUN-7: is refused where a newer Portico has made it', async () => {
    const { path } = await backedUp(null, '9.0.0');
    expect(await said(path, null, known.slice(0, -1))).toContain('was made by a newer Portico (9.0.0');
  });

  it('RUN-7: puts nothing outside its folder, whatever an archive names', async () => {
    const { path } = await backedUp();
    const renamed = (bytes: Buffer) => {
      const copy = Buffer.from(bytes);
      copy.fill(0, 0, 100).write('../../outside');
      let sum = 0;
      copy
        .fill(' ', 148, 156)
        .subarray(0, 512)
        .forEach((byte) => (sum += byte));
      copy.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
      return copy;
    };
    expect(await said(alter(path, renamed))).toContain('holds other files');
  });

  it('RUN-7: says which table has lost rows', async () => {
    const { path } = await backedUp();
    const more = (bytes: Buffer) =>
      Buffer.from(bytes.toString('latin1').replace('"setting": ', '"setting": 1'), 'latin1');
    // One digit more in the manifest, which is padded: one byte less of padding, one more in its size.
    const grown = (bytes: Buffer) => {
      const size = Number.parseInt(bytes.toString('latin1', 124, 135), 8);
      const content = more(bytes.subarray(512, 512 + size));
      const header = Buffer.from(bytes.subarray(0, 512));
      header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
      let sum = 0;
      header.fill(' ', 148, 156).forEach((byte) => (sum += byte));
      header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
      const padded = Buffer.alloc(Math.ceil(content.length / 512) * 512);
      content.copy(padded);
      return Buffer.concat([header, padded, bytes.subarray(512 + Math.ceil(size / 512) * 512)]);
    };
    expect(await said(alter(path, grown))).toMatch(/^Table setting has \d+ rows instead of 1\d+\.$/);
  });

  it('RUN-7: keeps the latest, and removes older ones and what was interrupted only after a new good one', async () => {
    const { folder, dataDir, make, name } = await backedUp();
    writeFileSync(join(folder, 'portico-y_2020-01-01T00-00-00-000Z.tar'), 'of another installation');
    writeFileSync(join(folder, 'portico-x_2020-01-01T00-00-00-000Z.tar.partial'), 'half');
    mkdirSync(join(folder, 'portico-x_2020-01-01T00-00-00-000Z.making'));
    // A folder of that name cannot be removed as a file, as little as an object that its store has locked.
    mkdirSync(join(folder, 'portico-x_2020-01-01T00-00-00-000Z.tar'));
    const second = await make(2);
    const third = await make(2);
    expect(third.kept).toBe(1);
    expect(readdirSync(folder).toSorted()).toEqual(
      [
        second.name,
        third.name,
        'portico-x_2020-01-01T00-00-00-000Z.tar',
        'portico-y_2020-01-01T00-00-00-000Z.tar',
      ].toSorted(),
    );
    expect(existsSync(join(folder, name))).toBe(false);
    rmSync(join(dataDir, 'portico.sqlite'));
    await expect(make(1)).rejects.toThrow('There is no data of Portico');
    expect(readdirSync(folder)).toHaveLength(4);
  });
});

describe('times of a day', () => {
  it.each([
    ['2026-11-28T10:00:00Z', '03:00', 'UTC', '2026-11-28T03:00:00Z', '2026-11-29T03:00:00Z'],
    ['2026-11-28T01:00:00Z', '03:00', 'Europe/Berlin', '2026-11-27T02:00:00Z', '2026-11-28T02:00:00Z'],
    ['2026-11-28T14:00:00Z', '00:30', 'Pacific/Auckland', '2026-11-28T11:30:00Z', '2026-11-29T11:30:00Z'],
    // The night in which 02:30 is skipped, and the one in which it is there twice.
    ['2026-03-29T12:00:00Z', '02:30', 'Europe/Berlin', '2026-03-29T01:30:00Z', '2026-03-30T00:30:00Z'],
    ['2026-10-25T12:00:00Z', '02:30', 'Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-26T01:30:00Z'],
  ])('RUN-7: at %s, %s in %s was at %s and is at %s', (now, time, zone, last, next) => {
    const at = slotsAround({ time, zone }, Date.parse(now));
    expect([at.last, at.next].map((each) => new Date(each).toISOString())).toEqual(
      [last, next].map((each) => new Date(each).toISOString()),
    );
  });
});

async function start(
  backup: Partial<TestApp['config']['backup']> = {},
  backupStore: TestApp['config']['backupStore'] = null,
  engine: 'sqlite' | 'postgres' = 'sqlite',
) {
  const clock = movableClock(Date.parse('2026-11-28T10:00:00Z'));
  const app = await startApp({
    engine,
    clock,
    config: { backup: { ...noneFixed, ...backup }, backupStore },
  });
  return { app, clock, operator: await lasting(app, clock) };
}

/** Calls of an operator whose session the clock of the test does not end. */
async function lasting(app: TestApp, clock: MovableClock) {
  const accessToken = await addToken(app, { rights: ['SETTINGS_WRITE'], lifetimeMs: 90 * 24 * hour, clock });
  return { call: ((route, call) => app.call(route, call, { accessToken })) as SignedIn['call'] };
}

type Operator = Pick<SignedIn, 'call'>;
const read = async (operator: Operator) => (await operator.call(getBackups, {})).body;
const settled = (operator: Operator, count: number) =>
  expect
    .poll(async () => (await read(operator)).runs.map(({ state }) => state))
    .toEqual(Array.from({ length: count }, () => expect.stringMatching(/done|failed/)));
const attention = async (operator: Operator) =>
  (await operator.call(getOverview, {})).body.attention
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith('backup'));

describe('backups by themselves', () => {
  it('RUN-7: are made at their time, caught up after it was missed, tried again an hour after one failed, and missed after 26 hours', async () => {
    const { app, clock, operator } = await start();
    const folder = await emptyFolder();
    const { settings, version } = await read(operator);
    const body = { ...settings, folder, time: '12:00', keep: 2, version };
    expect((await operator.call(setBackups, { body })).body.nextAt).toBe(Date.parse('2026-11-28T12:00:00Z'));
    await app.sweep();
    expect((await read(operator)).runs).toEqual([]);

    clock.move(2 * hour);
    await app.sweep();
    await settled(operator, 1);
    await app.sweep();
    expect((await read(operator)).runs).toMatchObject([{ state: 'done', trigger: 'schedule' }]);

    // The folder is gone for a day: tried each hour, missed after 26.
    rmSync(folder, { recursive: true });
    clock.move(24 * hour);
    await app.sweep();
    await settled(operator, 2);
    await app.sweep();
    expect((await read(operator)).runs[0]).toMatchObject({ state: 'failed', reason: 'folder' });
    expect(await attention(operator)).toEqual([]);
    clock.move(3 * hour);
    expect([(await read(operator)).old, await attention(operator)]).toEqual([true, ['backup']]);
    mkdirSync(folder);
    await app.sweep();
    await settled(operator, 3);
    expect([(await read(operator)).runs[0]?.state, await attention(operator)]).toEqual(['done', []]);
  });

  it('RUN-7: are made by a press, one at a time, under the passphrase of the environment, and verified each week', async () => {
    const folder = await emptyFolder();
    const { app, clock, operator } = await start({ folder, passphrase, verifyWeekly: true });
    const [first, second] = await Promise.all([1, 2].map(() => operator.call(startBackup, {})));
    expect([first?.status, second?.status].toSorted((one = 0, other = 0) => one - other)).toEqual([200, 409]);
    await settled(operator, 1);
    const actions = await app.database.read.selectFrom('audit').select('action').execute();
    expect(actions.filter(({ action }) => action === 'backup.start')).toHaveLength(1);
    const { runs, encrypted, fixed } = await read(operator);
    expect([encrypted, fixed, runs[0]?.name]).toEqual([
      true,
      ['folder', 'verifyWeekly'],
      expect.stringMatching(/\.tar\.encrypted$/),
    ]);
    expect(readdirSync(folder)).toEqual([runs[0]?.name]);
    await app.sweep();
    await expect.poll(async () => (await read(operator)).runs[0]?.verifiedAt).toBe(clock.now());
    expect((await read(operator)).runs[0]).toMatchObject({ state: 'done', faults: [] });

    const path = join(folder, runs[0]?.name ?? '');
    copyFileSync(alter(path, flipped(5_000)), path);
    const params = { runId: runs[0]?.id ?? '' };
    expect((await operator.call(verifyStoredBackup, { params })).status).toBe(200);
    await expect.poll(async () => (await read(operator)).runs[0]?.faults).toHaveLength(1);
    expect(await attention(operator)).toEqual(['backup-differs']);
    const byCommand = (of: string[], dataDir = app.config.dataDir) =>
      startProcess('cli.ts', ['backup', 'verify', ...of], {
        DATA_DIR: dataDir,
        PUBLIC_URL: app.config.publicUrl,
        ALLOW_INSECURE_PUBLIC_URL: 'true',
        BACKUP_FOLDER: folder,
        BACKUP_PASSPHRASE: passphrase,
      });
    const differing = byCommand(['latest']);
    expect([await differing.ended, differing.errors.join()]).toEqual([1, expect.stringContaining('altered')]);
    const damaged = await emptyFolder();
    writeFileSync(join(damaged, 'portico.sqlite'), 'no database'.repeat(1_000));
    const unrecorded = byCommand([path], damaged);
    expect([await unrecorded.ended, unrecorded.errors.join()]).toEqual([
      1,
      expect.stringMatching(/altered.*Not recorded/),
    ]);
    await operator.call(startBackup, {});
    await settled(operator, 2);
    const good = byCommand([]);
    expect([await good.ended, good.lines]).toEqual([0, ['verified']]);
    expect((await read(operator)).runs[0]).toMatchObject({ verifiedAt: expect.any(Number), faults: [] });
    expect(await attention(operator)).toEqual([]);
    // What its passphrase does not open cannot be restored.
    const [latest] = (await read(operator)).runs;
    const file = join(folder, latest?.name ?? '');
    copyFileSync(alter(file, flipped(40)), file);
    await operator.call(verifyStoredBackup, { params: { runId: latest?.id ?? '' } });
    const closed = expect.stringContaining('another passphrase');
    await expect.poll(async () => (await read(operator)).runs[0]?.faults).toEqual([closed]);
    expect(JSON.stringify([app.log, await read(operator)])).not.toContain(passphrase);
    const settings = await app.database.read.selectFrom('backup_settings').selectAll().execute();
    expect(JSON.stringify(settings)).not.toContain(passphrase);
  });

  it('RUN-7: go to an object store of the environment, are verified and restored from there, and fail while it is away', async () => {
    const store = await startObjectStore();
    const { bucket, prefix, endpoint, accessKey, secretKey } = store.location;
    const folder = `s3://${bucket}/${prefix}?endpoint=${endpoint}`;
    const { app, clock, operator } = await start({ folder, passphrase, keep: 1 }, store.location);
    for (const made of [1, 2]) {
      clock.move(1_000);
      await operator.call(startBackup, {});
      await settled(operator, made);
    }
    const [latest, first] = (await read(operator)).runs;
    expect([latest, first]).toMatchObject([
      { state: 'done', name: expect.stringMatching(/\.tar\.encrypted$/) },
      { state: 'done', name: null },
    ]);
    const params = { runId: latest?.id ?? '' };
    await operator.call(verifyStoredBackup, { params });
    await expect.poll(async () => (await read(operator)).runs[0]?.verifiedAt).toEqual(expect.any(Number));
    expect((await read(operator)).runs[0]?.faults).toEqual([]);

    const dataDir = await emptyFolder();
    const restored = startProcess('cli.ts', ['restore', '--from', 'latest'], {
      DATA_DIR: dataDir,
      PUBLIC_URL: app.config.publicUrl,
      ALLOW_INSECURE_PUBLIC_URL: 'true',
      BACKUP_FOLDER: folder,
      BACKUP_PASSPHRASE: passphrase,
      S3_ACCESS_KEY_ID: accessKey,
      S3_SECRET_ACCESS_KEY: secretKey,
    });
    expect([await restored.ended, restored.lines]).toEqual([0, [dataDir]]);

    await store.stop();
    clock.move(1_000);
    await operator.call(startBackup, {});
    await settled(operator, 3);
    const [failed] = (await read(operator)).runs;
    expect(failed).toMatchObject({ state: 'failed', reason: 'folder' });
    await operator.call(verifyStoredBackup, { params });
    const verified = async () => (await read(operator)).runs.find(({ id }) => id === latest?.id);
    await expect.poll(verified).toMatchObject({ state: 'done', reason: 'folder', faults: [] });
    expect(await attention(operator)).not.toContain('backup-differs');
    expect(JSON.stringify([failed, app.log])).not.toContain(secretKey);
  });

  it('RUN-7: on PostgreSQL hold what was there at one moment, files too, and are verified and restored', async () => {
    const folder = await emptyFolder();
    const { app, clock, operator } = await start({ folder }, null, 'postgres');
    const { database, config } = app;
    const [file] = await storeFiles(
      { location: database.location, dataDir: config.dataDir },
      { word: 'one', count: 3 },
    );
    // As a process that was killed has left it.
    const copy = join(config.dataDir, 'copy-for-backup');
    mkdirSync(copy, { recursive: true });
    writeFileSync(join(copy, 'portico.sqlite'), 'half');
    const command = lockFolder(copy);
    await operator.call(startBackup, {});
    await settled(operator, 1);
    expect([(await read(operator)).runs[0]?.state, existsSync(join(copy, 'portico.sqlite'))]).toEqual([
      'failed',
      true,
    ]);
    command?.release();
    clock.move(1_000);
    const over = new AbortController();
    const writing = (async () => {
      for (let n = 0; !over.signal.aborted; n += 1)
        await database.transaction(async (tx) => {
          const name = `pair-${n}`;
          await tx.insertInto('setting').values({ name, value: 'one' }).execute();
          await tx
            .insertInto('setting')
            .values({ name: `${name}-too`, value: 'other' })
            .execute();
        });
    })();
    await operator.call(startBackup, {});
    await settled(operator, 2);
    over.abort();
    await writing;
    const [made] = (await read(operator)).runs;
    expect([made, existsSync(copy)]).toMatchObject([{ state: 'done', files: 3 }, false]);
    await operator.call(verifyStoredBackup, { params: { runId: made?.id ?? '' } });
    await expect.poll(async () => (await read(operator)).runs[0]?.verifiedAt).toEqual(expect.any(Number));
    expect((await read(operator)).runs[0]?.faults).toEqual([]);

    const dataDir = await emptyFolder();
    const environment = {
      DATA_DIR: dataDir,
      PUBLIC_URL: config.publicUrl,
      ALLOW_INSECURE_PUBLIC_URL: 'true',
    };
    const from = join(folder, made?.name ?? '');
    const restored = startProcess('cli.ts', ['restore', '--from', from], environment);
    expect([await restored.ended, restored.errors.join()]).toEqual([0, expect.stringContaining('3 files')]);
    const found = await openDatabase({ engine: 'sqlite', dataDir });
    const rows = await found.read
      .selectFrom('setting')
      .select('name')
      .where('name', 'like', 'pair-%')
      .execute();
    const names = rows.map(({ name }) => name);
    const first = names.filter((name) => !name.endsWith('-too'));
    expect(names.toSorted()).toEqual([...first, ...first.map((name) => `${name}-too`)].toSorted());
    expect(existsSync(contentPath(dataDir, file?.hash ?? ''))).toBe(true);
  });

  it('RUN-7: take no folder that is missing, cannot be written to or lies in the data, and leave what is fixed', async () => {
    const fixed = await start({ keep: 3 });
    const { settings, version } = await read(fixed.operator);
    const set = (change: object) =>
      fixed.operator.call(setBackups, { body: { ...settings, version, ...change } });
    const { dataDir } = fixed.app.config;
    for (const folder of ['/nowhere/at/all', dataDir, join(dataDir, 'files')])
      expect([folder, (await set({ folder })).problem?.errors]).toEqual([
        folder,
        [expect.objectContaining({ pointer: '/folder', code: 'folder' })],
      ]);
    expect((await set({ folder: '/proc' })).problem?.errors?.[0]?.code).toBe('denied');
    for (const bad of [{ folder: 'relative' }, { time: '24:00' }, { zone: 'Nowhere/Town' }, { keep: 0 }])
      expect((await set(bad)).status).toBe(422);
    expect((await set({ keep: 9, time: '05:00' })).body.settings).toMatchObject({ keep: 3, time: '05:00' });
    expect((await set({})).status).toBe(409);
  });

  it('RUN-7: on a full disk fail, leave the good ones and nothing half, and work again when there is room', async ({
    skip,
  }) => {
    const folder = await emptyFolder();
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', folder]);
    skip(mounted.status !== 0, 'a disk can be mounted by root alone');
    afterThisTest(() => void spawnSync('umount', [folder]));
    const { app, clock, operator } = await start({ folder, keep: 1 });
    await operator.call(startBackup, {});
    await settled(operator, 1);
    const [good] = readdirSync(folder);
    // Room for the files of the backup, but not for the archive of them as well.
    const { bavail, bsize } = statfsSync(folder);
    const { size } = statSync(join(folder, good ?? ''));
    writeFileSync(join(folder, 'filler'), Buffer.alloc(bavail * bsize - Math.floor(size * 1.6)));
    clock.move(1_000);
    await operator.call(startBackup, {});
    await settled(operator, 2);
    const [full] = (await read(operator)).runs;
    expect([full?.state, full?.reason, full?.name]).toEqual(['failed', 'full', null]);
    expect(readdirSync(folder).toSorted()).toEqual(['filler', good]);
    rmSync(join(folder, 'filler'));
    clock.move(1_000);
    await operator.call(startBackup, {});
    await settled(operator, 3);
    expect((await read(operator)).runs[0]?.state).toBe('done');
    expect((await app.call(readyz, {})).status).toBe(200);
  });

  it('RUN-7: after kill -9 of one, list it as failed and nothing of it as stored', async () => {
    const place = await freshDatabase('sqlite');
    const { dataDir, location } = place;
    await storeFiles({ dataDir, location }, { word: 'one', count: 3 });
    const folder = await emptyFolder();
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const environment = { PORT: String(port), PUBLIC_URL: url, DATA_DIR: dataDir, BACKUP_FOLDER: folder };
    // Encrypted, since the passphrase takes some time: the backup is under way when the process is killed.
    const database = await openDatabase(location);
    const accessToken = await addToken({ database }, { rights: ['SETTINGS_WRITE'] });
    const whole = () => readdirSync(folder).filter((name) => !/\.(?:making|partial)$/.test(name));
    do {
      // If the kill came too late, the backup is whole.
      for (const name of whole()) rmSync(join(folder, name));
      const server = startProcess('main.ts', [], { ...environment, BACKUP_PASSPHRASE: passphrase });
      await server.line(/"msg":"ready"/);
      await callRoute(url, startBackup, {}, { accessToken });
      const half = () => readdirSync(folder).some((name) => /\.encrypted(?:\.partial)?$/.test(name));
      await expect.poll(half, { interval: 1 }).toBe(true);
      await server.kill();
      await database.transaction((tx) => tx.updateTable('backup_run').set({ seen_at: 0 }).execute());
    } while (whole().length > 0);
    const none = startProcess('cli.ts', ['backup', 'verify'], environment);
    expect([await none.ended, none.errors.join()]).toEqual([
      1,
      expect.stringContaining('There is no such backup'),
    ]);
    await database.close();

    const again = await startApp({
      on: place,
      config: { backup: { ...noneFixed, folder } },
    });
    await again.sweep();
    const operator = await lasting(again, movableClock());
    const { runs } = await read(operator);
    expect(runs[0]).toMatchObject({ state: 'failed', reason: 'interrupted', name: null });
    await operator.call(startBackup, {});
    await settled(operator, runs.length + 1);
    expect((await read(operator)).runs[0]).toMatchObject({ state: 'done' });
  });

  it('RUN-7: wait for one that another process makes, and end it where that one is silent', async () => {
    const folder = await emptyFolder();
    const { app, clock, operator } = await start({ folder });
    // As a process that was killed has left it.
    await app.database.transaction((tx) =>
      tx
        .insertInto('backup_run')
        .values({
          id: 'killed',
          busy: 1,
          seen_at: clock.now(),
          state: 'running',
          started_by: 'schedule',
          started_at: clock.now(),
        })
        .execute(),
    );
    writeFileSync(join(folder, 'half.tar.partial'), 'half');
    expect((await operator.call(startBackup, {})).status).toBe(409);
    clock.move(3 * 60_000);
    await app.sweep();
    expect((await read(operator)).runs).toMatchObject([
      { state: 'failed', reason: 'interrupted', name: null },
    ]);
    expect((await operator.call(startBackup, {})).status).toBe(200);
    await settled(operator, 2);
  });
});
