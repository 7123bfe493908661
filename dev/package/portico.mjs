#!/usr/bin/env node
// The published command: `portico` starts the server, `portico COMMAND` is the command line. It runs on any Node
// that npm runs on, and starts Portico on Node 24: on the Node that runs this script, or on the Node from npm that
// is installed along with the package (START-3).
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, constants, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const [first, ...rest] = process.argv.slice(2);
const starts = first === undefined || (first === 'start' && rest.length === 0);
const program = join(folder, 'server/dist', starts ? 'main.js' : 'cli.js');
// A small young generation keeps the resting memory near what is in use. On one core, threads that
// collect garbage would take the core from the event loop.
const flags = ['--max-semi-space-size=4', '--expose-gc'];
if (availableParallelism() === 1) flags.push('--single-threaded-gc');
const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'portico');
const fromNpm = process.env['npm_lifecycle_event'] !== undefined;

// Portico is tested on Node 24. A newer Node is used where npm has installed no Node 24, such as with
// `--omit=optional`.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isTested = major === 24 && minor >= 7;
const node = isTested ? process.execPath : (packagedNode() ?? (major > 24 ? process.execPath : null));
if (node !== null) startOn(node, [...flags, program, ...(starts ? [] : process.argv.slice(2))]);
else fail(`Portico needs Node 24.7 or newer, and this is Node ${process.versions.node}.`);

/**
 * The Node that npm has installed along with this package, now or at an earlier start: it is stored in the cache,
 * so that `npx --omit=optional` need not install its 190 MB again.
 */
function packagedNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const require = createRequire(import.meta.url);
  const { optionalDependencies } = /** @type {{ optionalDependencies?: Record<string, string> }} */ (
    require('./package.json')
  );
  const version = optionalDependencies?.[name];
  if (version === undefined) return null;
  const program = system === 'win' ? 'node.exe' : 'node';
  const remembered = join(cache, `node-${version}`, program);
  if (existsSync(remembered)) return remembered;
  try {
    const found = join(dirname(require.resolve(`${name}/package.json`)), 'bin', program);
    if (!existsSync(found)) return null;
    remember(found, remembered);
    return found;
  } catch {
    // The package of Node was omitted, or is not published for this system.
    return null;
  }
}

/** @param {string} found @param {string} remembered */
function remember(found, remembered) {
  const unfinished = `${remembered}.${process.pid}`;
  try {
    mkdirSync(dirname(remembered), { recursive: true });
    // A link makes no second copy on the same disk, and stays when npm removes the package of Node.
    try {
      linkSync(found, unfinished);
    } catch {
      copyFileSync(found, unfinished);
    }
    renameSync(unfinished, remembered);
  } catch {
    // The folder cannot be written, or the disk is full: the next start finds Node in its package again.
    rmSync(unfinished, { force: true });
  }
}

/** @param {string} reason */
function fail(reason) {
  process.stderr.write(`${reason} Get one at https://nodejs.org/\n`);
  process.exitCode = 1;
}

/**
 * On the same Node, the server replaces this process where that is possible, so that signals and memory are its
 * own. Another Node runs as a child process, since a program that fails to start would end both; and so does a Node
 * under npm, since npm leaves its child processes behind when it is stopped.
 *
 * @param {string} executable
 * @param {readonly string[]} args
 */
function startOn(executable, args) {
  // The C library otherwise reserves memory for each thread that allocates: 10 MB at rest.
  const env = { NODE_COMPILE_CACHE: cache, MALLOC_ARENA_MAX: '2', ...process.env };
  const { execve, platform } = process;
  if (executable === process.execPath && !fromNpm && platform !== 'win32' && execve !== undefined)
    execve(executable, [executable, ...args], env);
  else follow(spawn(executable, args, { stdio: 'inherit', env }));
}

/**
 * Passes on the first signal, and ends as the child does.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
function follow(child) {
  let stopped = false;
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    // A terminal sends SIGINT and SIGHUP to the child itself, which ends at once at a second signal.
    const received = process.stdin.isTTY && signal !== 'SIGTERM';
    if (!stopped && !received) child.kill(signal);
    stopped = true;
  };
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
    process.on(signal, () => stop(signal));
  const parent = process.ppid;
  if (fromNpm) setInterval(() => process.ppid !== parent && stop('SIGTERM'), 250).unref();
  child.once('error', ({ message }) => fail(`Node 24 cannot be started: ${message}.`));
  child.once('exit', (code, signal) =>
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
  );
}
