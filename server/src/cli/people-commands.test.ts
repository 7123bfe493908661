import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { getProfile } from '#features/profile/contract/profile.ts';
import { startApp, type TestApp } from '../testing/app.ts';
import { environmentOf, runInside } from '../testing/command-line.ts';
import { oneEngine } from '../testing/fresh-database.ts';
import { addPerson } from '../testing/people.ts';
import { signIn } from '../testing/signed-in.ts';
import { upload } from '../testing/upload.ts';
import { readZip } from '../testing/zip.ts';

const run = ({ place }: TestApp, ...args: string[]) => runInside(args, environmentOf(place));

describe.each(oneEngine)('data of people on the command line on %s', (engine) => {
  it('BUG-10, CLI-1: exports and erases a person while a server runs', async () => {
    const app = await startApp({ engine });
    await signIn(app, { roles: ['operator'] });
    const ada = await signIn(app, { email: 'ada@example.org', roles: ['operator'] });
    await upload(app, ada, [{ filename: 'a.txt', bytes: 'a text' }]);
    const folder = mkdtempSync(join(tmpdir(), 'portico-cli-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'ada.zip');
    expect(await run(app, 'people', 'export', '--email', 'ada@example.org', '--to', file)).toMatchObject({
      code: 0,
      out: file,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const files = readZip(readFileSync(file));
    expect([...files.keys()].some((name) => name.endsWith('-a.txt'))).toBe(true);
    expect((await run(app, 'people', 'export', '--email', 'ada@example.org', '--to', file)).code).toBe(1);

    // What cannot be read is named, and the command does not claim to be complete.
    await app.database.transaction((tx) =>
      tx
        .updateTable('file')
        .set({ hash: '0'.repeat(64) })
        .execute(),
    );
    const partly = join(folder, 'partly.zip');
    const half = await run(app, 'people', 'export', '--email', 'ada@example.org', '--to', partly);
    expect(half).toMatchObject({ code: 1, out: partly });
    expect(half.errors).toMatch(/could not be read, and are not in it:\n {2}files\/[\w-]+-a\.txt/);
    expect(half.errors).not.toContain('Everything');
    expect([...readZip(readFileSync(partly)).keys()]).toContain('not-included.txt');

    const erase = (...more: string[]) => run(app, 'people', 'erase', ...more);
    expect((await erase('--email', 'ada@example.org')).code).toBe(2);
    expect((await erase('--email', 'ada@example.org', '--confirm', 'ad@example.org')).code).toBe(2);
    expect((await erase('--email', 'x@example.org', '--confirm', 'x@example.org')).code).toBe(1);
    const done = await erase('--email', 'ada@example.org', '--confirm', 'ADA@example.org', '--json');
    expect(JSON.parse(done.out)).toMatchObject({ id: ada.id, finished: true });
    // The running server notices it within a second.
    await expect
      .poll(async () => (await ada.call(getProfile, { params: { userId: 'current' } })).status)
      .not.toBe(200);
    expect(
      await app.database.read
        .selectFrom('person')
        .select('id')
        .where('email', '=', 'ada@example.org')
        .execute(),
    ).toEqual([]);
  });

  it('BUG-10, CLI-1: finds a person by their id too, who has no address or one that others have', async () => {
    const app = await startApp({ engine });
    await signIn(app, { roles: ['operator'] });
    const nameless = await addPerson(app, { email: '' });
    const twins = [
      await addPerson(app, { email: 'twin@example.org' }),
      await addPerson(app, { email: 'twin@example.org' }),
    ];
    const folder = mkdtempSync(join(tmpdir(), 'portico-cli-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'nameless.zip');
    expect((await run(app, 'people', 'export', '--id', nameless, '--to', file)).code).toBe(0);
    expect(readFileSync(file).length).toBeGreaterThan(100);

    const erase = (...more: string[]) => run(app, 'people', 'erase', ...more);
    for (const [more, message] of [
      [['--confirm', nameless], 'Give either --email or --id.'],
      [['--id', nameless, '--email', 'a@example.org', '--confirm', nameless], 'Give either --email or --id.'],
      [['--id', nameless, '--confirm', twins[0] ?? ''], 'Nothing was erased.'],
      [['--id', 'no id', '--confirm', 'no id'], 'expected an id'],
    ] as const)
      expect(await erase(...more)).toMatchObject({ code: 2, errors: expect.stringContaining(message) });
    expect(await erase('--id', 'nobody', '--confirm', 'nobody')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Nobody has the id nobody.'),
    });
    const both = await erase('--email', 'twin@example.org', '--confirm', 'twin@example.org');
    expect(both.code).toBe(1);
    for (const id of twins) expect(both.errors).toContain(id);

    for (const id of [nameless, twins[0] ?? '']) {
      const done = await erase('--id', id, '--confirm', id, '--json');
      expect(JSON.parse(done.out)).toMatchObject({ id, finished: true });
    }
    const left = await app.database.read.selectFrom('person').select('id').where('email', '!=', '').execute();
    expect(left.map(({ id }) => id)).toContain(twins[1]);
    expect(left.map(({ id }) => id)).not.toContain(twins[0]);
  });

  it('BUG-10, RIGHT-3: does not erase the last administrator', async () => {
    const app = await startApp({ engine });
    await signIn(app, { email: 'last@example.org', roles: ['operator'] });
    const refused = await run(
      app,
      'people',
      'erase',
      '--email',
      'last@example.org',
      '--confirm',
      'last@example.org',
    );
    expect(refused.code).toBe(1);
    expect(refused.errors).toMatch(/manage people/);
  });
});
