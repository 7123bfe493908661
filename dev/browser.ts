import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { node, root, run, print } from './prepare.mjs';

const names = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome'];
const headlessShell = '/usr/bin/chromium-headless-shell';

/**
 * Finds a Chrome or Chromium for the browser tests, or gets one: Debian's own as root, else Playwright's
 * (START-2). Answers the program; throws when there is none and none can be had.
 */
export async function ensureBrowser(): Promise<string> {
  let found = findBrowser();
  if (found === undefined && mayInstall()) {
    print('No Chrome or Chromium here; installing Debian’s chromium …');
    await installFromDebian('chromium');
    found = findBrowser();
  }
  if (found === undefined) {
    print('No Chrome or Chromium here; getting Playwright’s own …');
    await run(node, [join(root, 'node_modules/playwright/cli.js'), 'install', 'chromium']);
    found = findBrowser();
  }
  if (found !== undefined) return found;
  throw new Error(
    'The browser tests need Chrome or Chromium. None is installed and none could be downloaded. Install one, or name it: CHROMIUM=/path/to/chrome npm test',
  );
}

/**
 * Finds a Chromium that draws no window, and takes half the time for tests that need none. As root on Debian it
 * is installed; elsewhere it is used where it is there already.
 *
 * @param browser the browser for all other tests, which is returned where there is no such Chromium
 */
export async function ensureHeadlessShell(browser: string): Promise<string> {
  if (process.env['CHROMIUM'] !== undefined) return browser;
  if (!existsSync(headlessShell) && browser === '/usr/bin/chromium' && mayInstall()) {
    print('Installing Debian’s chromium-headless-shell, which tests faster …');
    await installFromDebian('chromium-headless-shell');
  }
  return existsSync(headlessShell) && starts(headlessShell) ? headlessShell : browser;
}

/** Whether Debian's packages can be installed here. */
export function mayInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

export async function installFromDebian(...what: string[]): Promise<void> {
  const quietly = { DEBIAN_FRONTEND: 'noninteractive' };
  const updated = await run('apt-get', ['update', '-qq'], quietly);
  if (updated === 0)
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...what], quietly);
}

/**
 * The first browser that starts: the one named by CHROMIUM, those on the PATH, those in their usual places,
 * Playwright's.
 */
function findBrowser(): string | undefined {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  const usual = ['/Applications', join(homedir(), 'Applications')].flatMap((folder) => [
    join(folder, 'Google Chrome.app/Contents/MacOS/Google Chrome'),
    join(folder, 'Chromium.app/Contents/MacOS/Chromium'),
  ]);
  return [...onPath, ...usual, '/opt/google/chrome/chrome', playwrightsOwn()].find(
    (path) => existsSync(path) && starts(path),
  );
}

// Ubuntu's chromium-browser is a script that only asks for a snap: a file that exists may still not start.
function starts(path: string): boolean {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

function playwrightsOwn(): string {
  const ask = "import('playwright').then(({ chromium }) => process.stdout.write(chromium.executablePath()))";
  return spawnSync(node, ['--eval', ask], { cwd: root, encoding: 'utf8' }).stdout;
}
