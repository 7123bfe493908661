import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startApp } from '../testing/app.ts';
import { runInside } from '../testing/command-line.ts';
import { addToken } from '../testing/people.ts';
import { smallMap } from '../testing/source-map.ts';
import { findSourceMaps } from './find-source-maps.ts';

/** A folder as a build leaves it. */
function built(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'portico-maps-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const map = JSON.stringify(smallMap);
const debugId = '4f8b1e9c-0000-4000-8000-00000000abcd';

describe('source maps on the command line', () => {
  it('DIAG-2, CLI-1: are found next to the scripts, uploaded, listed and removed with a token from a variable or a file', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const token = await addToken(app, { rights: ['DIAGNOSTICS_READ', 'DIAGNOSTICS_WRITE'] });
    const folder = built({
      'main.js': `throw 1;\n//# debugId=${debugId}\n//# sourceMappingURL=main.js.map\n`,
      'main.js.map': map,
      'assets/late.js.map': JSON.stringify({ ...smallMap, debugId: debugId.replace('4f', '5f') }),
      'assets/broken.js.map': '{}',
      'style.css.map': map,
      'node_modules/lib/index.js.map': map,
      token,
    });
    const where = ['--url', app.url, '--release', '1.2.3'];
    const upload = (...more: string[]) =>
      runInside(['source-maps', 'upload', ...where, ...more, folder], { PORTICO_TOKEN: token });
    const first = await upload('--prefix', '/app');
    expect(first).toMatchObject({ code: 1, out: '2' });
    expect(first.errors).toContain('2 of 3 source maps of 1.2.3 are stored.');
    expect(first.errors).toMatch(/\/app\/assets\/broken\.js: .*is not a source map of version 3/);
    const stored = await app.database.read
      .selectFrom('source_map')
      .select(['file', 'debug_id', 'created_by'])
      .orderBy('file')
      .execute();
    expect(stored.map(({ file, debug_id: id }) => [file, id])).toEqual([
      ['/app/assets/late.js', debugId.replaceAll('-', '').replace('4f', '5f')],
      ['/app/main.js', debugId.replaceAll('-', '')],
    ]);
    const asFile = { PORTICO_TOKEN_FILE: join(folder, 'token') };
    const listed = await runInside(['source-maps', 'list', '--url', app.url, '--json'], asFile);
    expect(JSON.parse(listed.out)).toMatchObject({ releases: [{ release: '1.2.3', files: 2 }] });
    expect(await runInside(['source-maps', 'remove', ...where], asFile)).toMatchObject({ code: 0, out: '2' });
    expect(await runInside(['source-maps', 'remove', ...where], asFile)).toMatchObject({ code: 1, out: '' });
  });

  it('DIAG-2: have the debug ids that bundlers, Sentry’s command line and its plugins write into scripts', async () => {
    const snippet = (assignment: string) =>
      `!function(){try{var e=window,n=(new e.Error).stack;n&&(${assignment})}catch(e){}}();throw 1;`;
    const folder = built({
      'comment.js': `throw 1;\n//# debugId=${debugId}\n//# sourceMappingURL=comment.js.map\n`,
      // sentry-cli 3 writes both.
      'cli.js': `${snippet(`e._sentryDebugIds[n]="${debugId}"`)}\n//# sourceMappingURL=cli.js.map\n//# debugId=${debugId}\n`,
      // The plugins of version 4 and 5, also where the bundler has made their quotes shorter.
      'plugin.js': snippet(
        `e._sentryDebugIds=e._sentryDebugIds||{},e._sentryDebugIds[n]="x",e._sentryDebugIdIdentifier="sentry-dbid-${debugId}"`,
      ),
      'short.js': snippet(`e._sentryDebugIds[t]=\`${debugId}\``),
      'none.js': `console.log("sentry-dbid-", e._sentryDebugIds[n]); // debugId=${debugId}`,
      ...Object.fromEntries(
        ['comment', 'cli', 'plugin', 'short', 'none'].map((name) => [`${name}.js.map`, map]),
      ),
    });
    const found = await findSourceMaps(folder);
    expect(found.map((each) => [each.script, each.debugId])).toEqual([
      ['/cli.js', debugId],
      ['/comment.js', debugId],
      ['/none.js', null],
      ['/plugin.js', debugId],
      ['/short.js', debugId],
    ]);
  });

  it('CLI-1: explain what is wrong, and repeat no token', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const token = await addToken(app, { rights: ['DIAGNOSTICS_READ'] });
    const folder = built({ 'main.js.map': map });
    const run = (args: string[], environment: Record<string, string> = { PORTICO_TOKEN: token }) =>
      runInside(['source-maps', 'upload', '--release', '1', ...args], environment);
    const to = ['--url', app.url];
    expect((await run([...to, folder], {})).errors).toContain('PORTICO_TOKEN is not set');
    const refused = await run([...to, folder]);
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('DIAGNOSTICS_WRITE')]);
    expect((await run([...to, join(folder, 'not-there')])).errors).toContain('cannot be read');
    expect((await run([...to, built({ 'a.js': '' })])).errors).toContain('There is no *.js.map');
    for (const [wrong, message] of [
      [[folder], '--url is missing.'],
      [to, 'FOLDER is missing.'],
      [[...to, folder, 'more'], '"more" is one too many.'],
      [['--url', 'http://portico.example.org', folder], 'expected an https address'],
      [[...to, '--project', '0', folder], '--project holds "0"'],
      [[...to, '--prefix', '../x', folder], '--prefix holds'],
    ] as const)
      expect(await run([...wrong])).toMatchObject({ code: 2, errors: expect.stringContaining(message) });
    const bad = await run([...to, folder], { PORTICO_TOKEN: 'a secret token' });
    expect([bad.code, bad.errors.includes('a secret token')]).toEqual([1, false]);
  });

  it('CLI-1: an answer of 503 is tried again when it says so, and no redirect takes the token elsewhere', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url?.split('?')[0]);
      if (asked.length === 1) response.writeHead(503, { 'retry-after': '0' }).end();
      else response.writeHead(302, { location: '/elsewhere' }).end();
      request.resume();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const remove = runInside(['source-maps', 'remove', '--url', url, '--release', '1'], {
      PORTICO_TOKEN: 'token',
    });
    expect((await remove).errors).toContain('sends its callers elsewhere');
    expect(asked).toEqual(['/v1/diagnostics/source-maps', '/v1/diagnostics/source-maps']);
  });
});
