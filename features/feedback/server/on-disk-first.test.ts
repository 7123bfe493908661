import fsPromises, { type FileHandle } from 'node:fs/promises';
import { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { relative } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { addToken } from '#server/testing/people.ts';
import { pngFile } from '#server/testing/png.ts';

const picture = (width: number) => ({
  data: pngFile({ width, height: 1 }).toString('base64'),
  filename: 'a.png',
  contentType: 'image/png',
});

describe('a report and the disk', () => {
  let app: TestApp;
  let accessToken: string;
  const happened: string[] = [];
  let syncFails = false;

  beforeEach(async () => {
    app = await startApp({ engine: 'sqlite' });
    accessToken = await addToken(app, { rights: [] });
    // That the token has been used is noted at its first use.
    await app.call(saveFeedback, { body: { message: '' } }, { accessToken });
    happened.length = 0;
    await watchTheDisk();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  /** Notes what reaches the disk and what leaves for the client, in the order in which each is over. */
  async function watchTheDisk(): Promise<void> {
    const paths = new Map<FileHandle, string>();
    const nameOf = (path: string) =>
      relative(app.place.dataDir, path)
        .replace(/tmp\/.+/, 'tmp/…')
        .replace(/[0-9a-f]{64}/, '…')
        .replace(/files\/[0-9a-f]{2}\b/, 'files/ab');
    const { open, rename } = fsPromises;
    vi.spyOn(fsPromises, 'open').mockImplementation(async (path, ...rest) => {
      const handle = await open(path, ...rest);
      paths.set(handle, String(path));
      return handle;
    });
    vi.spyOn(fsPromises, 'rename').mockImplementation(async (from, to) => {
      await rename(from, to);
      happened.push(`rename ${nameOf(String(from))} to ${nameOf(String(to))}`);
    });
    syncBuiltinESMExports();
    const someHandle = await open(app.place.dataDir, 'r');
    const fileHandle = Object.getPrototypeOf(someHandle) as FileHandle;
    await someHandle.close();
    const { sync } = fileHandle;
    vi.spyOn(fileHandle, 'sync').mockImplementation(async function (this: FileHandle) {
      if (syncFails) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      await sync.call(this);
      happened.push(`sync ${nameOf(paths.get(this) ?? '')}`);
    });
    // The log of SQLite; it was opened before, with the first change.
    const { datasync } = fileHandle;
    vi.spyOn(fileHandle, 'datasync').mockImplementation(async function (this: FileHandle) {
      await datasync.call(this);
      happened.push('sync log');
    });
    const { run } = StatementSync.prototype;
    vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
      const result = Reflect.apply(run, this, values);
      const [words = ''] = /^insert into "report\w*"|^commit/.exec(this.sourceSQL) ?? [];
      if (words !== '') happened.push(words);
      return result;
    });
    const { end } = ServerResponse.prototype;
    vi.spyOn(ServerResponse.prototype, 'end').mockImplementation(function (this: ServerResponse, ...rest) {
      happened.push(`answer ${this.statusCode}`);
      return Reflect.apply(end, this, rest) as ServerResponse;
    });
  }

  const send = (width: number) =>
    app.call(saveFeedback, { body: { message: 'x', attachments: [picture(width)] } }, { accessToken });

  it('BUG-6, RUN-5: the picture is on disk before its name, the name before the report, the report before the answer', async () => {
    // The first one makes the folders too.
    await send(1);
    expect(happened).toEqual([
      'sync ',
      'sync files',
      'sync files/tmp/…',
      'sync files',
      'rename files/tmp/… to files/ab/…',
      'sync files/ab',
      'insert into "report"',
      'insert into "report_picture"',
      'insert into "report_history"',
      'commit',
      'sync log',
      'answer 201',
    ]);
  });

  it('BUG-6: what the disk does not take is not acknowledged, and can be sent again', async () => {
    syncFails = true;
    const refused = await send(2);
    expect([refused.status, refused.problem?.code]).toEqual([503, 'UNAVAILABLE']);
    expect(happened).toEqual(['answer 503']);
    expect(await app.database.read.selectFrom('report').select('id').execute()).toEqual([]);
    syncFails = false;
    expect((await send(2)).body.number).toBe(1);
  });
});
