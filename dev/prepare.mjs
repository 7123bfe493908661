// Prepares a clone to run: the right Node, the packages, the built web. Everything under dev/ that ends in
// .mjs runs on the machine's own Node, before anything is installed: Node's built-in modules only, and old
// enough syntax that an old Node reaches the refusal below.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
/** The pinned Node 24 that everything but these scripts runs on (START-3). */
export const node = join(root, 'node_modules/.bin/node');
/**
 * The options of the server's Node. A small young generation keeps the resting memory near what is in use; by
 * default it grows with every burst of work to some 100 MB and never shrinks. On one core, four threads that collect
 * garbage would take the core from the event loop, for 0.4 s at a time with 10,000 streams (decision 0098).
 */
export const serverFlags = (cores = availableParallelism()) => [
  '--max-semi-space-size=4',
  '--expose-gc',
  ...(cores === 1 ? ['--single-threaded-gc'] : []),
];
/** The C library otherwise reserves memory for each thread that allocates: 10 MB at rest. */
export const serverEnvironment = { MALLOC_ARENA_MAX: '2' };

/**
 * The server as `npm start` runs it. The name of a source in a stack is looked up when the stack is read: with
 * `--enable-source-maps` the logger would have all maps decoded at each start, in 50 MB (decision 0036).
 */
export const bundledServer = (cores = availableParallelism()) => [
  ...serverFlags(cores),
  '--import=data:text/javascript,import{setSourceMapsSupport}from"node:module";setSourceMapsSupport(true)',
  join(root, 'server/dist/main.js'),
];

/** What may be deleted at any time: build stamps, compiled code, reports of test runners. */
export const cache = join(root, 'node_modules/.cache/portico');

/** Refuses, in one line, a Node that is too old to install and start Portico. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  print(
    `Portico needs Node 20.19 or newer to start, and this is Node ${process.versions.node}. Get one at https://nodejs.org/`,
  );
  process.exit(1);
}

/** Progress goes to standard error, so that standard output is the server's alone. @param {string} line */
export function print(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs a program in the repository's root with the terminal it was started from.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [extra] variables on top of the environment
 * @returns {Promise<number>} its exit status; 128 and more when a signal ended it
 */
export function run(program, args, extra = {}) {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...extra } });
    child.once('error', failed);
    child.once('exit', (code) => done(code ?? 128));
  });
}

/**
 * Runs npm: the npm that started this script, where npm started it.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [extra]
 */
export function npm(args, extra) {
  const cli = process.env['npm_execpath'];
  return cli?.endsWith('.js') ? run(process.execPath, [cli, ...args], extra) : run('npm', args, extra);
}

/**
 * Installs the packages when what is installed is not what the lockfile lists.
 *
 * @param {'start' | 'all'} [what] what `npm start` needs, or also the tools of the tests and checks
 * @returns {Promise<boolean>} whether all that is needed is there now; if not, the reason has been printed
 */
export async function install(what = 'all') {
  if (isInstalled(what)) return true;
  const installed = existsSync(join(root, 'node_modules/.package-lock.json'));
  print(`Installing packages${installed ? '' : '; the first time takes half a minute or so'} …`);
  const status = await npm([
    // `npm ci` would delete the installed packages.
    ...(installed ? ['install', '--no-save'] : ['ci']),
    what === 'all' ? '--include=dev' : '--omit=dev',
    '--prefer-offline',
    '--loglevel=error',
  ]);
  if (status === 0 && existsSync(node)) {
    removeHeaders();
    return true;
  }
  print(
    status === 0
      ? 'The packages are installed, but not the pinned Node: install scripts are switched off here.\nAllow the one of the package "node": npm rebuild node --ignore-scripts=false'
      : 'Installing failed; the message of npm is above. Portico needs the npm registry the first time it starts.',
  );
  return false;
}

/** Removes the headers of the pinned Node, 60 MB: only native add-ons need them, and Portico has none. */
function removeHeaders() {
  const platforms = join(root, 'node_modules/node/node_modules');
  if (!existsSync(platforms)) return;
  for (const name of readdirSync(platforms).filter((one) => one.startsWith('node-')))
    rmSync(join(platforms, name, 'include'), { recursive: true, force: true });
}

/** @typedef {{ version?: string, optional?: boolean, dev?: boolean, devOptional?: boolean }} LockedPackage */

/**
 * npm lists what it installed in a lockfile of its own, in the form of `package-lock.json`, and writes it last:
 * after an interrupted install there is none.
 *
 * @param {'start' | 'all'} what
 */
function isInstalled(what) {
  const listed = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(node) || !existsSync(listed)) return false;
  const [wanted, found] = [join(root, 'package-lock.json'), listed].map((file) => {
    const lock = readFileSync(file, 'utf8');
    return /** @type {{ packages: Record<string, LockedPackage> }} */ (JSON.parse(lock)).packages;
  });
  return Object.entries(wanted ?? {}).every(([path, { version, optional, dev, devOptional }]) => {
    if (path === '' || (dev === true && what === 'start')) return true;
    const have = found?.[path];
    return have === undefined ? optional === true || devOptional === true : have.version === version;
  });
}

/**
 * Builds the web when its sources changed since the last build.
 *
 * @param {'production' | 'development'} [mode] development keeps React's warnings
 * @returns {Promise<boolean>} whether the web is built and up to date; if not, the reason has been printed
 */
export function buildWeb(mode = 'production') {
  return build('web', mode, ['web', 'contract/src', ...ofFeatures('web'), 'package.json'], () =>
    npm(['run', '--silent', 'build'], { NODE_ENV: mode }),
  );
}

/**
 * Bundles the server when its sources changed since the last time.
 *
 * @returns {Promise<boolean>} as `buildWeb`
 */
export function buildServer() {
  const script = 'dev/package/bundle.ts';
  const sources = ['server/src', 'contract/src', ...ofFeatures('server'), 'package.json', script];
  return build('server', '', sources, () => run(node, [join(root, script)]));
}

/**
 * The source folders of one side of all capabilities, and those of their contracts.
 *
 * @param {'web' | 'server'} side
 */
function ofFeatures(side) {
  return readdirSync(join(root, 'features'))
    .flatMap((name) => [`features/${name}/contract`, `features/${name}/${side}`])
    .filter((folder) => existsSync(join(root, folder)));
}

/**
 * @param {'web' | 'server'} part whose `dist` is built
 * @param {string} mode
 * @param {readonly string[]} sources from the repository's root
 * @param {() => Promise<number>} work answers its exit status
 */
async function build(part, mode, sources, work) {
  const stamp = join(cache, `${part}-build`);
  const wanted = `${mode} ${stateOf(['package-lock.json', ...sources])}`;
  if (existsSync(join(root, part, 'dist')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted)
    return true;
  print(`Building the ${part} …`);
  if ((await work()) === 0) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(stamp, wanted);
    return true;
  }
  print(`The ${part} could not be built; the reason is above.`);
  return false;
}

/**
 * Hashes sizes and times of change, which takes a few milliseconds; reading every source takes longer.
 *
 * @param {readonly string[]} paths
 */
function stateOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const place = join(root, path);
    const isFile = statSync(place).isFile();
    const inside = isFile ? [''] : readdirSync(place, { recursive: true, encoding: 'utf8' }).toSorted();
    for (const name of inside.filter((each) => !/(?:^|[\\/])(?:dist|node_modules)(?:[\\/]|$)/.test(each))) {
      const stats = statSync(join(place, name));
      if (stats.isFile()) hash.update(`${path} ${name} ${stats.mtimeMs} ${stats.size}\n`);
    }
  }
  return hash.digest('hex');
}
