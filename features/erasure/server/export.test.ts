import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { exportPerson } from '#features/erasure/contract/erasure.ts';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { setReportStatus } from '#features/feedback/contract/inbox.ts';
import { invitePerson, setBlocked } from '#features/people/contract/people.ts';
import { describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { addPerson } from '#server/testing/people.ts';
import { pictureFile } from '#server/testing/pictures.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { upload } from '#server/testing/upload.ts';
import { addError } from '#server/testing/errors.ts';
import { createPersonHash } from '#features/diagnostics/server/intake/person-hash.ts';
import { readZip } from '#server/testing/zip.ts';
import { exportPerson as exportEntries } from './export-person.ts';
import { openHandles } from '#server/testing/stored-files.ts';

/** Downloads a person's data and unpacks it; answers the files by name. */
async function unpack(app: TestApp, by: SignedIn, userId: string): Promise<Map<string, Buffer>> {
  const response = await fetch(`${app.url}${exportPerson.path.replace(':userId', userId)}`, {
    headers: { authorization: `Bearer ${by.accessToken}` },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  return readZip(Buffer.from(await response.arrayBuffer()));
}

const json = (files: Map<string, Buffer>, name: string): unknown =>
  JSON.parse(files.get(name)?.toString() ?? 'null');

describe.each(engines)('the export of a person on %s', (engine) => {
  const once = provedOn(engine);
  it('BUG-10: holds all there is about them, whole, and no secret', async () => {
    const app = await startApp({ engine });
    const operator = await signIn(app, { roles: ['operator'], email: 'operator@example.org' });
    const ada = await signIn(app, {
      roles: ['operator'],
      firstName: 'Ada',
      lastName: 'King',
      email: 'ada@example.org',
    });
    const picture = pictureFile('png', 8, 8);
    const attachments = [
      { data: picture.toString('base64'), filename: '../../x.png', contentType: 'image/png' },
    ];
    const recorded = {
      eventId: 'e'.repeat(32),
      associatedEventId: 'a'.repeat(32),
      context: { errors: [{ id: 'a'.repeat(32), at: 1, what: 'profile.load' }], rights: ['MAP_VIEW'] },
    };
    const { id, number } = (
      await ada.call(saveFeedback, { body: { message: 'It is “broken”.', attachments, ...recorded } })
    ).body;
    await operator.call(setReportStatus, {
      params: { reportId: id },
      body: { status: 'triaged', version: 1 },
    });
    const large = Buffer.alloc(3_000_000, 'some text ');
    const [file] = await upload(app, ada, [{ filename: 'März.txt', bytes: large }]);
    const other = await addPerson(app, { email: 'other@example.org' });
    await ada.call(setBlocked, { params: { personId: other }, body: { blocked: true, version: 1 } });
    await ada.call(invitePerson, {
      body: { email: 'invited@example.org', firstName: 'Ina', lastName: '', roles: [] },
    });
    await upload(app, operator, [{ filename: 'not-hers.txt', bytes: 'a text of somebody else' }]);

    const hashOf = await createPersonHash(app.database);
    const at = Date.now();
    await addError(app, {
      events: [ada.id, 'ADA@example.org', 'other@example.org'].map((name) => ({
        at,
        personHash: hashOf(name),
      })),
    });
    for (const by of [ada, operator]) {
      const own = by === ada;
      const files = await unpack(app, by, own ? 'current' : ada.id);
      const pictureName = [...files.keys()].find((name) => name.startsWith(`reports/${number}/`)) ?? '';
      expect([...files.keys()].toSorted()).toEqual(
        [
          'READ-ME.txt',
          'audit.json',
          `files/${file?.id}-März.txt`,
          'maintenance.json',
          'person.json',
          'reports.json',
          pictureName,
        ].toSorted(),
      );
      expect(files.get(`files/${file?.id}-März.txt`)?.equals(large)).toBe(true);
      expect(files.get(pictureName)?.subarray(1, 4).toString()).toBe('PNG');
      expect(json(files, 'person.json')).toMatchObject({
        email: 'ada@example.org',
        profile: { firstName: 'Ada', lastName: 'King' },
        account: { email: 'ada@example.org' },
        roles: [{ role: 'operator' }],
        sessions: [{}],
        errorEvents: 2,
      });
      expect(json(files, 'reports.json')).toMatchObject([
        {
          message: 'It is “broken”.',
          ...recorded,
          status: 'triaged',
          history: [{ by: 'ada@example.org' }, { by: own ? 'an operator' : 'operator@example.org' }],
        },
      ]);
      const audit = json(files, 'audit.json') as { action: string }[];
      expect(audit.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['person.block', 'person.invite']),
      );
      const everything = Buffer.concat([...files.values()]).toString();
      const stored = await app.database.read
        .selectFrom('account')
        .innerJoin('session', (join) => join.onTrue())
        .select(['password_hash', 'secret_hash', 'id_token'])
        .execute();
      const secrets = stored
        .flatMap((row) => Object.values(row))
        .filter((secret) => secret !== null && secret !== '');
      expect(secrets.filter((secret) => everything.includes(secret ?? ''))).toEqual([]);
      // What is others' stays with them.
      expect(everything).not.toContain('a text of somebody else');
      expect(everything.includes('invited@example.org')).toBe(!own);
    }
    const audited = await app.database.read
      .selectFrom('audit')
      .select(['actor_id', 'subject'])
      .where('action', '=', 'person.export')
      .execute();
    expect(audited).toEqual([{ actor_id: operator.id, subject: ada.id }]);
  });

  it.each(once)('BUG-10: is for the person and who manages people; aborted it closes its files', async () => {
    const app = await startApp({ engine });
    const [ada, support] = [await signIn(app), await signIn(app, { roles: ['support'] })];
    const refused = await app.call(
      exportPerson,
      { params: { userId: ada.id } },
      { accessToken: support.accessToken },
    );
    expect([refused.status, refused.problem?.code]).toEqual([403, 'RIGHT_MISSING']);
    const operator = await signIn(app, { roles: ['operator'] });
    expect((await operator.call(exportPerson, { params: { userId: 'nobody' } })).status).toBe(404);
    const files = Array.from({ length: 2 }, (_, n) => ({
      filename: `${n}`,
      bytes: Buffer.alloc(9_000_000, n + 65),
    }));
    await upload(app, ada, files);
    const breaking = new AbortController();
    const response = await fetch(`${app.url}${exportPerson.path.replace(':userId', ada.id)}`, {
      headers: { authorization: `Bearer ${ada.accessToken}` },
      signal: breaking.signal,
    });
    await response.body?.getReader().read();
    breaking.abort();
    await expect.poll(() => openHandles(app)).toEqual([]);
    expect(app.log.filter(({ level }) => level >= 50)).toEqual([]);
  });

  it.each(once)('BUG-10: names the files that could not be read, and the log holds the cause', async () => {
    const app = await startApp({ engine });
    const ada = await signIn(app);
    const [whole, lost] = await upload(app, ada, [
      { filename: 'whole.txt', bytes: 'a text' },
      { filename: 'lost.txt', bytes: 'another text' },
    ]);
    const lostName = `files/${lost?.id}-lost.txt`;
    expect([...(await unpack(app, ada, 'current')).keys()]).not.toContain('not-included.txt');
    await app.database.transaction((tx) =>
      tx
        .updateTable('file')
        .set({ hash: '0'.repeat(64) })
        .where('id', '=', lost?.id ?? '')
        .execute(),
    );

    const files = await unpack(app, ada, 'current');
    expect(files.get(`files/${whole?.id}-whole.txt`)?.toString()).toBe('a text');
    expect(files.has(lostName)).toBe(false);
    expect(files.get('not-included.txt')?.toString()).toBe(
      `This export is not complete. These files are stored, but could not be read:\n\n${lostName}\n`,
    );
    expect(files.get('READ-ME.txt')?.toString()).toContain('not-included.txt');
    expect(app.log.filter(({ level }) => level >= 50)).toEqual([
      expect.objectContaining({ personId: ada.id, file: lostName, msg: expect.stringContaining('missing') }),
    ]);
  });

  it('BUG-10: does not miss a file that is removed while others are read', async () => {
    const app = await startApp({ engine });
    const ada = await signIn(app);
    await upload(app, ada, [
      { filename: 'first.txt', bytes: 'a text' },
      { filename: 'second.txt', bytes: 'another text' },
    ]);
    const missing: string[] = [];
    const parts = { cleanFilename: (name: string) => name, onMissing: (name: string) => missing.push(name) };
    const removing = exportEntries(
      {
        ...parts,
        read: app.database.read,
        store: {
          async read({ hash }) {
            await app.database.transaction((tx) => tx.deleteFrom('file').where('hash', '=', hash).execute());
            throw new Error('gone');
          },
        },
      },
      ada.id,
      { forThemself: true },
    );
    const names: string[] = [];
    for await (const { name, bytes } of removing) {
      names.push(name);
      await buffer(Readable.from(bytes));
    }
    expect(names).toEqual(['READ-ME.txt', 'person.json', 'reports.json', 'audit.json', 'maintenance.json']);
    expect(missing).toEqual([]);
  });
});
