// npm start: installs and builds whatever is missing, starts the server, and then only waits for it. --watch (npm
// run dev) builds and starts again at every change; --demo (npm run demo) starts on temporary data.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildServer,
  buildWeb,
  bundledServer,
  cache,
  install,
  node,
  requireNode,
  root,
  serverEnvironment,
  serverFlags,
} from './prepare.mjs';
import { watchSources } from './watch.mjs';

const demo = process.argv.includes('--demo');
const watch = process.argv.includes('--watch');

requireNode();
if (!(await install('start'))) process.exit(1);
const settings = demo ? throwAwayData() : watch ? { NODE_ENV: 'development', STOP_DELAY: '0' } : {};
/** @type {import('node:child_process').ChildProcess | undefined} */
let server;

handOnSignals();
if (watch) {
  await watchSources({ start: startServer, stop: stopServer });
} else {
  const built = await Promise.all([buildWeb(), demo || buildServer()]);
  if (built.includes(false)) process.exit(1);
  startServer().once('exit', leaveAsTheServerDid);
}

/**
 * Starts the server, on the pinned Node itself and on this terminal, so that it sees whether a person is watching.
 * The demo and --watch run the TypeScript.
 */
function startServer() {
  const source = join(root, demo ? 'dev/demo.ts' : 'server/src/main.ts');
  server = spawn(node, demo || watch ? [...serverFlags(), source] : bundledServer(), {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: join(cache, 'compiled'), ...serverEnvironment, ...process.env, ...settings },
  });
  return server;
}

/** Ends the server in good order, or by force after three seconds. */
async function stopServer() {
  if (!isRunning()) return;
  const stopped = new Promise((done) => server?.once('exit', done));
  server?.kill('SIGTERM');
  const killTimer = setTimeout(() => server?.kill('SIGKILL'), 3000);
  await stopped;
  clearTimeout(killTimer);
}

function isRunning() {
  return server?.exitCode === null && server.signalCode === null;
}

/**
 * A terminal sends Ctrl-C to the server itself, and npm sends it once more to this process; a supervisor
 * signals this process alone. So the server receives one signal, however many arrive here.
 */
function handOnSignals() {
  let signalled = false;
  /** @param {NodeJS.Signals} signal */
  const stop = (signal, alreadyReceived = false) => {
    if (!isRunning()) leaveAsTheServerDid(null, signal);
    if (!signalled) server?.once('exit', leaveAsTheServerDid);
    if (!signalled && !alreadyReceived) server?.kill(signal);
    signalled = true;
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT', process.stdin.isTTY));
  process.on('SIGHUP', () => stop('SIGHUP', process.stdin.isTTY));

  // npm runs this script through a shell, and a SIGTERM to npm ends that shell without reaching this process.
  const parent = process.ppid;
  const isOrphaned = () => process.ppid !== parent;
  if (process.env['npm_lifecycle_event']) setInterval(() => isOrphaned() && stop('SIGTERM'), 250).unref();
}

/** @param {number | null} code @param {NodeJS.Signals | null} signal */
function leaveAsTheServerDid(code, signal) {
  process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
}

/** Settings for data that is deleted at the end, served to this machine alone (START-7). */
function throwAwayData() {
  const folder = mkdtempSync(join(tmpdir(), 'portico-demo-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { DATA_DIR: folder, DATABASE_URL: undefined, HOST: '127.0.0.1' };
}
